import { type Contract, isRecord, type Resource, stringifyJson } from '#spec';
import { bundle } from '#whole-document';
import type { Awaitable, MockRequest, MockResponse } from '../http/exchange.ts';
import { memoizeFew } from '../http/memoize.ts';
import { type Outcome, refuseFile } from '../http/refusal.ts';
import type { RecordCollection } from '../records/collection.ts';
import type { SeedValues } from '../records/seed/values.ts';
import type { Snapshots } from '../records/snapshot/snapshot.ts';
import type { DocumentChanges } from '../sessions/document-changes.ts';
import { LONGEST_DELAY, readDelay, readMoment } from '../sessions/preferences/delay.ts';
import { readScenario, type ScenarioContext, type Shelf } from '../sessions/preferences/scenarios.ts';
import {
  changedSettings,
  clockJson,
  latencyJson,
  resetSession,
  restoreSession,
  type Session,
  setClock,
  setLatency,
  type Time,
} from '../sessions/session.ts';
import { isSessionName, refuseSessionName, type Sessions } from '../sessions/sessions.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Access } from './access.ts';
import { answersEndpoints } from './answers-endpoint.ts';
import {
  bodyJson,
  bodyText,
  type Control,
  type ControlEndpoints,
  compileControl,
  type Handler,
  jsonResponse,
  lastStep,
  NO_CONTENT,
  NO_STORE,
  refuseWith,
} from './control.ts';
import {
  describeContract,
  type FirstRequestView,
  showSource,
  type UpstreamView,
} from './describe-contract.ts';
import { describeReference, type ServedDocument } from './describe-reference.ts';
import type { ShowEntry } from './logged-request.ts';
import { type ChangedOverlay, meaningEndpoint } from './meaning-endpoint.ts';
import { recordEndpoints } from './record-endpoints.ts';
import { sampleOperation } from './sample-operation.ts';
import { sessionsEndpoint } from './sessions-endpoint.ts';
import { webhooksEndpoints } from './webhooks-endpoint.ts';

export interface EndpointContext {
  readonly contract: Contract;
  readonly documents: readonly ServedDocument[];
  readonly basePath: string;
  readonly seeds: SeedValues;
  readonly scenarios: Shelf;
  /** Undefined: no operation is a GET. */
  readonly first: FirstRequestView | undefined;
  readonly snapshots: () => Promise<Snapshots>;
  readonly showEntry: ShowEntry;
  readonly time: Time;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  /** A public key that the mock accepts, else the variable with the user's own. */
  readonly shownKey: string;
  /** A key that the mock accepts from its own pages. */
  readonly consoleKey: string;
  readonly changes: DocumentChanges;
  readonly sessions: Sessions;
  /** Undefined: the mock is in front of no real service. */
  readonly upstream: UpstreamView | undefined;
  /** Undefined: the document has neither callbacks nor webhooks. */
  readonly webhooks: Webhooks | undefined;
  /** Undefined: there is no overlay to change. */
  readonly overlay: ChangedOverlay | undefined;
  /** Sends a request to this mock, as a client would. */
  readonly send: (request: MockRequest) => Awaitable<MockResponse>;
}

export function createControl(context: EndpointContext, access: Access, replica: string): Control {
  const { sessions } = context;
  const respond = compileControl(controlEndpoints(context), access, (request, session: Session) => {
    const name = new URLSearchParams(request.query).get('session');
    if (!name) return session;
    return isSessionName(name) ? sessions.find(name) : refuseSessionName(name);
  });
  return async (request, session) => {
    const { headers, ...rest } = await respond(request, session);
    return { ...rest, headers: { ...headers, 'Paddock-Replica': replica } };
  };
}

function controlEndpoints(context: EndpointContext): ControlEndpoints {
  const { contract, documents, basePath, shownKey, consoleKey, collections, changes, sessions } = context;
  const { snapshots, showEntry, time, send, upstream, webhooks, seeds, scenarios, first } = context;
  const { title, version, operations } = contract;
  const ruled = { operations, hasUpstream: upstream !== undefined };
  const lists = contract.resources.flatMap((resource) => collections.get(resource) ?? []);
  const names = documents.map((document) => document.name);
  /** The page shows one document: the first, unless it requests another. */
  const documentOf = ({ query }: MockRequest) => {
    const name = new URLSearchParams(query).get('document');
    const document =
      name === null ? documents[0] : documents.find((servedDocument) => servedDocument.name === name);
    if (document) return document;
    const message = `There is no document ${JSON.stringify(name)}; there are ${names.join(', ')}`;
    return refuseWith({ refuse: 'not found', message });
  };
  // Cached: for a large document it takes a second, and never changes.
  const textOf = memoizeFew(({ document }: Contract) => stringifyJson(bundle(document)));
  const showSample = (request: MockRequest): Outcome => {
    const of = documentOf(request).contract;
    const asked = new URLSearchParams(request.query);
    const id = asked.get('operation');
    const operation = of.operations.find((one) => one.id === id);
    const responses = asked.get('part') === 'request' ? [] : (operation?.responses ?? []);
    return operation
      ? jsonResponse(sampleOperation(operation, seeds, responses))
      : { refuse: 'not found', message: `There is no operation ${JSON.stringify(id)}` };
  };
  return {
    health: {
      GET: () => jsonResponse({ status: 'ok', document: { title, version } }),
    },
    contract: {
      GET: () => jsonResponse(describeContract(contract, basePath, shownKey, lists, upstream, first)),
    },
    'reference-index': {
      GET: (request) => jsonResponse(describeReference(documentOf(request), names, consoleKey)),
    },
    'reference-document': {
      GET: (request) => ({ ...jsonResponse({}), body: textOf(documentOf(request).contract) }),
    },
    'reference-sample': { GET: showSample },
    meaning: meaningEndpoint(context),
    changes: { GET: (_, { name }) => jsonResponse(changes.all(name)) },
    reset: {
      POST: async (_, session) => {
        await resetSession(session);
        return NO_CONTENT;
      },
    },
    state: {
      async GET(_, session) {
        const { take } = await snapshots();
        return { ...jsonResponse({}), body: await take(session.store, changedSettings(session)) };
      },
      PUT: (request, session) => restore(request, session, { document: ruled, snapshots }),
    },
    requests: {
      GET: (_, { journal }) => jsonResponse(journal.entries().map(showEntry)),
      DELETE: (_, session) => changeLog(session, 'clear'),
      // Undoes clearing the log, also by a reset.
      PUT: (_, session) => changeLog(session, 'restore'),
    },
    'requests/*': { POST: (request, session) => repeatRequest(request, session, send, showEntry) },
    ...recordEndpoints(lists),
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
    ...answersEndpoints({ document: ruled, contract, seeds, shelf: scenarios, sessions, snapshots }),
    ...webhooksEndpoints(webhooks),
    latency: latencyEndpoint,
    clock: {
      GET: (_, session) => jsonResponse(clockJson(session, time)),
      PUT: (request, session) => putClock(request, session, time),
    },
  };
}

function changeLog({ journal, events }: Session, change: 'clear' | 'restore'): Outcome {
  journal[change]();
  events.publish('clear', '{}');
  return NO_CONTENT;
}

async function restore(request: MockRequest, session: Session, context: ScenarioContext): Promise<Outcome> {
  const text = bodyText(request);
  try {
    const { records, settings } = await readScenario({ text, uri: 'body' }, context);
    await restoreSession(session, settings, records);
  } catch (error) {
    return refuseFile(error, 'The state was not restored');
  }
  return NO_CONTENT;
}

async function putClock(request: MockRequest, session: Session, time: Time): Promise<Outcome> {
  const now = (bodyJson(request) as { now?: unknown } | null)?.now;
  const at = typeof now === 'string' ? readMoment(now) : undefined;
  if (at === undefined && now !== null) {
    const message =
      'now must be a date such as "2030-12-06" or "2030-12-06T12:00:00Z", or null for the current time';
    return { refuse: 'malformed', message };
  }
  await setClock(session, at, time);
  return jsonResponse(clockJson(session, time));
}

/** `/__admin/latency`: `{"latency": 150}` or `{"latency": "50-150"}`, in milliseconds. */
const latencyEndpoint: Readonly<Record<string, Handler>> = {
  GET: (_, session) => jsonResponse(latencyJson(session)),
  PUT: putLatency,
};

async function putLatency(request: MockRequest, session: Session): Promise<Outcome> {
  const body = bodyJson(request);
  const { latency, ...others } = isRecord(body) ? body : {};
  const isText = typeof latency === 'string' || typeof latency === 'number';
  const delay = isText ? readDelay(String(latency)) : undefined;
  if (!delay || Object.keys(others).length > 0) {
    const message = `the body must be {"latency": MS}, milliseconds up to ${LONGEST_DELAY} or a range such as "50-150"`;
    return { refuse: 'malformed', message };
  }
  await setLatency(session, delay);
  return jsonResponse(latencyJson(session));
}

/**
 * `POST /__admin/requests/17` repeats a request of the log with its hidden credentials, and responds with the new log
 * entry.
 */
async function repeatRequest(
  asked: MockRequest,
  { journal, name }: Session,
  send: (request: MockRequest) => Awaitable<MockResponse>,
  showEntry: ShowEntry,
): Promise<Outcome> {
  const id = lastStep(asked);
  const entry = journal.entries().find(({ number }) => String(number) === id);
  if (!entry)
    return { refuse: 'not found', message: `The log has no request ${JSON.stringify(id)} (any more)` };
  const { begun: _, ...request } = entry.request;
  if (request.body === 'too large') {
    const message = 'The body of this request was too long to be kept: send it again from its client';
    return { refuse: 'conflict', message };
  }
  // The path in the log does not name the session.
  const { 'paddock-session': __, ...headers } = request.headers;
  const repeated = { ...request, headers: { ...headers, ...(name !== '' && { 'paddock-session': name }) } };
  await send(repeated);
  const logged = journal
    .entries()
    .findLast((numberedEntry) => numberedEntry.request.headers === repeated.headers);
  return logged ? jsonResponse(showEntry(logged), 201) : NOT_LOGGED;
}

const NOT_LOGGED: Outcome = {
  refuse: 'conflict',
  message: 'The request was sent, and has left the log already',
};
