import type { SwitchedStore } from '../store/switch.ts';
import type { Time } from './clock.ts';
import { createEvents, type Events } from './events.ts';
import { createJournal, type Journal, type JournalRoom } from './journal.ts';
import { createRules, type Rules } from './rules.ts';

/** A state of its own: tests that run at once never meet. */
export interface Session {
  /** Empty: the one of all requests that name none. */
  readonly name: string;
  readonly store: SwitchedStore;
  readonly journal: Journal;
  readonly rules: Rules;
  readonly events: Events;
  /** Undefined: the session was given no clock, and removals are not rehearsed. */
  clock: Time | undefined;
  /** The clock that it began with. */
  readonly firstClock: Time | undefined;
}

export function createSession(
  name: string,
  store: SwitchedStore,
  room: JournalRoom,
  clock: Time | undefined,
): Session {
  return {
    name,
    store,
    journal: createJournal(room),
    rules: createRules(),
    events: createEvents(),
    clock,
    firstClock: clock,
  };
}

/** Back to how it began: records, rules, journal and clock. */
export async function resetSession(session: Session): Promise<void> {
  const { store, journal, rules, events } = session;
  await store.reset();
  session.clock = session.firstClock;
  rules.clear();
  journal.clear();
  events.publish('reset', '{}');
}
