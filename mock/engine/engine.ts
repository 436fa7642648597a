import { type Router, stringifyJson } from '#spec';
import type { ShowEntry } from '../control/logged-request.ts';
import { isControlPath } from '../control/path.ts';
import { acceptOf } from '../http/accept.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import { isPreflight, respondPreflight, withOrigin } from '../http/cors.ts';
import type { MockRequest, MockResponse } from '../http/exchange.ts';
import { allowedMethods, findMethod } from '../http/methods.ts';
import { isRefusal, type Outcome, type Refusal } from '../http/refusal.ts';
import { namesSession, readSession, withPrefix } from '../sessions/address.ts';
import type { Time } from '../sessions/clock.ts';
import type { Session } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { StoreUnavailable } from '../store/store-error.ts';
import type { Endpoint } from './endpoint.ts';
import { createOperate, type OperateContext } from './operate.ts';
import { respondUnmatched, type UnmatchedContext } from './unmatched-request.ts';

/** Responds to a request; with a promise only where something had to wait. Never throws or rejects. */
export type Engine = (request: MockRequest) => Awaitable<MockResponse>;

export interface EngineContext extends OperateContext {
  readonly find: Router<Endpoint>;
  readonly unmatched: UnmatchedContext;
  readonly sessions: Sessions;
  readonly time: Time;
  readonly showEntry: ShowEntry;
  /** Receives unexpected errors, which clients see as a 500 only. */
  readonly onBug: (error: unknown) => void;
}

/** A request whose response is being made. */
interface Running {
  readonly request: MockRequest;
  readonly session: Session;
  /** Undefined: the request matches no operation. */
  readonly endpoint: Endpoint | undefined;
  /** On the scale of `performance.now()`. */
  readonly begun: number;
}

export function createEngine(context: EngineContext): Engine {
  const { find, unmatched, sessions, time, showEntry, onBug } = context;
  const operate = createOperate(context);

  function respond(request: MockRequest, session: Session, prefix: string): Awaitable<MockResponse> {
    const begun = request.begun ?? performance.now();
    const match = find(request.path);
    if (isPreflight(request)) {
      const methods = allowedMethods(match?.methods.keys() ?? ANY_METHOD);
      return forPages(request, respondPreflight(request, methods));
    }
    const endpoint = match && findMethod(match.methods, request.method);
    const running: Running = { request, session, endpoint, begun };
    try {
      const outcome = endpoint
        ? operate(endpoint, match, request, session)
        : respondUnmatched(unmatched, match?.methods, request, session, prefix);
      if (!(outcome instanceof Promise)) return conclude(running, outcome);
      return outcome.then(
        (settled) => conclude(running, settled),
        (error) => conclude(running, refuseError(error)),
      );
    } catch (error) {
      return conclude(running, refuseError(error));
    }
  }

  function conclude(running: Running, outcome: Outcome): MockResponse {
    const { session, endpoint, request } = running;
    let response: MockResponse;
    let concluded = outcome;
    try {
      response = finish(endpoint, outcome, request);
    } catch (error) {
      concluded = refuseError(error);
      response = finish(endpoint, concluded, request);
    }
    const refusal = isRefusal(concluded) ? concluded : undefined;
    // Requests to the mock itself are not logged, refused or not: the console alone sends more than most clients.
    if (endpoint || (refusal && !isControlPath(request.path))) record(running, response, refusal);
    if (request.headers.origin !== undefined) response = forPages(request, response);
    return session.clock ? withDate(response, session.clock) : response;
  }

  /** Never for the control API: what a page may do there is decided for each origin. */
  function forPages({ path, headers }: MockRequest, response: MockResponse): MockResponse {
    return isControlPath(path) ? response : withOrigin(response, headers.origin);
  }

  function finish(endpoint: Endpoint | undefined, outcome: Outcome, request: MockRequest): MockResponse {
    const own = endpoint ?? unmatched;
    return own.finish(isRefusal(outcome) ? own.refuse(outcome, acceptOf(request)) : outcome);
  }

  function record(running: Running, response: MockResponse, refusal: Refusal | undefined): void {
    const { request, session, endpoint, begun } = running;
    const ms = performance.now() - begun;
    const { status } = response;
    const entry = { at: time(), ms, request, status, operation: endpoint?.operation, refusal, response };
    const number = session.journal.add(entry);
    if (session.events.hasListeners)
      session.events.publish('request', stringifyJson(showEntry({ ...entry, number })));
  }

  function refuseError(error: unknown): Refusal {
    if (error instanceof StoreUnavailable) return { ...STORE_UNAVAILABLE, cause: error.message };
    onBug(error);
    return BUG;
  }

  function respondInSession(request: MockRequest): Awaitable<MockResponse> {
    const addressed = readSession(request);
    if (isRefusal(addressed)) return forPages(request, finish(undefined, addressed, request));
    const { prefix, session } = addressed;
    const response = respond(addressed.request, sessions.find(session), prefix);
    return andThen(response, (settled) => withPrefix(prefix, settled));
  }

  return (request) =>
    namesSession(request) ? respondInSession(request) : respond(request, sessions.main, '');
}

/** For the preflight of an unknown path. */
const ANY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const BUG: Refusal = { refuse: 'bug', message: 'The mock failed at this request; its log says why' };

/** RFC 9110 §10.2.3: seconds. A restarted database is back in a few. */
const STORE_UNAVAILABLE: Refusal = {
  refuse: 'unavailable',
  message: 'The store of the mock cannot be used for now',
  headers: { 'Retry-After': '1' },
};

function withDate(response: MockResponse, clock: Time): MockResponse {
  return { ...response, headers: { ...response.headers, Date: new Date(clock()).toUTCString() } };
}
