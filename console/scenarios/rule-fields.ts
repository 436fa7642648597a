import { Fragment, h } from 'preact';
import { Field, type Form, fieldId } from '../form/field.ts';
import { fieldOf, type Members, pointerTo, withMember } from '../form/member-value.ts';
import { button, choice } from '../shell/controls.ts';
import { pillOf } from '../shell/labels.ts';
import type { AnswerForm, DocumentedAnswer, FieldView } from '../wire.ts';
import { type BodyWarning, JsonEditor } from './json-editor.ts';

const field = (name: string, title: string, description?: string, more: Partial<FieldView> = {}) =>
  fieldOf(name, { title, description, ...more });

const NAMES = { type: 'object', members: [], open: true } as const;
const TEXT = { type: 'string' } as const;

/** Further conditions of a rule. */
export const CONDITIONS: readonly FieldView[] = [
  field('method', 'Method', undefined, {
    ...TEXT,
    values: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
  }),
  field('path', 'Path', '/pets/{petId} or /pets/7', TEXT),
  field('query', 'Query', 'a list: ["a", "b"]; null: the request has none', NAMES),
  field('headers', 'Request headers', 'null: the request has none', NAMES),
];

export const OF_RULE: readonly FieldView[] = [
  field('tag', 'Tag', 'all operations of a tag', TEXT),
  field('times', 'Repeat', 'number of requests; empty: always', { type: 'integer' }),
];

/** For all steps of a sequence. */
export const DELAY = field('delay', 'Delay in ms', '200, or a range: 50-150');

const STATUS = field('status', 'Status', '200 to 599, or a template');

const MORE_OF_ANSWER: readonly FieldView[] = [
  DELAY,
  field('drop', 'Close connection', 'before or after the operation, or after so many messages'),
  field('truncate', 'Cut body', 'true, or in the message after so many'),
  field('example', 'Example', 'name of a documented one', TEXT),
  field('headers', 'Headers', 'such as Retry-After', NAMES),
];

interface FieldListProps {
  readonly form: Form;
  readonly fields: readonly FieldView[];
  readonly at: string;
  readonly value: Members;
  readonly onChange: (value: Members) => void;
}

export function FieldList({ form, fields, at, value, onChange }: FieldListProps) {
  return h('div', { class: 'rule-fields' }, [
    fields.map((fieldView) =>
      h(Field, {
        key: fieldView.name,
        form,
        field: fieldView,
        at: pointerTo(at, fieldView.name),
        value: value[fieldView.name],
        onChange: (changed) => onChange(withMember(value, fieldView.name, changed)),
      }),
    ),
  ]);
}

export function tick(label: string, checked: boolean, onChange: (checked: boolean) => void) {
  return h('label', { class: 'check' }, [
    h('input', { type: 'checkbox', checked, onChange: (event) => onChange(event.currentTarget.checked) }),
    label,
  ]);
}

export interface AnswerProps {
  readonly form: Form;
  /** A JSON Pointer into the rule. */
  readonly at: string;
  readonly value: AnswerForm;
  readonly onChange: (value: AnswerForm) => void;
  readonly onBroken: (at: string, isBroken: boolean) => void;
  /** Violations of the document, at members of the rule. */
  readonly warnings: readonly (BodyWarning & { readonly where: string })[];
}

const BODIES = [
  ['usual', 'As documented, else a small one'],
  ['json', 'JSON'],
  ['text', 'Plain text'],
] as const;

/** Status and body of an answer. */
export function AnswerFields({ form, at, value, onChange, onBroken, warnings }: AnswerProps) {
  const { body } = value;
  const id = fieldId(form, pointerTo(at, 'body'));
  const where = at === '' ? '' : `${at.slice(1).replaceAll('/', '.')}.`;
  const warned = (member: string) => warnings.filter((warning) => warning.where === where + member);
  const set = (changed: unknown) => onChange(withMember(value as Members, 'body', changed));
  const kind = body === undefined ? 'usual' : typeof body === 'string' ? 'text' : 'json';
  const problem = form.problems.find(({ pointer }) => pointer === pointerTo(at, 'body'))?.message ?? '';
  return h(Fragment, {}, [
    h('div', { class: 'rule-fields' }, [
      h(Field, {
        form,
        field: STATUS,
        at: pointerTo(at, 'status'),
        value: value.status,
        onChange: (status) => onChange(withMember(value as Members, 'status', status)),
      }),
      h('div', { class: 'field' }, [
        h('label', { for: `${id}-kind` }, 'Body'),
        choice(kind, BODIES, (next) => set({ usual: undefined, json: {}, text: '' }[next]), {
          id: `${id}-kind`,
        }),
      ]),
    ]),
    warned('status').map(({ message }) => h('p', { key: message, class: 'warning' }, message)),
    kind === 'json' &&
      h(JsonEditor, {
        id,
        label: 'JSON body',
        value: body,
        warnings: warned('body'),
        problem,
        rows: 16,
        onChange: (changed) => set(changed ?? null),
        onBroken: (isBroken) => onBroken(at, isBroken),
      }),
    kind === 'text' && [
      h(Field, {
        form,
        field: field('body', 'Text body', undefined, TEXT),
        at: pointerTo(at, 'body'),
        value: body,
        onChange: (changed) => set(changed ?? ''),
      }),
      warned('body').map(({ message }) => h('p', { key: message, class: 'warning' }, message)),
    ],
  ]);
}

/** The other members of an answer. */
export function MoreOfAnswer({ form, at, value, onChange }: Omit<AnswerProps, 'onBroken' | 'warnings'>) {
  return h(Fragment, {}, [
    h(FieldList, {
      form,
      at,
      value: value as Members,
      fields: MORE_OF_ANSWER,
      onChange: onChange as (changed: Members) => void,
    }),
    tick('Use templates', value.template !== false, (isUsed) =>
      onChange(withMember(value as Members, 'template', isUsed ? undefined : false)),
    ),
  ]);
}

/** Whether an answer has members that only {@link MoreOfAnswer} shows. */
export const hasMore = (answer: AnswerForm) =>
  ['delay', 'drop', 'truncate', 'example', 'headers', 'template'].some(
    (name) => (answer as Members)[name] !== undefined,
  );

interface TilesProps {
  readonly documented: readonly DocumentedAnswer[];
  readonly onChoose: (answer: AnswerForm) => void;
}

/** The documented responses, each by one click. */
export function documentedTiles({ documented, onChoose }: TilesProps) {
  return documented.map((answer) => {
    const { key, example, description, body, isEmptyList } = answer;
    const name = example ?? (body === undefined ? 'no body' : isEmptyList ? 'empty list' : 'sample');
    return h(
      'button',
      {
        key: `${key} ${name}`,
        type: 'button',
        class: 'button framed tile',
        title: description,
        'aria-label': `${answer.status} ${name}: ${description}`,
        onClick: () => onChoose({ status: answer.status, ...(body !== undefined && { body }) }),
      },
      h('span', { class: pillOf(answer.status) }, String(answer.status)),
      ` ${name}`,
    );
  });
}

export const tile = (text: string, isChosen: boolean, onClick: () => void) =>
  button(text, onClick, { class: 'framed tile', 'aria-pressed': isChosen });
