import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { access } from './shell/access.ts';
import { admin, explainFailure } from './shell/admin.ts';
import { connection } from './shell/connection.ts';
import {
  button,
  columnHeading,
  pageHead,
  searchField,
  skeleton,
  table,
  textInput,
} from './shell/controls.ts';
import { sessionUrl } from './shell/place.ts';
import { useLoaded } from './shell/value.ts';
import type { SessionsPage as Page, SessionView } from './wire.ts';

const PAGE_SIZE = 20;

/** In milliseconds. The list is polled, since events only concern the page's session. */
const PERIOD = 2000;

const COLUMNS = ['Session', 'Records', 'Requests', 'Rules', 'Clock', 'Latency'];

/** All sessions of the mock with their contents, and a switch between them. */
export function SessionsPage() {
  const [page, load] = useLoaded<Page | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const [offset, setOffset] = useState(0);
  const [name, setName] = useState('');

  useEffect(() => {
    const query = { offset: String(offset), limit: String(PAGE_SIZE), name };
    const ask = () =>
      load(admin<Page>('sessions', { query })).then(
        () => setProblem(''),
        (error) => setProblem(explainFailure(error)),
      );
    const timer = setInterval(() => {
      if (!document.hidden && connection.get() === 'live') ask();
    }, PERIOD);
    ask();
    return () => clearInterval(timer);
  }, [offset, name]);

  const total = page?.total ?? 0;
  return h('div', { class: 'stack' }, [
    pageHead(
      'Sessions',
      searchField('Search sessions', name, (text) => {
        setOffset(0);
        setName(text);
      }),
      h('span', { class: 'soft count' }, total === 1 ? '1 session' : `${total} sessions`),
      h(NewSession, {}),
    ),
    h('p', { class: 'problem', role: 'alert' }, problem),
    !page && problem === '' && skeleton(),
    page &&
      table(
        'Sessions',
        COLUMNS.map((title) => columnHeading(title)),
        page.sessions.map((session) =>
          h(Row, { key: session.name, session, isCurrent: session.name === access().session }),
        ),
      ),
    total > PAGE_SIZE &&
      h('div', { class: 'toolbar' }, [
        button('Previous', () => setOffset(offset - PAGE_SIZE), { disabled: offset === 0 }),
        button('Next', () => setOffset(offset + PAGE_SIZE), { disabled: offset + PAGE_SIZE >= total }),
        h('span', { class: 'soft' }, `${offset + 1} to ${Math.min(offset + PAGE_SIZE, total)} of ${total}`),
      ]),
  ]);
}

/** A session is created on first use, also by the console. */
function NewSession() {
  const [name, setName] = useState('');
  const open = (event: Event) => {
    event.preventDefault();
    if (name !== '') location.assign(sessionUrl(name, 'requests'));
  };
  return h('form', { class: 'toolbar push', onSubmit: open }, [
    textInput(name, setName, {
      'aria-label': 'Session name',
      placeholder: 'New or existing session',
      pattern: '[A-Za-z0-9._\\-]{1,64}',
      title: 'Use 1 to 64 letters, digits or the characters . _ -',
    }),
    h('button', { class: 'button', type: 'submit' }, 'Open'),
  ]);
}

/** The most collections to list per session; others are in the title. */
const MOST_NAMED = 4;

function Row({ session, isCurrent }: { readonly session: SessionView; readonly isCurrent: boolean }) {
  const { name, records, requests, rules, now, latency } = session;
  const label = name === '' ? '(default)' : name;
  return h('tr', { class: isCurrent ? 'current' : undefined }, [
    h('th', { scope: 'row' }, [
      isCurrent
        ? [label, ' ', h('span', { class: 'chip' }, 'current')]
        : h('a', { href: sessionUrl(name, 'sessions'), 'aria-label': `Show session ${label}` }, label),
    ]),
    h('td', { title: recordsText(records, Number.POSITIVE_INFINITY) }, recordsText(records, MOST_NAMED)),
    h('td', {}, String(requests)),
    h('td', {}, String(rules)),
    h('td', {}, now?.slice(0, 19).replace('T', ' ') ?? 'real time'),
    h('td', {}, latency === 0 ? 'none' : `${latency} ms`),
  ]);
}

function recordsText(records: Readonly<Record<string, number>>, most: number): string {
  const all = Object.entries(records).map(([path, count]) => `${path} ${count}`);
  if (all.length === 0) return 'no collections';
  const others = all.length - most;
  return all.slice(0, most).join(', ') + (others > 0 ? ` and ${others} more` : '');
}
