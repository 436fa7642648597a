import { stringifyJson } from '#spec';
import type { ShowEntry } from '../control/requests.ts';
import { namesSession, readSession, within } from '../session/address.ts';
import type { Time } from '../session/clock.ts';
import type { JournalEntry } from '../session/journal.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { StoreUnavailable } from '../store/store-error.ts';
import { andThen } from './and-then.ts';
import { answerPreflight, isPreflight } from './cors.ts';
import { allowedMethods, answerElsewhere, type Elsewhere } from './elsewhere.ts';
import type { Endpoint } from './endpoint.ts';
import type { Answer, Awaitable, MockRequest, Reply } from './exchange.ts';
import { createOperate, type OperateContext } from './operate.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { Finder, Found } from './route.ts';

/** From a request to its reply, which is a promise only where something had to wait. Never throws or rejects. */
export type Engine = (request: MockRequest) => Awaitable<Reply>;

export interface EngineContext extends OperateContext {
  readonly find: Finder<Endpoint>;
  readonly elsewhere: Elsewhere;
  readonly sessions: Sessions;
  readonly time: Time;
  readonly showEntry: ShowEntry;
  /** Told of what should never happen; the client sees only that it did. */
  readonly onBug: (error: unknown) => void;
}

/** A request on its way, and whose affair it is. */
interface Asked {
  readonly request: MockRequest;
  readonly session: Session;
  /** Undefined: the request means no operation. */
  readonly endpoint: Endpoint | undefined;
  /** In the time of `performance.now()`. */
  readonly begun: number;
}

export function createEngine(context: EngineContext): Engine {
  const { find, elsewhere, sessions, time, showEntry, onBug } = context;
  const operate = createOperate(context);

  function answer(request: MockRequest, session: Session, prefix: string): Awaitable<Reply> {
    const begun = request.begun ?? performance.now();
    const found = find(request.path);
    if (isPreflight(request)) return answerPreflight(request, allowedMethods(found?.methods));
    const endpoint = found && endpointFor(found, request.method);
    const asked: Asked = { request, session, endpoint, begun };
    try {
      const outcome = endpoint
        ? operate(endpoint, found, request, session)
        : answerElsewhere(elsewhere, found, request, session, prefix);
      if (!(outcome instanceof Promise)) return conclude(asked, outcome);
      return outcome.then(
        (settled) => conclude(asked, settled),
        (error) => conclude(asked, failed(error)),
      );
    } catch (error) {
      return conclude(asked, failed(error));
    }
  }

  function conclude(asked: Asked, outcome: Answer | Refusal): Reply {
    const { request, session, endpoint, begun } = asked;
    let told = outcome;
    let reply: Reply;
    try {
      reply = replyTo(asked, outcome);
    } catch (error) {
      told = failed(error);
      reply = replyTo(asked, told);
    }
    const refusal = isRefusal(told) ? told : undefined;
    // What the mock says of itself is no news to who asked for it.
    if (endpoint || refusal) {
      const ms = performance.now() - begun;
      const operation = endpoint?.operation;
      note(session, { at: time(), ms, request, status: reply.status, operation, refusal }, showEntry);
    }
    return session.clock ? dated(reply, session.clock) : reply;
  }

  function replyTo({ endpoint }: Asked, outcome: Answer | Refusal): Reply {
    const { refuse, finish } = endpoint ?? elsewhere;
    return finish(isRefusal(outcome) ? refuse(outcome) : outcome);
  }

  function failed(error: unknown): Refusal {
    if (error instanceof StoreUnavailable) return AWAY;
    onBug(error);
    return BUG;
  }

  function answerWithin(request: MockRequest): Awaitable<Reply> {
    const addressed = readSession(request);
    if (isRefusal(addressed)) return elsewhere.finish(elsewhere.refuse(addressed));
    const { prefix, session } = addressed;
    const reply = answer(addressed.request, sessions.find(session), prefix);
    return andThen(reply, (settled) => within(prefix, settled));
  }

  return (request) => (namesSession(request) ? answerWithin(request) : answer(request, sessions.main, ''));
}

const BUG: Refusal = { refuse: 'bug', message: 'The mock failed at this request; its log says why' };

/** RFC 9110 §10.2.3: seconds. A database that is started again is back in a few. */
const AWAY: Refusal = {
  refuse: 'unavailable',
  message: 'The store of the mock cannot be reached for now',
  headers: { 'Retry-After': '1' },
};

/** A HEAD is answered like the GET that it stands for; its body is not sent (RFC 9110 §9.3.2). */
function endpointFor({ methods }: Found<Endpoint>, method: string): Endpoint | undefined {
  return methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
}

function note({ journal, events }: Session, entry: JournalEntry, show: ShowEntry): void {
  const number = journal.add(entry);
  if (events.hasListeners) events.publish('request', stringifyJson(show({ ...entry, number })));
}

function dated(reply: Reply, clock: Time): Reply {
  return { ...reply, headers: { ...reply.headers, Date: new Date(clock()).toUTCString() } };
}
