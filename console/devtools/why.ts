import { h } from 'preact';
import type { Trace } from '../wire.ts';

/** Why the response is what it is, in the words of the mock. */
export function Why({ trace }: { readonly trace: Trace }) {
  const { answered, nearMisses, ignored, violations } = trace;
  return h(
    'section',
    { class: 'why' },
    h('h2', {}, 'Why this response'),
    h('p', {}, answered.because),
    h(
      'ul',
      {},
      nearMisses.map(({ rule, but }) => h('li', { key: rule }, `Rule ${rule} does not apply: ${but}`)),
      ignored.map(({ where, why }) =>
        h('li', { key: where }, h('code', {}, where), ` has no effect: ${why}`),
      ),
      violations.map((text) => h('li', { key: text, class: 'violation' }, text)),
    ),
  );
}
