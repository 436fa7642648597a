import { h } from 'preact';
import { button, choice, iconButton, TextField } from '../shell/controls.ts';
import type { OperationView } from '../wire.ts';
import { JsonEditor } from './json-editor.ts';
import { OperationPicker } from './operation-picker.ts';
import type { DraftProblem, RuleDraft, WantedDraft } from './rule-draft.ts';

interface MatchFieldsProps {
  readonly draft: RuleDraft;
  readonly operations: readonly OperationView[];
  readonly onChange: (change: Partial<RuleDraft>) => void;
  readonly problems: readonly DraftProblem[];
}

/** Which requests a rule is for. */
export function MatchFields({ draft, operations, onChange, problems }: MatchFieldsProps) {
  const at = (member: string) => {
    const own = problems.filter(({ where }) => where === member || where.startsWith(`${member}.`));
    return own.map(({ message }) => message).join('; ');
  };
  const methods = [...new Set(operations.map(({ method }) => method))];
  return h('div', { class: 'match-fields' }, [
    h(OperationPicker, {
      value: draft.operation,
      operations,
      onChoose: (operation) => onChange({ operation }),
    }),
    h('p', { class: 'problem' }, at('operation')),
    h('details', { open: hasConditions(draft) }, [
      h('summary', {}, 'Conditions'),
      h('div', { class: 'rule-fields' }, [
        h('div', { class: 'field' }, [
          h('label', { for: 'rule-method' }, 'Method'),
          choice(draft.method, [['', 'Any'], ...methods], (method) => onChange({ method }), {
            id: 'rule-method',
          }),
          h('span', { class: 'problem' }, at('match.method')),
        ]),
        field('path', 'Path', '/pets/{petId} or /pets/7', 'match.path'),
        field('tag', 'Tag', 'all operations of a tag', 'tag'),
      ]),
      h(WantedRows, {
        title: 'Query',
        one: 'query parameter',
        rows: draft.query,
        problem: at('match.query'),
        onChange: (query) => onChange({ query }),
      }),
      h(WantedRows, {
        title: 'Request headers',
        one: 'request header',
        rows: draft.headers,
        problem: at('match.headers'),
        onChange: (headers) => onChange({ headers }),
      }),
      h(JsonEditor, {
        id: 'rule-match-body',
        label: 'Body contains',
        value: draft.body,
        onInput: (body) => onChange({ body }),
        problem: at('match.body'),
      }),
      h('p', { class: 'problem' }, [
        problems.filter(({ where }) => where === 'match').map(({ message }) => message),
      ]),
    ]),
  ]);

  function field(member: 'path' | 'tag', label: string, hint: string, where: string) {
    return h(TextField, {
      id: `rule-${member}`,
      label,
      hint,
      value: draft[member],
      problem: at(where),
      onInput: (text) => onChange({ [member]: text }),
    });
  }
}

function hasConditions({ method, path, tag, query, headers, body }: RuleDraft): boolean {
  return [method, path, tag, body].some((text) => text !== '') || query.length + headers.length > 0;
}

const KINDS = [
  ['is', 'is'],
  ['are', 'are all of'],
  ['absent', 'is absent'],
] as const;

interface WantedRowsProps {
  readonly title: string;
  readonly one: string;
  readonly rows: readonly WantedDraft[];
  readonly problem: string;
  readonly onChange: (rows: readonly WantedDraft[]) => void;
}

function WantedRows({ title, one, rows, problem, onChange }: WantedRowsProps) {
  const change = (index: number, part: Partial<WantedDraft>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return h('fieldset', { class: 'rows' }, [
    h('legend', {}, title),
    rows.map(({ name, kind, value }, index) =>
      h('div', { key: index, class: 'pair' }, [
        h('input', {
          'aria-label': `Name of ${one} ${index + 1}`,
          value: name,
          onInput: (event) => change(index, { name: event.currentTarget.value }),
        }),
        choice(kind, KINDS, (next) => change(index, { kind: next as WantedDraft['kind'] }), {
          'aria-label': `Condition of ${one} ${index + 1}`,
        }),
        kind !== 'absent' &&
          h(kind === 'are' ? 'textarea' : 'input', {
            'aria-label': `Value of ${one} ${index + 1}${kind === 'are' ? ', a line each' : ''}`,
            value,
            ...(kind === 'are' && { rows: 2 }),
            onInput: (event: { currentTarget: { value: string } }) =>
              change(index, { value: event.currentTarget.value }),
          }),
        iconButton('remove', `Remove ${one} ${index + 1}`, () =>
          onChange(rows.filter((_, at) => at !== index)),
        ),
      ]),
    ),
    button(`Add ${one}`, () => onChange([...rows, { name: '', kind: 'is', value: '' }]), {
      class: 'small',
      icon: 'add',
    }),
    h('p', { class: 'problem' }, problem),
  ]);
}
