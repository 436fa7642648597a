import { h } from 'preact';
import { sessionUrl } from '../shell/place.ts';
import type { SessionView } from '../wire.ts';

/** How many collections of a session are named; the others are in the title. */
const MOST_NAMED = 4;

export function SessionTable({
  sessions,
  current,
}: {
  readonly sessions: readonly SessionView[];
  readonly current: string;
}) {
  return h(
    'div',
    { class: 'card table-box', tabIndex: 0, role: 'region', 'aria-label': 'Sessions and what they hold' },
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['Session', 'Records', 'Requests', 'Rules', 'Clock', 'Latency'].map((title) =>
            h('th', { key: title, scope: 'col' }, title),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        sessions.map((session) =>
          h(Row, { key: session.name, session, isCurrent: session.name === current }),
        ),
      ),
    ),
  );
}

function Row({ session, isCurrent }: { readonly session: SessionView; readonly isCurrent: boolean }) {
  const { name, records, requests, rules, now, latency } = session;
  const shown = name === '' ? 'without a name' : name;
  return h(
    'tr',
    { class: isCurrent ? 'current' : undefined },
    h(
      'th',
      { scope: 'row' },
      isCurrent
        ? [shown, ' ', h('span', { class: 'chip' }, 'shown')]
        : h('a', { href: sessionUrl(name, 'sessions'), 'aria-label': `Show session ${shown}` }, shown),
    ),
    h('td', { title: recordsText(records, Number.POSITIVE_INFINITY) }, recordsText(records, MOST_NAMED)),
    h('td', {}, String(requests)),
    h('td', {}, String(rules)),
    h('td', {}, now?.slice(0, 19).replace('T', ' ') ?? 'real time'),
    h('td', {}, latency === 0 ? 'none' : `${latency} ms`),
  );
}

function recordsText(records: Readonly<Record<string, number>>, most: number): string {
  const all = Object.entries(records).map(([path, count]) => `${path} ${count}`);
  if (all.length === 0) return 'no collection';
  const others = all.length - most;
  return all.slice(0, most).join(', ') + (others > 0 ? ` and ${others} more` : '');
}
