import { h, type TargetedEvent } from 'preact';
import { choice, TextField } from '../shell/controls.ts';
import { pillOf } from '../shell/labels.ts';
import type { DocumentedAnswer, OperationView } from '../wire.ts';
import { type BodyWarning, JsonEditor } from './json-editor.ts';
import { OperationPicker } from './operation-picker.ts';
import { type AnswerDraft, bodyDraft, type DraftProblem, type RuleDraft } from './rule-draft.ts';

/** A warning of the mock, at a member of the rule. */
export interface DraftWarning extends BodyWarning {
  readonly where: string;
}

type Problems = readonly DraftProblem[];

/** What is wrong with a member, or within it. */
function messagesAt(problems: Problems, member: string): string {
  const own = problems.filter(({ where }) => where === member || where.startsWith(`${member}.`));
  return own.map(({ message }) => message).join('; ');
}

interface FieldsProps<Draft> {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly problems: Problems;
  /** What precedes the members in problems: empty, `match.` or `sequence.0.` */
  readonly place: string;
  /** What follows each label. */
  readonly label?: string;
}

type FieldRow<Draft> = readonly [member: keyof Draft & string, title: string, hint: string];

/** A line of text for each row of a table. */
export function textFields<Draft>(
  { draft, onChange, problems, place, label = '' }: FieldsProps<Draft>,
  rows: readonly FieldRow<Draft>[],
) {
  return rows.map(([member, title, hint]) =>
    h(TextField, {
      key: member,
      id: `rule-${place.replaceAll('.', '-')}${member}`,
      label: title + label,
      hint,
      value: String(draft[member]),
      problem: messagesAt(problems, place + member),
      onInput: (text) => onChange({ [member]: text } as Partial<Draft>),
    }),
  );
}

/** A text of several lines. */
function textArea<Draft>(
  { draft, onChange, problems, place, label = '' }: FieldsProps<Draft>,
  [member, title, hint]: FieldRow<Draft>,
) {
  const id = `rule-${place.replaceAll('.', '-')}${member}`;
  const problem = messagesAt(problems, place + member);
  return h('div', { class: 'field' }, [
    h('label', { for: id }, title + label),
    h('textarea', {
      ...{ id, value: String(draft[member]), rows: 2, spellcheck: false },
      ...{ 'aria-invalid': problem !== '', 'aria-describedby': `${id}-hint ${id}-problem` },
      onInput: (event: TargetedEvent<HTMLTextAreaElement>) =>
        onChange({ [member]: event.currentTarget.value } as Partial<Draft>),
    }),
    h('span', { id: `${id}-hint`, class: 'soft hint' }, hint),
    h('span', { id: `${id}-problem`, class: 'problem' }, problem),
  ]);
}

/** A box to tick. */
export function tick(label: string, checked: boolean, onChange: (checked: boolean) => void) {
  return h('label', { class: 'check' }, [
    h('input', { type: 'checkbox', checked, onChange: (event) => onChange(event.currentTarget.checked) }),
    label,
  ]);
}

const BODIES = [
  ['usual', 'As documented'],
  ['json', 'JSON'],
  ['text', 'Plain text'],
] as const;

interface AnswerFieldsProps extends FieldsProps<AnswerDraft> {
  readonly documented: readonly DocumentedAnswer[];
  readonly warnings: readonly DraftWarning[];
}

/** Everything that one answer can be: of the rule itself, or of a step of its sequence. */
export function AnswerFields(props: AnswerFieldsProps) {
  const { place, draft, onChange, documented, problems, warnings, label = '' } = props;
  const kind = `rule-${place.replaceAll('.', '-')}bodyKind`;
  const warned = (member: string) => warnings.filter(({ where }) => where === place + member);
  return h('div', { class: 'answer-fields' }, [
    documented.length > 0 &&
      h('div', { class: 'documented', role: 'group', 'aria-label': `Documented responses${label}` }, [
        documented.map((answer) => documentedButton(answer, onChange)),
      ]),
    h('div', { class: 'rule-fields' }, [
      textFields(props, [
        ['status', 'Status', '200 to 599, or a template'],
        ['example', 'Example', 'name of a documented one'],
      ]),
      h('div', { class: 'field' }, [
        h('label', { for: kind }, `Body${label}`),
        choice(
          draft.bodyKind,
          BODIES,
          (bodyKind) =>
            onChange({
              bodyKind: bodyKind as AnswerDraft['bodyKind'],
              ...(bodyKind === 'json' && draft.body.trim() === '' && { body: '{}' }),
            }),
          { id: kind },
        ),
      ]),
    ]),
    warned('status').map(({ message }) => h('p', { key: message, class: 'warning' }, message)),
    draft.bodyKind === 'json' &&
      h(JsonEditor, {
        id: `rule-${place.replaceAll('.', '-')}body`,
        label: `JSON body${label}`,
        value: draft.body,
        onInput: (body) => onChange({ body }),
        warnings: warned('body'),
        problem: messagesAt(problems, `${place}body`),
        rows: 16,
      }),
    draft.bodyKind === 'text' && [
      textArea(props, ['body', 'Text body', '']),
      warned('body').map(({ message }) => h('p', { key: message, class: 'warning' }, message)),
    ],
    textArea(props, ['headers', 'Headers', 'a line each: Retry-After: 1']),
    h('div', { class: 'rule-fields' }, [
      textFields(props, [
        ['delay', 'Delay in ms', '200, or a range: 50-150'],
        ['drop', 'Close connection', 'before or after the operation, or after so many messages'],
        ['truncate', 'Cut body', 'true, or in the message after so many'],
      ]),
      tick(`Use templates${label}`, draft.isTemplate, (isTemplate) => onChange({ isTemplate })),
    ]),
    h('p', { class: 'problem' }, messagesAt(problems, `${place}template`)),
  ]);
}

function documentedButton(answer: DocumentedAnswer, onChange: AnswerFieldsProps['onChange']) {
  const { status, example, description, body } = answer;
  const made = answer.isEmptyList ? 'empty list' : 'sample';
  const name = example ?? (body === undefined ? 'no body' : made);
  const fill = () =>
    onChange({
      ...{ status: String(status), example: '', isPass: false },
      ...(body === undefined ? { bodyKind: 'usual', body: '' } : bodyDraft(body)),
    });
  return h(
    'button',
    {
      ...{ key: `${answer.key} ${name}`, type: 'button', class: 'button framed small', title: description },
      'aria-label': `${status} ${name}: ${description}`,
      onClick: fill,
    },
    h('span', { class: pillOf(status) }, String(status)),
    ' ',
    name,
  );
}

interface MatchFieldsProps extends Omit<FieldsProps<RuleDraft>, 'place'> {
  readonly operations: readonly OperationView[];
}

/** Which requests a rule is for. */
export function MatchFields({ operations, ...shared }: MatchFieldsProps) {
  const { draft, onChange, problems } = shared;
  const within = { ...shared, place: 'match.' };
  const conditions = [draft.method, draft.path, draft.tag, draft.query, draft.headers, draft.body];
  return h('div', { class: 'match-fields' }, [
    h(OperationPicker, {
      value: draft.operation,
      operations,
      onChoose: (operation) => onChange({ operation }),
    }),
    h('p', { class: 'problem' }, messagesAt(problems, 'operation')),
    h('details', { open: conditions.some((text) => text !== '') }, [
      h('summary', {}, 'Conditions'),
      h('div', { class: 'rule-fields' }, [
        textFields(within, [
          ['method', 'Method', 'empty: any'],
          ['path', 'Path', '/pets/{petId} or /pets/7'],
        ]),
        textFields({ ...shared, place: '' }, [['tag', 'Tag', 'all operations of a tag']]),
      ]),
      textArea(within, ['query', 'Query', 'a line each: status: sold; again for a list; !status: none']),
      textArea(within, ['headers', 'Request headers', 'a line each: X-Tenant: a; !X-Tenant: none']),
      h(JsonEditor, {
        id: 'rule-match-body',
        label: 'Body contains',
        value: draft.body,
        onInput: (body) => onChange({ body }),
        problem: messagesAt(problems, 'match.body'),
      }),
      h('p', { class: 'problem' }, [
        problems.filter(({ where }) => where === 'match').map(({ message }) => message),
      ]),
    ]),
  ]);
}
