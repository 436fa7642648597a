import { Fragment, h } from 'preact';
import { durationOf, pillOf } from '../shell/labels.ts';
import type { LoggedRequest } from '../wire.ts';
import { noteOf } from './repeats.ts';

export function RequestRow({ request, times }: { readonly request: LoggedRequest; readonly times: number }) {
  const { at, method, target, status, ms, operation } = request;
  // Also includes the problem.
  const note = [operation, noteOf(request)].filter(Boolean).join(': ');
  return h(Fragment, {}, [
    h('span', { class: 'row-time' }, timeOf(at)),
    h('span', { class: `row-method method method-${method.toLowerCase()}` }, method),
    h('span', { class: 'row-target', title: target }, [target, h('span', { class: 'soft' }, ` ${note}`)]),
    h(
      'span',
      { class: 'row-chips' },
      times > 1 && h('span', { class: 'chip' }, `×${times}`),
      h(RequestChips, { request: { ...request, code: undefined }, most: 2 }),
    ),
    h('span', { class: `row-status ${pillOf(status)}` }, status === 0 ? 'drop' : String(status)),
    h('span', { class: 'row-ms' }, durationOf(ms)),
  ]);
}

interface ChipsProps {
  readonly request: LoggedRequest;
  readonly most?: number;
}

/** Special properties of a request: what decided the response, and errors. */
export function RequestChips({ request, most = Number.POSITIVE_INFINITY }: ChipsProps) {
  return h(Fragment, {}, [
    chipsOf(request)
      .slice(0, most)
      .map(([text, kind]) => h('span', { key: text, class: `chip ${kind}` }, text)),
  ]);
}

function chipsOf({ code, response, trace, deprecated }: LoggedRequest): [text: string, kind: string][] {
  const { answered, ignored, nearMisses } = trace;
  const { source, violations: broken = [] } = response;
  const chips: [text: string, kind: string][] = [];
  if (answered.rule) chips.push([`rule ${answered.rule.id}`, 'signal']);
  if (answered.by === 'Prefer') chips.push(['Prefer', 'signal']);
  if (code !== undefined && code !== 'forced') chips.push([code, 'bad']);
  if (ignored.length > 0) {
    const names = ignored.map(({ where }) => nameIn(where));
    chips.push([
      `ignored ${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ', …' : ''}`,
      'warn',
    ]);
  }
  const misses = nearMisses.filter(({ of }) => !OF_OTHERS.has(of));
  const [miss] = misses;
  if (miss)
    chips.push([misses.length === 1 ? `not rule ${miss.rule}` : `not ${misses.length} rules`, 'violet']);
  if (broken.length > 0) chips.push([`${broken.length} broken`, 'bad']);
  else if (trace.violations.length > 0) chips.push(['against the document', 'bad']);
  if (answered.by === 'example' || answered.by === 'sample') chips.push([answered.by, 'info']);
  if (source !== undefined) chips.push([source, 'info']);
  if (deprecated !== undefined) chips.push(['deprecated', '']);
  return chips;
}

/** The most ignored parts in one chip. */
const MOST_NAMED = 3;

/** A rule for another record or operation is expected to miss most requests. */
const OF_OTHERS: ReadonlySet<string> = new Set(['operation', 'tag', 'method', 'path']);

const nameIn = (where: string) => where.replace(/^query\./, '?');

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});

/** The local time of day, with milliseconds. */
export function timeOf(at: string): string {
  const date = new Date(at);
  return `${CLOCK.format(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
