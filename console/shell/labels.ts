import { h } from 'preact';

/** The method in its colour. */
export function methodTag(method: string, shown = method) {
  return h('span', { class: `method method-${method.toLowerCase()}` }, shown);
}

/** The classes of a status, or of a range of them such as `4XX`; 0: there was no response. */
export function pillOf(status: number | string): string {
  return `pill pill-${KINDS[String(status).charAt(0)] ?? 'none'}`;
}

const KINDS: Readonly<Record<string, string>> = {
  0: 'bad',
  1: 'info',
  2: 'good',
  3: 'info',
  4: 'warn',
  5: 'bad',
};

export function durationOf(ms: number): string {
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
