import { Fragment, h } from 'preact';
import type { LoggedRequest } from '../wire.ts';

/** One request of the list. */
export function RequestRow({ request }: { readonly request: LoggedRequest }) {
  const { at, method, target, status, ms, code } = request;
  return h(
    Fragment,
    {},
    h('span', { class: 'row-time' }, timeOf(at)),
    h('span', { class: `row-method method-${method.toLowerCase()}` }, method),
    h('span', { class: 'row-target', title: target }, target),
    h('span', { class: 'row-code' }, code ?? ''),
    h('span', { class: `row-status ${statusClass(status)}` }, status === 0 ? 'drop' : String(status)),
    h('span', { class: 'row-ms' }, durationOf(ms)),
  );
}

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});

/** The time of day where the person is, with milliseconds. */
export function timeOf(at: string): string {
  const date = new Date(at);
  return `${CLOCK.format(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

export function durationOf(ms: number): string {
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

export function statusClass(status: number): string {
  if (status === 0 || status >= 500) return 'status-bad';
  if (status >= 400) return 'status-warn';
  return status >= 300 ? 'status-info' : 'status-good';
}
