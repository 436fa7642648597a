import { type ComponentChildren, Fragment, h, type TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isObject } from '../reference/document.ts';
import { DocumentLines } from '../shell/contract.ts';
import { button, choice, iconButton } from '../shell/controls.ts';
import { useAsked } from '../shell/value.ts';
import { count } from '../shell/words.ts';
import type { FieldView } from '../wire.ts';
import { slipText } from './json-place.ts';
import {
  fieldOf,
  hintText,
  type Members,
  momentOf,
  pickerText,
  pointerTo,
  readText,
  textOf,
  withMember,
} from './member-value.ts';
import { type OfferedRecord, offeredRecords } from './offered-records.ts';

/** A problem with a value, at a JSON Pointer. */
export interface FormProblem {
  readonly pointer: string;
  readonly message: string;
  /** The line of the document. */
  readonly at?: string | undefined;
}

/** What all fields of a form share. */
export interface Form {
  /** The prefix of its fields' ids. */
  readonly name: string;
  readonly problems: readonly FormProblem[];
  /** The collection to whose records the value at a pointer refers. Undefined: none. */
  readonly referenceAt?: (pointer: string) => string | undefined;
  readonly isFixed?: (pointer: string) => boolean;
  /** The placeholder of an empty field. */
  readonly placeholderOf?: (field: FieldView, pointer: string) => string;
}

interface FieldProps {
  readonly form: Form;
  readonly field: FieldView;
  /** A JSON Pointer. */
  readonly at: string;
  readonly isItem?: boolean;
  /** Undefined: it is absent. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

export const fieldId = ({ name }: Pick<Form, 'name'>, pointer: string) => name + pointer.replaceAll('/', '-');

/** A value by its schema: a group for an object, rows for a list, a picker, or a line of text. */
export function Field(props: FieldProps) {
  const { field, value } = props;
  const isGroup = field.type === 'object' && (field.members?.length || field.open);
  // Null until something is added.
  const content = value ?? undefined;
  if (isGroup && (content === undefined || isObject(content))) return h(Group, { ...props, value: content });
  if (field.items && (content === undefined || Array.isArray(content)))
    return h(Rows, { ...props, value: content });
  return h(Line, props);
}

/** A field for each member, and for further ones if the schema allows them. */
export function MemberFields({
  form,
  members,
  isOpen,
  at,
  value,
  onChange,
}: Omit<FieldProps, 'field' | 'value'> & {
  readonly members: readonly FieldView[];
  readonly isOpen: boolean;
  readonly value: Members;
}) {
  const named = new Set(members.map(({ name }) => name));
  const others = Object.keys(value).filter((name) => !named.has(name));
  const set = (name: string) => (changed: unknown) => onChange(withMember(value, name, changed));
  return h(Fragment, {}, [
    members.map((field) =>
      h(Field, {
        key: field.name,
        form,
        field,
        at: pointerTo(at, field.name),
        value: value[field.name],
        onChange: set(field.name),
      }),
    ),
    (isOpen || others.length > 0) &&
      h(OtherMembers, { form, at, value, names: others, isBare: members.length === 0, onChange }),
  ]);
}

interface OtherProps extends Omit<FieldProps, 'field' | 'value'> {
  readonly value: Members;
  readonly names: readonly string[];
  /** Whether there are no named members. */
  readonly isBare: boolean;
}

/** Members that no schema names; the last row adds one. */
function OtherMembers({ form, at, value, names, isBare, onChange }: OtherProps) {
  const added = useRef('');
  const id = `${fieldId(form, at)}-others`;
  useEffect(() => {
    if (added.current !== '')
      document.activeElement?.closest('form')?.querySelector<HTMLElement>(`[id="${added.current}"]`)?.focus();
    added.current = '';
  });
  return h('div', { class: 'other-fields' }, [
    names.map((name) =>
      h('div', { key: name, class: 'form-row' }, [
        h(Field, {
          form,
          field: fieldOf(name),
          at: pointerTo(at, name),
          value: value[name],
          onChange: (changed) => onChange({ ...value, [name]: changed ?? '' }),
        }),
        iconButton('remove', `Remove ${name}`, () => onChange(withMember(value, name, undefined)), {
          class: 'small',
        }),
      ]),
    ),
    h('div', { class: 'field' }, [
      h('label', { for: id }, isBare ? 'Add a name' : 'Other fields'),
      h('input', {
        id,
        autocomplete: 'off',
        placeholder: 'name',
        onKeyDown: (event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          event.currentTarget.blur();
        },
        onChange: (event) => {
          const { value: name } = event.currentTarget;
          event.currentTarget.value = '';
          if (name === '' || Object.hasOwn(value, name)) return;
          added.current = fieldId(form, pointerTo(at, name));
          onChange({ ...value, [name]: '' });
        },
      }),
    ]),
  ]);
}

/** A fieldset with its content and the problems of the whole value. */
function Frame({
  form,
  field,
  at,
  children,
}: Omit<FieldProps, 'value' | 'onChange'> & { readonly children?: ComponentChildren }) {
  const { name, title = name, description } = field;
  return h('fieldset', { class: 'group', id: fieldId(form, at), tabIndex: -1 }, [
    h('legend', {}, title, h(Marks, { field })),
    description !== undefined && h('p', { class: 'hint' }, description),
    children,
    h(Problems, {
      id: `${fieldId(form, at)}-problems`,
      problems: form.problems.filter((problem) => problem.pointer === at),
    }),
  ]);
}

function Group({ value, ...props }: FieldProps & { readonly value: Members | undefined }) {
  const { field, isItem, onChange } = props;
  const { name, title = name, required, members = [], open = false } = field;
  // A map's entries are added directly.
  const isMap = members.length === 0;
  const isShown = value !== undefined || required || isItem || isMap;
  return h(Frame, props, [
    isShown && h(MemberFields, { ...props, members, isOpen: open, value: value ?? {} }),
    !isShown && button(`Add ${title}`, () => onChange({}), { class: 'small', icon: 'add' }),
    isShown &&
      !required &&
      !isMap &&
      button(`Remove ${title}`, () => onChange(undefined), { class: 'small quiet' }),
  ]);
}

/** The value of a new row: the smallest of its type. */
function emptyItem({ type, values }: FieldView): unknown {
  if (values) return values[0];
  return { object: {}, array: [], boolean: false, number: 0, integer: 0, null: null }[type ?? ''] ?? '';
}

function Rows({ value = [], ...props }: FieldProps & { readonly value: readonly unknown[] | undefined }) {
  const { form, field, at, onChange } = props;
  const { name, title = name, items = fieldOf('') } = field;
  const set = (index: number, item: unknown) =>
    onChange(value.map((one, other) => (other === index ? item : one)));
  return h(Frame, props, [
    h('ol', { class: 'form-rows' }, [
      value.map((item, index) =>
        h('li', { key: index, class: 'form-row' }, [
          h(Field, {
            form,
            field: { ...items, title: `${title} ${index + 1}` },
            at: pointerTo(at, index),
            value: item,
            isItem: true,
            onChange: (changed: unknown) => set(index, changed ?? ''),
          }),
          iconButton(
            'remove',
            `Remove ${title} ${index + 1}`,
            () => onChange(value.filter((_, other) => other !== index)),
            { class: 'small' },
          ),
        ]),
      ),
    ]),
    button(`Add to ${title}`, () => onChange([...value, emptyItem(items)]), { class: 'small', icon: 'add' }),
  ]);
}

function Marks({ field: { required, readOnly } }: Pick<FieldProps, 'field'>) {
  return h(Fragment, {}, [
    required && !readOnly && h('span', { class: 'field-required' }, 'required'),
    readOnly && h('span', { class: 'chip' }, 'read-only'),
  ]);
}

/** One control with its label, hint and problems. */
function Line(props: FieldProps) {
  const { form, field, at } = props;
  const { name, title = name } = field;
  const id = fieldId(form, at);
  const slip = isJson(field) && typeof props.value === 'string' && slipText(props.value);
  const problems = slip
    ? [{ pointer: at, message: slip }]
    : form.problems.filter(({ pointer }) => pointer === at || pointer.startsWith(`${at}/`));
  const hint = hintText(field);
  return h('div', { class: 'field' }, [
    h('label', { for: id }, h('span', { class: 'field-name' }, title), h(Marks, { field })),
    h(Control, {
      ...props,
      attributes: {
        id,
        'aria-invalid': problems.length > 0,
        'aria-describedby': `${id}-hint ${id}-problems`,
        readOnly: form.isFixed?.(at) ?? false,
        placeholder: form.placeholderOf?.(field, at) ?? '',
      },
    }),
    hint !== '' && h('p', { id: `${id}-hint`, class: 'hint' }, hint),
    h(Problems, { id: `${id}-problems`, problems, within: at }),
  ]);
}

/** Whether it is entered as JSON. */
const isJson = ({ type }: FieldView) => type === 'object' || type === 'array';

interface ControlProps extends FieldProps {
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The input types for dates, by `format`. */
const PICKERS: Readonly<Record<string, string>> = { date: 'date', 'date-time': 'datetime-local' };

/** An input for a value: a select, a picker, or text. */
export function Control({ form, field, at, value, onChange, attributes }: ControlProps) {
  const { type, format = '', values, nullable } = field;
  /** As typed: `1.` may become a number. */
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const plain = textOf(field, value);
  const text = typed !== undefined && textOf(field, readText(field, typed)) === plain ? typed : plain;
  const collection = form.referenceAt?.(at);
  const type_ = (entered: string) => {
    setTyped(entered);
    onChange(entered === '' ? undefined : readText(field, entered));
  };
  const choices = values ?? (type === 'boolean' ? [true, false] : undefined);
  if (choices) {
    const items = [...choices, ...(nullable && !choices.includes(null) ? [null] : [])];
    const texts = items.map((item) => (item === null ? 'null' : textOf(field, item)));
    const chosen = value === null ? 'null' : plain;
    // The current value may be none of the options.
    const options = [...new Set(['', ...texts, chosen])].map(
      (one) => [one, one === '' ? '(not set)' : one] as const,
    );
    const choose = (one: string) =>
      onChange(one === '' ? undefined : texts.includes(one) ? items[texts.indexOf(one)] : value);
    return choice(chosen, options, choose, attributes);
  }
  const input = (event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    type_(event.currentTarget.value);
  if (isJson(field) || text.includes('\n'))
    return h('textarea', {
      ...attributes,
      value: text,
      spellcheck: false,
      onInput: input,
      rows: Math.min(12, Math.max(3, text.split('\n').length)),
    });
  const picker = PICKERS[format];
  const picked = picker && pickerText(format, plain);
  if (picked !== undefined)
    return h('input', {
      ...attributes,
      type: picker,
      value: picked,
      step: format === 'date' ? undefined : 1,
      onInput: (event) => onChange(momentOf(format, event.currentTarget.value)),
    });
  const list = collection && `${attributes.id}-records`;
  return h(Fragment, {}, [
    h('input', {
      ...attributes,
      value: text,
      autocomplete: 'off',
      list,
      onInput: input,
      inputMode: type === 'integer' ? 'numeric' : type === 'number' ? 'decimal' : 'text',
    }),
    list && h(RecordOptions, { id: list, collection }),
  ]);
}

/** The records of a collection, to choose by id or name. */
function RecordOptions({ id, collection }: { readonly id: string; readonly collection: string }) {
  const records = useAsked<readonly OfferedRecord[]>([], () => offeredRecords(collection), [collection]);
  return h('datalist', { id }, [
    records.map(({ id, label }) => h('option', { key: id, value: id, label: label || undefined })),
  ]);
}

interface ProblemsProps {
  readonly id: string;
  readonly problems: readonly FormProblem[];
  /** The pointer of the visible value. */
  readonly within?: string;
}

function Problems({ id, problems, within }: ProblemsProps) {
  return h('ul', { id, class: 'problems' }, [
    problems.map(({ pointer, message, at }) =>
      h('li', { key: `${pointer} ${message}`, class: 'problem' }, [
        within !== undefined &&
          pointer !== within &&
          h(Fragment, {}, h('code', {}, shownPointer(pointer)), ' '),
        message,
        at !== undefined && h(DocumentLines, { places: [at] }),
      ]),
    ),
  ]);
}

const shownPointer = (pointer: string) => pointer.slice(1).replaceAll('/', '.');

interface ErrorsProps {
  readonly form: Form;
  /** What failed: `The record was not saved`. */
  readonly title: string;
  /** The mock's message about the whole value; empty: none. */
  readonly failure: string;
  /** Changes with each attempt, to move the focus to the errors. */
  readonly attempt: number;
}

/** All errors beside the submit button, each with a link to its field. */
export function Errors({ form, title, failure, attempt }: ErrorsProps) {
  const box = useRef<HTMLDivElement>(null);
  const { problems } = form;
  const isWrong = problems.length > 0 || failure !== '';
  useEffect(() => {
    if (attempt > 0 && isWrong) box.current?.focus();
  }, [attempt]);
  const lead = (pointer: string) => (event: Event) => {
    event.preventDefault();
    const all = (event.currentTarget as HTMLElement).closest('form');
    let ancestor = pointer;
    const find = () => all?.querySelector<HTMLElement>(`[id="${fieldId(form, ancestor)}"]`);
    while (ancestor !== '' && !find()) ancestor = ancestor.slice(0, ancestor.lastIndexOf('/'));
    const element = find();
    for (let within = element?.closest('details'); within; within = within.parentElement?.closest('details'))
      within.open = true;
    element?.focus();
  };
  return h('div', { ref: box, class: 'errors', role: 'alert', tabIndex: -1 }, [
    isWrong && h('p', { class: 'problem' }, [failure || `${title}: ${count(problems.length, 'error')}.`]),
    h('ul', {}, [
      problems.map(({ pointer, message }) =>
        h('li', { key: `${pointer} ${message}`, class: 'problem' }, [
          pointer !== '' &&
            h('a', { href: `#${fieldId(form, pointer)}`, onClick: lead(pointer) }, shownPointer(pointer)),
          ` ${message}`,
        ]),
      ),
    ]),
  ]);
}
