import { h } from 'preact';

/** The method in its colour. */
export function methodTag(method: string, label = method) {
  return h('span', { class: `method method-${method.toLowerCase()}` }, label);
}

/** The classes of a status, or of a range such as `4XX`; 0: there was no response. */
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

/** The method in its colour, abbreviated. */
export function shortMethodTag(method: string) {
  return methodTag(method, method === 'DELETE' ? 'DEL' : method);
}

/** SVG paths in a view box of 16 by 16. */
const STROKES = {
  start: 'M2.5 7.5 8 2.8l5.5 4.7M4 6.5v6.7h8V6.5M6.8 13.2V9.5h2.4v3.7',
  requests: 'M2.5 5h9M9 2.5 11.5 5 9 7.5M13.5 11h-9M7 8.5 4.5 11 7 13.5',
  records: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M6 6.5v6',
  scenarios:
    'M4.5 2.5v11M4.5 5.5c0 3 7 1.5 7 5M11.5 10.5v3M2.8 4.2 4.5 2.5l1.7 1.7M9.8 4.2a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0',
  webhooks: 'M2.5 8h7M7 5l3 3-3 3M9.5 2.5h4v11h-4',
  changes: 'M8 2.5v5M5.5 5h5M5.5 11h5M2.5 13.5h11',
  sessions: 'M2.5 5.5 8 2.5l5.5 3L8 8.5zM2.5 8.2 8 11.2l5.5-3M2.5 10.9l5.5 3 5.5-3',
  reference: 'M8 4c-1.5-1-3.5-1.3-5.5-1v9.5c2-.3 4 0 5.5 1 1.5-1 3.5-1.3 5.5-1V3c-2-.3-4 0-5.5 1zM8 4v9.5',
  findings: 'M8 2.5 14 13.5H2zM8 6.5v3.3M8 11.6v.1',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9M10.3 10.3l3.2 3.2',
  add: 'M8 3v10M3 8h10',
  remove: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9M7 7v4M9 7v4',
  edit: 'm3 13 .6-2.6 7.2-7.2 2 2-7.2 7.2zM9.3 4.7l2 2',
  download: 'M8 2.5v7.5M5 7.2l3 3 3-3M2.5 13.5h11',
  upload: 'M8 10.5V3M5 5.8l3-3 3 3M2.5 13.5h11',
  sample: 'M8 2.5v3M8 10.5v3M2.5 8h3M10.5 8h3M4.2 4.2l1.8 1.8M10 10l1.8 1.8M11.8 4.2 10 6M6 10l-1.8 1.8',
  right: 'M2.5 3.5h11v9h-11zM10 3.5v9',
  bottom: 'M2.5 3.5h11v9h-11zM2.5 9h11',
  up: 'm4 9.5 4-4 4 4',
  down: 'm4 6.5 4 4 4-4',
  next: 'm6.5 4 4 4-4 4',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11M8 5v3.2l2 1.3',
  latency: 'M2.5 8h2l1.5-4 3 8 1.5-4h3',
  drag: 'M6 4v.1M10 4v.1M6 8v.1M10 8v.1M6 12v.1M10 12v.1',
  run: 'M5 3.2 12.5 8 5 12.8z',
  link: 'M6.8 9.2a2.3 2.3 0 0 0 3.3 0l2.2-2.2a2.3 2.3 0 0 0-3.3-3.3l-.8.8M9.2 6.8a2.3 2.3 0 0 0-3.3 0L3.7 9a2.3 2.3 0 0 0 3.3 3.3l.8-.8',
} as const satisfies Readonly<Record<string, string>>;

export type IconName = keyof typeof STROKES;

/** Hidden from screen readers, since it stands beside a text. */
export function icon(name: IconName) {
  return h('svg', { class: 'icon', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, [
    h('path', { d: STROKES[name] }),
  ]);
}
