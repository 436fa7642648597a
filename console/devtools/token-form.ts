import { h } from 'preact';
import { useState } from 'preact/hooks';

/** Asks for the token of a mock that was started with one; it stays in the memory of the page. */
export function TokenForm({ onEnter }: { readonly onEnter: (token: string) => void }) {
  const [text, setText] = useState('');
  return h(
    'form',
    {
      class: 'token-form',
      onSubmit: (event) => {
        event.preventDefault();
        if (text.trim() !== '') onEnter(text.trim());
      },
    },
    h(
      'p',
      {},
      'This mock was started with ',
      h('code', {}, '--admin-token'),
      '. The token is kept until the page is left.',
    ),
    h('label', { for: 'token' }, 'Token'),
    h('input', {
      id: 'token',
      type: 'password',
      autocomplete: 'off',
      value: text,
      onInput: (event) => setText(event.currentTarget.value),
    }),
    h('button', { type: 'submit', class: 'primary' }, 'Connect'),
  );
}
