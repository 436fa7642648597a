import { h } from 'preact';

interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  /** Empty: there is none. */
  readonly problem: string;
  readonly onInput: (text: string) => void;
}

/** A line of text with a hint and what is wrong with it. */
export function TextField({ id, label, hint, value, problem, onInput }: TextFieldProps) {
  return h('div', { class: 'field' }, [
    h('label', { for: id }, label),
    h('input', {
      id,
      value,
      autocomplete: 'off',
      'aria-invalid': problem !== '',
      'aria-describedby': `${id}-hint ${id}-problem`,
      onInput: (event) => onInput(event.currentTarget.value),
    }),
    h('span', { id: `${id}-hint`, class: 'soft hint' }, hint),
    h('span', { id: `${id}-problem`, class: 'problem' }, problem),
  ]);
}
