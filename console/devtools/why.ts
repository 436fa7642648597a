import { h } from 'preact';
import type { LoggedRequest } from '../wire.ts';

/** What the panel shows of the trace of a request. */
interface TraceView {
  readonly answered: {
    readonly by: string;
    /** Why that, in a sentence. */
    readonly because: string;
    readonly rule?: { readonly id: number };
  };
  readonly nearMisses: readonly { readonly rule: number; readonly but: string }[];
  readonly ignored: readonly { readonly where: string; readonly why: string }[];
  readonly violations: readonly string[];
}

/** Undefined: the mock is of a version that keeps none. */
export function traceOf(request: LoggedRequest): TraceView | undefined {
  return (request as { readonly trace?: TraceView }).trace;
}

/** Why the response is what it is, in the words of the mock. */
export function Why({ trace }: { readonly trace: TraceView }) {
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
