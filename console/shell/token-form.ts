import { h } from 'preact';
import { useState } from 'preact/hooks';
import { admin, explainFailure } from './admin.ts';
import { SERVER } from './place.ts';
import { enterToken } from './token.ts';

/** Asks for the token that the mock was started with. */
export function TokenForm() {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');

  async function enter(event: Event): Promise<void> {
    event.preventDefault();
    const given = text.trim();
    if (given === '') return setProblem('Enter the token.');
    setProblem('');
    try {
      await admin('contract', { token: given });
      enterToken(given);
    } catch (error) {
      setProblem(explainFailure(error));
    }
  }

  return h(
    'form',
    { class: 'card token-form', onSubmit: enter },
    h('h2', {}, `This ${SERVER} needs a token`),
    h(
      'p',
      {},
      'It was started with ',
      h('code', {}, '--admin-token'),
      '. The token stays in this browser tab.',
    ),
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
    h('button', { class: 'button primary', type: 'submit' }, 'Open the console'),
  );
}
