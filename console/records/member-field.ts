import { Fragment, h, type TargetedEvent } from 'preact';
import { stringifyJson } from '../shell/exact-json.ts';
import { SourceExcerpt } from '../shell/source-excerpt.ts';
import type { MemberView, RecordProblem } from '../wire.ts';
import { isText } from './draft.ts';

interface MemberFieldProps {
  readonly member: MemberView;
  readonly text: string;
  /** Of this member, or of something inside. */
  readonly problems: readonly RecordProblem[];
  readonly isFixed: boolean;
  /** Shown while the field is empty. */
  readonly placeholder: string;
  readonly onInput: (text: string) => void;
}

/** The field of one member, with what is wrong with it and the line that says so. */
export function MemberField({ member, text, problems, isFixed, placeholder, onInput }: MemberFieldProps) {
  const { name, required, readOnly, description } = member;
  const id = `field-${name}`;
  const shared = {
    id,
    value: text,
    readOnly: isFixed,
    'aria-invalid': problems.length > 0,
    'aria-describedby': `${id}-hint ${id}-problems`,
  };
  const type = typeText(member);
  return h(
    'div',
    { class: 'field' },
    h(
      'label',
      { for: id },
      h('span', { class: 'field-name' }, name),
      required && !readOnly && h('span', { class: 'field-required' }, 'required'),
      readOnly && h('span', { class: 'chip' }, 'set by the service'),
    ),
    h(Control, { member, shared, placeholder, onInput }),
    h('p', { id: `${id}-hint`, class: 'hint' }, description ? `${type} – ${description}` : type),
    h(Problems, { id: `${id}-problems`, name, problems }),
  );
}

interface ControlProps {
  readonly member: MemberView;
  readonly shared: { readonly id: string; readonly value: string; readonly readOnly: boolean };
  readonly placeholder: string;
  readonly onInput: (text: string) => void;
}

function Control({ member, shared, placeholder, onInput }: ControlProps) {
  const { type, values, nullable } = member;
  const choices = values ?? (type === 'boolean' ? [true, false, ...(nullable ? [null] : [])] : undefined);
  if (choices) {
    const texts = choices.map((one) =>
      isText(member) && typeof one === 'string' ? one : stringifyJson(one),
    );
    // What is there may be none of them.
    const all = [...new Set(['', ...texts, shared.value])];
    return h(
      'select',
      {
        ...shared,
        onChange: (event: TargetedEvent<HTMLSelectElement>) => onInput(event.currentTarget.value),
      },
      all.map((one) => h('option', { key: one, value: one }, one === '' ? '(absent)' : one)),
    );
  }
  if (type === 'object' || type === 'array' || shared.value.includes('\n'))
    return h('textarea', {
      ...shared,
      placeholder: placeholder || 'JSON',
      spellcheck: false,
      rows: Math.min(12, Math.max(3, shared.value.split('\n').length)),
      onInput: (event: TargetedEvent<HTMLTextAreaElement>) => onInput(event.currentTarget.value),
    });
  return h('input', {
    ...shared,
    placeholder,
    autocomplete: 'off',
    inputMode: type === 'integer' ? 'numeric' : type === 'number' ? 'decimal' : 'text',
    onInput: (event: TargetedEvent<HTMLInputElement>) => onInput(event.currentTarget.value),
  });
}

function typeText({ type, format, nullable }: MemberView): string {
  const base = type ?? 'any type';
  return [format ? `${base} (${format})` : base, nullable ? 'or null' : ''].filter(Boolean).join(' ');
}

interface ProblemsProps {
  readonly id: string;
  /** The member that the reader sees already. */
  readonly name: string;
  readonly problems: readonly RecordProblem[];
}

export function Problems({ id, name, problems }: ProblemsProps) {
  return h(
    'ul',
    { id, class: 'problems' },
    problems.map(({ pointer, message, at }) => {
      const inner = pointer.slice(1).replaceAll('/', '.');
      return h(
        'li',
        { key: `${pointer} ${message}`, class: 'problem' },
        inner !== name && inner !== '' && h(Fragment, {}, h('code', {}, inner), ' '),
        message,
        at !== undefined && h('details', {}, h('summary', {}, at), h(SourceExcerpt, { at, isNamed: false })),
      );
    }),
  );
}
