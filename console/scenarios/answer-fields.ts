import { h, type TargetedEvent } from 'preact';
import { button, choice, iconButton, TextField } from '../shell/controls.ts';
import { pillOf } from '../shell/labels.ts';
import type { DocumentedAnswer } from '../wire.ts';
import { type BodyWarning, JsonEditor } from './json-editor.ts';
import { type AnswerDraft, bodyDraft, type DraftProblem } from './rule-draft.ts';

/** A warning of the mock, at a member of the rule. */
export interface DraftWarning extends BodyWarning {
  readonly where: string;
}

interface AnswerFieldsProps {
  /** What precedes the members in problems: empty, or `sequence.0.` */
  readonly place: string;
  readonly draft: AnswerDraft;
  readonly onChange: (change: Partial<AnswerDraft>) => void;
  readonly documented: readonly DocumentedAnswer[];
  readonly problems: readonly DraftProblem[];
  readonly warnings: readonly DraftWarning[];
}

const DROPS = [
  ['', 'No'],
  ['before', 'Before the operation'],
  ['after', 'After the operation'],
  ['messages', 'After messages of a stream'],
] as const;

const TRUNCATIONS = [
  ['', 'No'],
  ['true', 'In the middle of the body'],
  ['messages', 'In the middle of a stream'],
] as const;

const BODIES = [
  ['usual', 'As documented'],
  ['json', 'JSON'],
  ['text', 'Plain text'],
] as const;

/** Everything that one answer can be: of the rule itself, or of a step of its sequence. */
export function AnswerFields({ place, draft, onChange, documented, problems, warnings }: AnswerFieldsProps) {
  const id = `rule-${place.replaceAll('.', '-')}`;
  const label = place === '' ? '' : ` of step ${Number(place.split('.')[1]) + 1}`;
  const at = (member: string) => {
    const own = problems.filter(
      ({ where }) => where === place + member || where.startsWith(`${place}${member}.`),
    );
    return own.map(({ message }) => message).join('; ');
  };
  const text = (member: 'status' | 'example' | 'delay', title: string, hint: string) =>
    h(TextField, {
      id: id + member,
      label: title + label,
      hint,
      value: draft[member],
      problem: at(member),
      onInput: (value) => onChange({ [member]: value }),
    });
  const own = warnings.filter(({ where }) => where === `${place}body`);
  return h('div', { class: 'answer-fields' }, [
    documented.length > 0 &&
      h('div', { class: 'documented', role: 'group', 'aria-label': `Documented responses${label}` }, [
        documented.map((answer) => documentedButton(answer, onChange)),
      ]),
    h('div', { class: 'rule-fields' }, [
      text('status', 'Status', '200 to 599, or a template; one that is not documented needs a body'),
      text('example', 'Example', 'name of a documented one'),
      h('div', { class: 'field' }, [
        h('label', { for: `${id}bodyKind` }, `Body${label}`),
        choice(
          draft.bodyKind,
          BODIES,
          (bodyKind) =>
            onChange({
              bodyKind: bodyKind as AnswerDraft['bodyKind'],
              ...(bodyKind === 'json' && draft.body.trim() === '' && { body: '{}' }),
            }),
          { id: `${id}bodyKind` },
        ),
      ]),
    ]),
    warnings
      .filter(({ where }) => where === `${place}status`)
      .map(({ message }) => h('p', { key: message, class: 'warning' }, message)),
    draft.bodyKind === 'json' &&
      h(JsonEditor, {
        id: `${id}body`,
        label: `JSON body${label}`,
        value: draft.body,
        onInput: (body) => onChange({ body }),
        warnings: own,
        problem: at('body'),
        rows: 16,
      }),
    draft.bodyKind === 'text' &&
      h('div', { class: 'field' }, [
        h('label', { for: `${id}body` }, `Text body${label}`),
        h('textarea', {
          id: `${id}body`,
          value: draft.body,
          onInput: (event: TargetedEvent<HTMLTextAreaElement>) =>
            onChange({ body: event.currentTarget.value }),
        }),
        own.map(({ message }) => h('p', { key: message, class: 'warning' }, message)),
        h('span', { class: 'problem' }, at('body')),
      ]),
    h(HeaderRows, { id, label, draft, problem: at('headers'), onChange }),
    h('div', { class: 'rule-fields' }, [
      text('delay', 'Delay in ms', '200, or a range: 50-150'),
      orMessages('Close connection', 'drop', DROPS),
      orMessages('Cut body', 'truncate', TRUNCATIONS),
      h('label', { class: 'check' }, [
        h('input', {
          type: 'checkbox',
          checked: draft.isTemplate,
          onChange: (event) => onChange({ isTemplate: event.currentTarget.checked }),
        }),
        `Use templates${label}`,
      ]),
    ]),
    problems
      .filter(({ where }) => where === `${place}template`)
      .map(({ message }) => h('p', { key: message, class: 'problem' }, message)),
  ]);

  function orMessages(
    title: string,
    member: 'drop' | 'truncate',
    options: readonly (readonly [string, string])[],
  ) {
    const value = draft[member];
    const isCount = /^\d*$/.test(value) && value !== '';
    return h('div', { class: 'field' }, [
      h('label', { for: id + member }, title + label),
      choice(
        isCount ? 'messages' : value,
        options,
        (next) => onChange({ [member]: next === 'messages' ? '1' : next }),
        { id: id + member },
      ),
      isCount &&
        h('input', {
          type: 'number',
          min: member === 'drop' ? 1 : 0,
          'aria-label': `${title} after so many messages${label}`,
          value,
          onInput: (event) => onChange({ [member]: event.currentTarget.value || '1' }),
        }),
      h('span', { class: 'problem' }, at(member)),
    ]);
  }
}

function documentedButton(answer: DocumentedAnswer, onChange: AnswerFieldsProps['onChange']) {
  const { status, example, description, body } = answer;
  const made = answer.isEmptyList ? 'empty list' : 'sample';
  const name = example ?? (body === undefined ? 'no body' : made);
  const fill = () =>
    onChange({
      status: String(status),
      example: '',
      ...(body === undefined ? { bodyKind: 'usual', body: '' } : bodyDraft(body)),
      isPass: false,
    });
  return h(
    'button',
    {
      key: `${answer.key} ${name}`,
      type: 'button',
      class: 'button framed small',
      title: description,
      'aria-label': `${status} ${name}: ${description}`,
      onClick: fill,
    },
    h('span', { class: pillOf(status) }, String(status)),
    ' ',
    name,
  );
}

interface HeaderRowsProps extends Pick<AnswerFieldsProps, 'draft' | 'onChange'> {
  readonly id: string;
  readonly label: string;
  readonly problem: string;
}

function HeaderRows({ label, draft: { headers }, problem, onChange }: HeaderRowsProps) {
  const change = (index: number, part: Partial<AnswerDraft['headers'][number]>) =>
    onChange({ headers: headers.map((row, at) => (at === index ? { ...row, ...part } : row)) });
  return h('fieldset', { class: 'rows' }, [
    h('legend', {}, `Headers${label}`),
    headers.map(({ name, value }, index) =>
      h('div', { key: index, class: 'pair' }, [
        h('input', {
          'aria-label': `Name of header ${index + 1}${label}`,
          placeholder: 'Retry-After',
          value: name,
          onInput: (event) => change(index, { name: event.currentTarget.value }),
        }),
        h('input', {
          'aria-label': `Value of header ${index + 1}${label}`,
          value,
          onInput: (event) => change(index, { value: event.currentTarget.value }),
        }),
        iconButton('remove', `Remove header ${index + 1}${label}`, () =>
          onChange({ headers: headers.filter((_, at) => at !== index) }),
        ),
      ]),
    ),
    button('Add header', () => onChange({ headers: [...headers, { name: '', value: '' }] }), {
      class: 'small',
      icon: 'add',
      'aria-label': `Add header${label}`,
    }),
    h('p', { class: 'problem' }, problem),
  ]);
}
