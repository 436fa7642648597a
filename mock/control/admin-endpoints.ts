import { type Contract, DocumentError, type Resource } from '#spec';
import type { Awaitable } from '../http/awaitable.ts';
import type { MockRequest, MockResponse } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import type { RecordCollection } from '../records/collection.ts';
import type { Snapshots } from '../records/snapshot/snapshots.ts';
import { readMoment, type Time } from '../sessions/clock.ts';
import type { DocumentChanges } from '../sessions/document-changes.ts';
import { resetSession, type Session, setClock } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { ControlEndpoints } from './control.ts';
import { describeContract } from './describe-contract.ts';
import { bodyJson, bodyText, jsonResponse, NO_CONTENT, NO_STORE } from './json.ts';
import { latencyEndpoint } from './latency-endpoint.ts';
import type { ShowEntry } from './logged-request.ts';
import { recordEndpoints } from './record-endpoints.ts';
import { describeReference } from './reference/describe-reference.ts';
import { repeatRequest } from './repeat-request.ts';
import { rulesEndpoint } from './rules-endpoint.ts';
import { sessionsEndpoint } from './sessions-endpoint.ts';
import { showSource } from './source-lines.ts';

export interface EndpointContext {
  readonly contract: Contract;
  readonly basePath: string;
  readonly snapshots: () => Promise<Snapshots>;
  readonly showEntry: ShowEntry;
  readonly time: Time;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  /** A key that the mock accepts and everyone may know, else the variable that holds the user's own. */
  readonly shownKey: string;
  /** A key that the mock accepts from its own pages. */
  readonly consoleKey: string;
  readonly changes: DocumentChanges;
  readonly sessions: Sessions;
  /** Sends a request to this mock, as a client would. */
  readonly send: (request: MockRequest) => Awaitable<MockResponse>;
}

/** The endpoints of the control API. */
export function controlEndpoints(context: EndpointContext): ControlEndpoints {
  const { contract, basePath, shownKey, consoleKey, collections, changes, sessions } = context;
  const { snapshots, showEntry, time, send } = context;
  const { title, version, operations } = contract;
  const lists = contract.resources.flatMap((resource) => collections.get(resource) ?? []);
  return {
    health: {
      GET: () => jsonResponse({ status: 'ok', document: { title, version } }),
    },
    contract: {
      GET: () => jsonResponse(describeContract(contract, basePath, shownKey, lists)),
    },
    'reference-document': {
      GET: () => jsonResponse(describeReference(contract, basePath, consoleKey)),
    },
    changes: { GET: (_, { name }) => jsonResponse(changes.all(name)) },
    reset: {
      POST: async (_, session) => {
        await resetSession(session);
        return NO_CONTENT;
      },
    },
    state: {
      GET: async (_, { store }) => ({ ...jsonResponse({}), body: await (await snapshots()).take(store) }),
      PUT: (request, session) => restore(request, session, context),
    },
    requests: {
      GET: (_, { journal }) => jsonResponse(journal.entries().map(showEntry)),
      DELETE: (_, { journal, events }) => {
        journal.clear();
        events.publish('clear', '{}');
        return NO_CONTENT;
      },
      POST: (request, session) => repeatRequest(request, session, send, showEntry),
    },
    records: recordEndpoints(lists, contract.validators),
    source: { GET: (request) => showSource(contract, request) },
    events: {
      GET: (_, { events }) => ({
        status: 200,
        type: 'text/event-stream',
        headers: NO_STORE,
        body: events.listen,
      }),
    },
    sessions: sessionsEndpoint(sessions, lists),
    rules: rulesEndpoint({ operations, basePath }),
    latency: latencyEndpoint,
    clock: {
      GET: (_, { clock }) => jsonResponse(clockJson(clock, time)),
      PUT: (request, session) => putClock(request, session, time),
    },
  };
}

async function restore(
  request: MockRequest,
  { store, events }: Session,
  { snapshots }: EndpointContext,
): Promise<Outcome> {
  const text = bodyText(request);
  if (typeof text !== 'string') return text;
  try {
    const { read } = await snapshots();
    await store.restore(read('body', text));
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const details = error.problems.map(({ line, column, message }) => ({
      where: `${line}:${column}`,
      message,
    }));
    const problems = details.map(({ where, message }) => `line ${where}: ${message}`).join('; ');
    return { refuse: 'malformed', message: `The state was not restored: ${problems}`, details };
  }
  events.publish('state', '{}');
  return NO_CONTENT;
}

async function putClock(request: MockRequest, session: Session, time: Time): Promise<Outcome> {
  const body = bodyJson(request);
  if ('refuse' in body) return body;
  const now = (body.value as { now?: unknown } | null)?.now;
  const at = typeof now === 'string' ? readMoment(now) : undefined;
  if (at === undefined && now !== null) {
    const message =
      'now must be a date such as "2030-12-06" or "2030-12-06T12:00:00Z", or null for the current time';
    return { refuse: 'malformed', message };
  }
  await setClock(session, at, time);
  const clock = clockJson(session.clock, time);
  session.events.publish('clock', JSON.stringify(clock));
  return jsonResponse(clock);
}

function clockJson(clock: Time | undefined, time: Time) {
  return { now: new Date((clock ?? time)()).toISOString(), given: clock !== undefined };
}
