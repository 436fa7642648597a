import type { MockRequest } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import type { RecordCollection } from '../records/collection.ts';
import { delayJson, NO_DELAY } from '../sessions/preferences/delay.ts';
import type { Session } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type Handler, jsonResponse } from './control.ts';
import { countRecords } from './find-records.ts';

/** A session and its contents. */
export interface SessionView {
  /** Empty: the default session. */
  readonly name: string;
  /** The number of records by collection path, for the first {@link MOST_COLLECTIONS} collections. */
  readonly records: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly rules: number;
  /** RFC 3339, UTC. Undefined: it uses real time. */
  readonly now: string | undefined;
  readonly latency: number | string;
}

export interface SessionsPage {
  /** On all pages. */
  readonly total: number;
  readonly sessions: readonly SessionView[];
}

const USUAL_PAGE = 20;
const LONGEST_PAGE = 100;

/** A document may have a thousand, and each is counted for each session. */
const MOST_COLLECTIONS = 50;

/**
 * `GET /__admin/sessions?offset=&limit=&name=`: the default session, then the others, the last used first; `name` filters
 * by a part of the name. Listing neither creates sessions nor counts as using them.
 */
export function sessionsEndpoint(
  sessions: Sessions,
  collections: readonly RecordCollection[],
): Readonly<Record<string, Handler>> {
  return { GET: (request) => listSessions(request, sessions, collections.slice(0, MOST_COLLECTIONS)) };
}

async function listSessions(
  { query }: MockRequest,
  { all }: Sessions,
  collections: readonly RecordCollection[],
): Promise<Outcome> {
  const parameters = new URLSearchParams(query);
  const offset = wholeNumber(parameters.get('offset') ?? '0', 0, Number.MAX_SAFE_INTEGER);
  const limit = wholeNumber(parameters.get('limit') ?? String(USUAL_PAGE), 1, LONGEST_PAGE);
  if (offset === undefined || limit === undefined) {
    const message = `offset must be a whole number from 0, and limit one from 1 to ${LONGEST_PAGE}`;
    return { refuse: 'malformed', message };
  }
  const part = parameters.get('name') ?? '';
  const [main, ...named] = all;
  const matches = [...(main ? [main] : []), ...named.reverse()].filter(({ name }) => name.includes(part));
  const page = matches.slice(offset, offset + limit);
  const views = await Promise.all(page.map((session) => viewOf(session, collections)));
  return jsonResponse({ total: matches.length, sessions: views } satisfies SessionsPage);
}

async function viewOf(
  { name, store, journal, rules, clock, latency = NO_DELAY }: Session,
  collections: readonly RecordCollection[],
): Promise<SessionView> {
  const counts = collections.map(async (collection): Promise<[string, number]> => {
    return [collection.name, await countRecords(store, collection)];
  });
  return {
    name,
    records: Object.fromEntries(await Promise.all(counts)),
    requests: journal.entries().length,
    rules: rules.all().length,
    now: clock && new Date(clock()).toISOString(),
    latency: delayJson(latency),
  };
}

function wholeNumber(text: string, low: number, high: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= low && value <= high ? value : undefined;
}
