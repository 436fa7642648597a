import { type ComponentChild, h } from 'preact';
import { useState } from 'preact/hooks';

interface TokenFormProps {
  readonly class: string;
  readonly heading?: ComponentChild;
  /** How long the token is kept. */
  readonly kept: string;
  readonly action: string;
  /** @returns what is wrong with the token; undefined: it is not known yet, or nothing */
  readonly onEnter: (token: string) => Promise<string | undefined>;
}

/** Asks for the token that the mock was started with. */
export function TokenForm({ class: name, heading, kept, action, onEnter }: TokenFormProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');

  async function enter(event: Event): Promise<void> {
    event.preventDefault();
    const given = text.trim();
    setProblem('');
    setProblem(given === '' ? 'Enter the token.' : ((await onEnter(given)) ?? ''));
  }

  return h('form', { class: name, onSubmit: enter }, [
    heading,
    h('p', {}, 'It was started with ', h('code', {}, '--admin-token'), `. ${kept}`),
    h('label', { for: 'token' }, 'Token'),
    h('input', {
      id: 'token',
      type: 'password',
      autocomplete: 'off',
      value: text,
      'aria-invalid': problem !== '',
      'aria-describedby': 'token-problem',
      onInput: (event) => setText(event.currentTarget.value),
    }),
    h('p', { id: 'token-problem', class: 'problem', role: 'alert' }, problem),
    h('button', { class: 'button primary', type: 'submit' }, action),
  ]);
}
