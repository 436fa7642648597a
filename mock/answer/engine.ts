import { stringifyJson } from '#spec';
import type { ShowEntry } from '../control/requests.ts';
import { namesSession, readSession, within } from '../session/address.ts';
import type { Time } from '../session/clock.ts';
import type { JournalEntry } from '../session/journal.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { StoreAway } from '../store/store-error.ts';
import { answerPreflight, isPreflight } from './cors.ts';
import { allowedMethods, answerElsewhere, type Elsewhere } from './elsewhere.ts';
import type { Endpoint } from './endpoint.ts';
import type { Answer, MockRequest, Reply } from './exchange.ts';
import { createOperate, type OperateContext } from './operate.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { Finder, Found } from './route.ts';

/** From a request to its reply. Never rejects. */
export type Engine = (request: MockRequest) => Promise<Reply>;

export interface EngineContext extends OperateContext {
  readonly find: Finder<Endpoint>;
  readonly elsewhere: Elsewhere;
  readonly sessions: Sessions;
  readonly time: Time;
  readonly showEntry: ShowEntry;
  /** Told of what should never happen; the client sees only that it did. */
  readonly onBug: (error: unknown) => void;
}

export function createEngine(context: EngineContext): Engine {
  const { find, elsewhere, sessions, time, showEntry, onBug } = context;
  const operate = createOperate(context);

  async function answer(request: MockRequest, session: Session, prefix: string): Promise<Reply> {
    const begun = performance.now();
    const found = find(request.path);
    if (isPreflight(request)) return answerPreflight(request, allowedMethods(found?.methods));
    const endpoint = found && endpointFor(found, request.method);
    const { refuse, finish } = endpoint ?? elsewhere;
    let outcome: Answer | Refusal;
    let reply: Reply;
    try {
      outcome = await (endpoint
        ? operate(endpoint, found, request, session)
        : answerElsewhere(elsewhere, found, request, session, prefix));
      reply = finish(isRefusal(outcome) ? refuse(outcome) : outcome);
    } catch (error) {
      if (!(error instanceof StoreAway)) onBug(error);
      outcome = error instanceof StoreAway ? AWAY : BUG;
      reply = finish(refuse(outcome));
    }
    const refusal = isRefusal(outcome) ? outcome : undefined;
    // What the mock says of itself is no news to who asked for it.
    if (endpoint || refusal) {
      const ms = performance.now() - begun;
      const operation = endpoint?.operation;
      note(session, { at: time(), ms, request, status: reply.status, operation, refusal }, showEntry);
    }
    return session.clock ? dated(reply, session.clock) : reply;
  }

  async function answerWithin(request: MockRequest): Promise<Reply> {
    const addressed = readSession(request);
    if (isRefusal(addressed)) return elsewhere.finish(elsewhere.refuse(addressed));
    const { prefix, session } = addressed;
    return within(prefix, await answer(addressed.request, sessions.find(session), prefix));
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
