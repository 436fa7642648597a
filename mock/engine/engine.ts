import {
  type Contract,
  type Operation,
  type RouteMatch,
  type Router,
  stringifyJson,
  withAnySlash,
} from '#spec';
import type { Control } from '../control/control.ts';
import type { OwnFile } from '../control/document-files.ts';
import type { ShowEntry } from '../control/logged-request.ts';
import { isControlPath, isOwnPath, seeConsole } from '../control/path.ts';
import {
  allowedMethods,
  findMethod,
  isPreflight,
  methodNotAllowed,
  noSuchPath,
  REQUESTED_METHOD,
  respondPreflight,
  withOrigin,
} from '../http/cors.ts';
import { type Refuse, respondWith } from '../http/error-response.ts';
import { type Awaitable, andThen, type MockRequest, type MockResponse } from '../http/exchange.ts';
import { isRefusal, type Outcome, type Refusal, withContent } from '../http/refusal.ts';
import { finishRelayed, isOfThisMachine, withMockSource } from '../http/relayed-response.ts';
import { acceptOf } from '../http/representations.ts';
import type { Finish } from '../http/response-headers.ts';
import { asksForTrace, type Trace, withTrace } from '../http/trace.ts';
import { PICTURES_PATH, pictureResponse, type ShowPictures } from '../pictures/picture.ts';
import { decidedIn, isLongBody, type JournalEntry } from '../sessions/journal.ts';
import type { Session, Time } from '../sessions/session.ts';
import { namesSession, readSession, type Sessions, withPrefix } from '../sessions/sessions.ts';
import { StoreUnavailable } from '../store/port.ts';
import { HOPS, inChain } from '../webhooks/chain.ts';
import type { Endpoint, Relay } from './endpoint.ts';
import { decidedFor, NOTHING_READ, type Running, type TakeTrace, type Visit } from './endpoint.ts';

/** Responds to a request, synchronously unless it has to wait. Never throws or rejects. */
export type Engine = (request: MockRequest, takeTrace?: TakeTrace) => Awaitable<MockResponse>;

/** Finds the endpoints of a path; with several documents also by the request's host. */
export type Find = (
  path: string,
  request: Pick<MockRequest, 'headers'> & Partial<Pick<MockRequest, 'method'>>,
) => RouteMatch<Endpoint> | undefined;

/** Ignores a trailing slash, except on the mock's own paths and files. */
export function withOwnPaths(route: Router<Endpoint>, files: ReadonlyMap<string, unknown>): Find {
  const loosely = withAnySlash(route);
  return (path, { method }) =>
    isOwnPath(path) || files.has(path) ? route(path, method) : loosely(path, method);
}

/** The log's note about an ignored slash. Undefined: path and document agree. */
export function slashNote({ slash }: Pick<RouteMatch<unknown>, 'slash'>, path: string): string | undefined {
  if (slash === undefined) return undefined;
  return slash === 'left out'
    ? `served as ${path.slice(0, -1)}: the document has no slash at its end`
    : `served as ${path}/: the document has a slash at its end`;
}

export interface EngineContext {
  readonly maxBody: number;
  readonly time: Time;
  /** Undefined: the mock is in front of no real service. */
  readonly relay?: Relay | undefined;
  readonly find: Find;
  readonly unmatched: UnmatchedContext;
  readonly sessions: Sessions;
  readonly showEntry: ShowEntry;
  readonly tracing: {
    readonly traceOf: (entry: JournalEntry) => Trace;
    readonly isPlain: (entry: JournalEntry) => boolean;
  };
  /** Whether each response has its trace in a header; else only those that ask for it. */
  readonly trace: boolean;
  /** Its base paths precede the paths of operations without servers of their own. */
  readonly contract: Pick<Contract, 'basePaths'>;
  /** Undefined: no record has a picture. */
  readonly showPictures: ShowPictures;
  /** Receives unexpected errors, of which clients only see a 500. */
  readonly onBug: (error: unknown) => void;
}

export function createEngine(context: EngineContext): Engine {
  const { find, unmatched, sessions, time, showEntry, showPictures, onBug, relay, tracing } = context;
  const { basePaths } = context.contract;

  function respond(
    received: MockRequest,
    session: Session,
    prefix: string,
    takeTrace: TakeTrace | undefined,
  ): Awaitable<MockResponse> {
    const begun = received.begun ?? performance.now();
    const request = isControlPath(received.path) ? received : withContent(received, context.maxBody);
    const match = find(request.path, request);
    const decided = decidedIn(session.rules.book, session.clock);
    const runningOf = (match: Running['match'], endpoint: Running['endpoint']): Running => ({
      request,
      session,
      match,
      endpoint,
      begun,
      decided,
      relay,
      takeTrace,
      step: '',
      values: undefined,
      record: undefined,
      letInBy: undefined,
    });
    if (request.method === 'OPTIONS' && isPreflight(request)) {
      const methods = allowedMethods(match?.methods.keys() ?? ANY_METHOD);
      const respondHere = () => forPages(request, respondPreflight(request, methods));
      if (!relay || isOfThisMachine(request.headers.origin) || !(match || isPassedOn(request)))
        return respondHere();
      const running = runningOf(undefined, undefined);
      const asked = match && findMethod(match.methods, String(request.headers[REQUESTED_METHOD]));
      return askPreflight(relay, running, asked?.operation).then(
        (outcome) => (outcome ? conclude(running, outcome) : respondHere()),
        (error) => conclude(running, refuseError(error)),
      );
    }
    const endpoint = match && findMethod(match.methods, request.method);
    const running = runningOf(match, endpoint);
    try {
      const outcome = endpoint
        ? endpoint.respond(visitOf(running))
        : respondElsewhere(match?.methods, running, prefix);
      if (!(outcome instanceof Promise)) return conclude(running, outcome);
      return outcome.then(
        (settled) => conclude(running, settled),
        (error) => conclude(running, refuseError(error)),
      );
    } catch (error) {
      return conclude(running, refuseError(error));
    }
  }

  function visitOf(running: Running): Visit {
    const { request, session } = running;
    return {
      request,
      store: session.store,
      time: session.clock ?? time,
      session: session.name,
      recordEvents: session.recordEvents,
      running,
      met: running,
      values: NOTHING_READ,
      who: 'not asked',
      sender: undefined,
      isDecided: false,
    };
  }

  /** Whether requests to a path may reach the real service. */
  function isPassedOn({ path }: MockRequest): boolean {
    return (
      !isOwnPath(path) && !unmatched.files.has(path) && basePaths.some((basePath) => isBelow(path, basePath))
    );
  }

  /**
   * Forwards a CORS preflight, which only the real service can decide, even if it lacks the operation: without CORS it
   * responds to every preflight with 404 or 405. Undefined: the mock alone responds to the operation.
   */
  async function askPreflight(
    { sourceOf, ask }: Relay,
    running: Running,
    operation: Operation | undefined,
  ): Promise<Outcome | undefined> {
    const { request, session } = running;
    const decided = decidedFor(running);
    const source = await sourceOf(operation, undefined, session, decided);
    if (source === 'mock') return undefined;
    return ask({ request, matched: undefined, decided }, 'real', () => {
      throw new Error('never mocked');
    });
  }

  function respondElsewhere(
    methods: ReadonlyMap<string, unknown> | undefined,
    running: Running,
    prefix: string,
  ): Awaitable<Outcome> {
    const { request, session } = running;
    const respondHere = () => respondUnmatched(unmatched, methods, request, session, prefix);
    if (!relay || !(methods || isPassedOn(request)) || request.body === 'too large') return respondHere();
    const asked = { request, matched: undefined, decided: decidedFor(running) };
    return andThen(relay.sourceOf(undefined, undefined, session, asked.decided), (source) =>
      source === 'mock' ? respondHere() : relay.ask(asked, source, respondHere),
    );
  }

  function conclude(running: Running, outcome: Outcome): MockResponse {
    const { session, endpoint, request } = running;
    if (!isRefusal(outcome) && outcome.relayed) {
      return logExchange(
        running,
        finishRelayed(outcome, outcome.relayed, request, endpoint?.operation.id),
        undefined,
      );
    }
    const writer = endpoint ?? unmatched;
    let response: MockResponse;
    let concluded = outcome;
    try {
      response = respondWith(writer, outcome, request, session.clock?.());
    } catch (error) {
      concluded = refuseError(error);
      response = respondWith(writer, concluded, request, session.clock?.());
    }
    const refusal = isRefusal(concluded) ? concluded : undefined;
    if (relay && (endpoint || !isOwnPath(request.path))) response = withMockSource(response);
    // Not for the control API: a saved state must also fit a mock at another address.
    if (endpoint || !isControlPath(request.path)) response = showPictures(response, request);
    if (endpoint || (refusal && !isOwnPath(request.path))) response = logExchange(running, response, refusal);
    if (request.headers.origin !== undefined) response = forPages(request, response);
    return session.clock ? withDate(response, session.clock) : response;
  }

  /** Not for the control API, which decides access for each origin. */
  function forPages({ path, headers }: MockRequest, response: MockResponse): MockResponse {
    return isControlPath(path) ? response : withOrigin(response, headers.origin);
  }

  /** Logs an exchange, and explains it on request. */
  function logExchange(running: Running, finished: MockResponse, refusal: Refusal | undefined): MockResponse {
    const { request, session, match, endpoint, begun, decided, takeTrace } = running;
    const ms = performance.now() - begun;
    const { status } = finished;
    const note = match && slashNote(match, request.path);
    let response =
      note === undefined
        ? finished
        : { ...finished, remark: [finished.remark ?? [], note].flat().join('; ') };
    const operation = endpoint?.operation;
    let entry: JournalEntry = {
      at: time(),
      ms,
      request,
      status,
      // Each entry that is kept costs time when memory is collected.
      match: operation && match?.slash === undefined ? undefined : match,
      operation,
      values: running.values,
      record: running.record,
      refusal,
      refusedAt: refusal && running.step,
      letInBy: running.letInBy,
      response,
      decided,
    };
    const isAsked =
      context.trace || (request.headers['paddock-trace'] !== undefined && asksForTrace(request));
    // Long bodies are not kept, so rules on their content are explained at once.
    if (isAsked || (decided?.rules && isLongBody(request.body))) {
      const trace = tracing.traceOf(entry);
      if (isAsked) response = withTrace(response, trace);
      entry = { ...entry, response, trace };
    }
    const number = session.journal.add(entry);
    if (session.events.hasListeners)
      session.events.publish('request', stringifyJson(showEntry({ ...entry, number })));
    if (takeTrace)
      takeTrace({
        isPlain: tracing.isPlain(entry),
        trace: () => entry.trace ?? tracing.traceOf(entry),
        request,
      });
    return response;
  }

  function refuseError(error: unknown): Refusal {
    if (error instanceof StoreUnavailable) return { ...STORE_UNAVAILABLE, cause: error.message };
    onBug(error);
    return BUG;
  }

  function respondInSession(request: MockRequest, takeTrace?: TakeTrace): Awaitable<MockResponse> {
    const addressed = readSession(request);
    if (isRefusal(addressed)) return forPages(request, respondWith(unmatched, addressed, request));
    const { prefix, session } = addressed;
    const response = respond(addressed.request, sessions.find(session), prefix, takeTrace);
    return andThen(response, (settled) => withPrefix(prefix, settled));
  }

  const answer: Engine = (request, takeTrace) =>
    namesSession(request)
      ? respondInSession(request, takeTrace)
      : respond(request, sessions.main, '', takeTrace);
  return (request, takeTrace) =>
    request.headers[HOPS] === undefined
      ? answer(request, takeTrace)
      : inChain(request, () => answer(request, takeTrace));
}

function isBelow(path: string, basePath: string): boolean {
  return path === basePath || path.startsWith(`${basePath}/`);
}

/** For preflights of unknown paths. */
const ANY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const BUG: Refusal = { refuse: 'bug', message: 'The mock failed at this request; its log says why' };

/** In seconds (RFC 9110 §10.2.3). A restarted database is back soon. */
const STORE_UNAVAILABLE: Refusal = {
  refuse: 'unavailable',
  message: 'The store of the mock cannot be used for now',
  headers: { 'Retry-After': '1' },
};

function withDate(response: MockResponse, clock: Time): MockResponse {
  return { ...response, headers: { ...response.headers, Date: new Date(clock()).toUTCString() } };
}

/** What responds to requests without an operation. */
interface UnmatchedContext {
  /** The document's own files, by path. */
  readonly files: ReadonlyMap<string, OwnFile>;
  readonly control: Control;
  readonly contract: Contract;
  /** The base URL of the session with this path prefix. */
  readonly baseUrl: (prefix: string) => string;
  readonly refuse: Refuse;
  readonly finish: Finish;
}

/** Serves the control API, pictures and the document's files; else 405 if other methods are offered, or 404. */
function respondUnmatched(
  { files, control, contract, baseUrl }: UnmatchedContext,
  methods: ReadonlyMap<string, unknown> | undefined,
  request: MockRequest,
  session: Session,
  prefix: string,
): Awaitable<Outcome> {
  const { method, path } = request;
  if (!methods && isControlPath(path)) return control(request, session);
  if (!methods && path.startsWith(PICTURES_PATH)) return pictureResponse(request);
  const file = files.get(path);
  const offered = methods ?? (file && new Map([['GET', file]]));
  if (!offered) {
    if (path === '/' && method === 'GET' && isBrowser(request)) return seeConsole();
    return noSuchPath(request, baseUrl(prefix), contract);
  }
  if (file && (method === 'GET' || method === 'HEAD')) return file(request);
  return methodNotAllowed(method, path, offered);
}

/** Only browsers list HTML in `Accept`. */
function isBrowser(request: MockRequest): boolean {
  return /\btext\/html\b/i.test(acceptOf(request) ?? '');
}
