import type { Awaitable } from '../http/awaitable.ts';
import type { SharedSettings } from '../store/port.ts';
import type { SwitchedStore } from '../store/switch.ts';
import { startClock, type Time } from './clock.ts';
import { createEvents, type Events } from './events.ts';
import { createJournal, type Journal, type JournalRoom } from './journal.ts';
import type { Delay } from './preferences/delay.ts';
import { createRules, type RuleBook, type Rules } from './preferences/rules.ts';
import { createSharing, type Sharing } from './sharing.ts';

/** An isolated state: records, journal, rules, clock and latency. */
export interface Session {
  /** Empty: the session of requests that name none. */
  readonly name: string;
  readonly store: SwitchedStore;
  readonly journal: Journal;
  readonly rules: Rules;
  readonly events: Events;
  /** Undefined: the session has no clock of its own, and no operation is removed. */
  clock: Time | undefined;
  /** The initial clock. */
  readonly firstClock: Time | undefined;
  /** How long every response is delayed; undefined: not at all. */
  latency: Delay | undefined;
  readonly firstLatency: Delay | undefined;
  /** Undefined: no other mock shares its store. */
  readonly sharing: Sharing | undefined;
}

/** What all sessions of a mock begin with. */
export interface SessionContext {
  readonly room: JournalRoom;
  readonly clock: Time | undefined;
  readonly latency: Delay;
  readonly rules: RuleBook;
  /** Undefined: no other mock shares the store. */
  readonly settings: SharedSettings | undefined;
  readonly time: Time;
}

export function createSession(name: string, store: SwitchedStore, context: SessionContext): Session {
  const { room, clock, settings, rules, time } = context;
  const sharing = settings && createSharing(name, settings, rules);
  const latency = unlessNone(context.latency);
  return {
    name,
    store,
    journal: createJournal(room),
    rules: sharing?.rules ?? createRules(rules),
    events: createEvents(),
    clock: sharing ? sharedClock(sharing, clock, time) : clock,
    firstClock: clock,
    latency: sharing?.latency ? unlessNone(sharing.latency) : latency,
    firstLatency: latency,
    sharing,
  };
}

/** Requests then need no more than one comparison. */
function unlessNone(latency: Delay): Delay | undefined {
  return latency.high === 0 ? undefined : latency;
}

function sharedClock({ ahead }: Sharing, first: Time | undefined, time: Time): Time | undefined {
  if (ahead === undefined) return first;
  return ahead === null ? undefined : () => time() + ahead;
}

/** Undefined removes the session's clock. */
export function setClock(session: Session, at: number | undefined, time: Time): Awaitable<void> {
  session.clock = at === undefined ? undefined : startClock(at, time);
  return session.sharing?.setAhead(at === undefined ? null : at - time());
}

/** Delays every later response of the session. */
export function setLatency(session: Session, latency: Delay): Awaitable<void> {
  session.latency = unlessNone(latency);
  return session.sharing?.setLatency(latency);
}

/** Applies what another mock on the same store changed. */
export function followNote(session: Session, note: string, time: Time): void {
  const { sharing, journal, events, firstClock, firstLatency } = session;
  if (!sharing) return;
  const wasReset = sharing.follow(note);
  session.latency = sharing.latency ? unlessNone(sharing.latency) : firstLatency;
  session.clock = sharedClock(sharing, firstClock, time);
  if (!wasReset) return;
  journal.clear();
  events.publish('reset', '{}');
}

/** Resets records, rules, journal, clock and latency to their initial state. */
export async function resetSession(session: Session): Promise<void> {
  const { store, journal, rules, events, sharing } = session;
  await store.reset();
  session.clock = session.firstClock;
  session.latency = session.firstLatency;
  await (sharing ? sharing.reset() : rules.reset());
  journal.clear();
  events.publish('reset', '{}');
}
