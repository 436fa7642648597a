import { h, type TargetedEvent } from 'preact';

interface RuleFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  /** Empty: there is none. */
  readonly problem: string;
  readonly onInput: (text: string) => void;
}

export function RuleField({ name, label, hint, value, problem, onInput }: RuleFieldProps) {
  const id = `rule-${name}`;
  const shared = {
    id,
    value,
    'aria-invalid': problem !== '',
    'aria-describedby': `${id}-hint ${id}-problem`,
    onInput: (event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onInput(event.currentTarget.value),
  };
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    name === 'body' ? h('textarea', { ...shared, rows: 3 }) : h('input', { ...shared, autocomplete: 'off' }),
    h('span', { id: `${id}-hint`, class: 'soft hint' }, hint),
    h('span', { id: `${id}-problem`, class: 'problem' }, problem),
  );
}
