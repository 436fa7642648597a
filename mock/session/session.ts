import type { Awaitable } from '../answer/exchange.ts';
import type { SharedSettings } from '../store/port.ts';
import type { SwitchedStore } from '../store/switch.ts';
import { startClock, type Time } from './clock.ts';
import { createEvents, type Events } from './events.ts';
import { createJournal, type Journal, type JournalRoom } from './journal.ts';
import { createRules, type Rules } from './rules.ts';
import { createSharing, type Sharing } from './sharing.ts';

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
  /** Undefined: no other mock shares its store. */
  readonly sharing: Sharing | undefined;
}

export function createSession(
  name: string,
  store: SwitchedStore,
  room: JournalRoom,
  clock: Time | undefined,
  { settings, time }: { readonly settings: SharedSettings | undefined; readonly time: Time },
): Session {
  const sharing = settings && createSharing(name, settings);
  return {
    name,
    store,
    journal: createJournal(room),
    rules: sharing?.rules ?? createRules(),
    events: createEvents(),
    clock: sharing ? sharedClock(sharing, clock, time) : clock,
    firstClock: clock,
    sharing,
  };
}

function sharedClock({ ahead }: Sharing, first: Time | undefined, time: Time): Time | undefined {
  if (ahead === undefined) return first;
  return ahead === null ? undefined : () => time() + ahead;
}

/** The clock then runs on; undefined: back to the time that it is, and nothing is gone. */
export function setClock(session: Session, at: number | undefined, time: Time): Awaitable<void> {
  session.clock = at === undefined ? undefined : startClock(at, time);
  return session.sharing?.setAhead(at === undefined ? null : at - time());
}

/** Takes over what another mock on the same store has told the session. */
export function followNote(session: Session, note: string, time: Time): void {
  const { sharing, journal, events, firstClock } = session;
  if (!sharing) return;
  const wasReset = sharing.follow(note);
  session.clock = sharedClock(sharing, firstClock, time);
  if (!wasReset) return;
  journal.clear();
  events.publish('reset', '{}');
}

/** Back to how it began: records, rules, journal and clock. */
export async function resetSession(session: Session): Promise<void> {
  const { store, journal, rules, events, sharing } = session;
  await store.reset();
  session.clock = session.firstClock;
  await (sharing ? sharing.reset() : rules.clear());
  journal.clear();
  events.publish('reset', '{}');
}
