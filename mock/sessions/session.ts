import { parseJson, stringifyJson } from '#spec';
import { type Awaitable, andThen } from '../http/exchange.ts';
import type { SharedSettings, Store } from '../store/port.ts';
import { createRecordEvents, type RecordEvents, type SwitchedStore } from '../store/record-events.ts';
import { createEvents, createJournal, type Events, type Journal, type JournalRoom } from './journal.ts';
import type { Outbox } from './outbox.ts';
import { type Delay, delayJson, NO_DELAY } from './preferences/delay.ts';
import {
  type ActiveRule,
  createRules,
  type RuleBook,
  type Rules,
  resetBook,
  rulesIn,
} from './preferences/rules.ts';

/** An isolated state: records, journal, rules, clock and latency. */
export interface Session {
  /** Empty: the session of requests that name none. */
  readonly name: string;
  readonly store: SwitchedStore;
  readonly journal: Journal;
  readonly rules: Rules;
  readonly events: Events;
  readonly recordEvents: RecordEvents;
  /** What it sends to its clients; undefined: nothing so far. */
  outbox: Outbox | undefined;
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
  const session: Session = {
    name,
    store,
    journal: createJournal(room),
    rules: sharing?.rules ?? createRules(rules),
    events: createEvents(),
    recordEvents: createRecordEvents(store, () => (session.clock ?? time)()),
    outbox: undefined,
    clock: sharing ? sharedClock(sharing, clock, time) : clock,
    firstClock: clock,
    latency: sharing?.latency ? unlessNone(sharing.latency) : latency,
    firstLatency: latency,
    sharing,
  };
  return session;
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
  return andThen(session.sharing?.setAhead(at === undefined ? null : at - time()), () =>
    session.events.publish('clock', JSON.stringify(clockJson(session, time))),
  );
}

export function clockJson({ clock }: Session, time: Time) {
  return { now: new Date((clock ?? time)()).toISOString(), given: clock !== undefined };
}

/** Delays every later response of the session. */
export function setLatency(session: Session, latency: Delay): Awaitable<void> {
  session.latency = unlessNone(latency);
  return andThen(session.sharing?.setLatency(latency), () =>
    session.events.publish('latency', JSON.stringify(latencyJson(session))),
  );
}

export function latencyJson({ latency = NO_DELAY }: Session) {
  return { latency: delayJson(latency) };
}

/** Applies what another mock on the same store changed. */
export function followNote(session: Session, note: string, time: Time): void {
  const { sharing, journal, events, recordEvents, firstClock, firstLatency } = session;
  if (!sharing) return;
  const wasReset = sharing.follow(note);
  session.latency = sharing.latency ? unlessNone(sharing.latency) : firstLatency;
  session.clock = sharedClock(sharing, firstClock, time);
  if (!wasReset) return;
  journal.clear();
  session.outbox?.clear();
  events.publish('reset', '{}');
  recordEvents.replaced();
}

/** Resets records, rules, journal, clock and latency to their initial state. */
export async function resetSession(session: Session): Promise<void> {
  const { store, journal, rules, events, sharing } = session;
  await store.reset();
  session.clock = session.firstClock;
  session.latency = session.firstLatency;
  await (sharing ? sharing.reset() : rules.reset());
  journal.clear();
  session.outbox?.clear();
  events.publish('reset', '{}');
}

/** Its collections hold this from now on. */
export async function restoreSession(
  { store, events }: Session,
  contents: Parameters<Store['restore']>[0],
): Promise<void> {
  await store.restore(contents);
  events.publish('state', '{}');
}

/** Returns the time in milliseconds since 1970-01-01T00:00Z. */
export type Time = () => number;

/** A clock that shows `at` now, and runs on. */
export function startClock(at: number, time: Time): Time {
  const ahead = at - time();
  return () => time() + ahead;
}

/**
 * Reads an RFC 3339 date or date-time into milliseconds since 1970; a date alone is 00:00 UTC, and a time without an
 * offset is UTC. Undefined: it is neither.
 */
export function readMoment(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i.test(text))
    return undefined;
  const zoned = /(?:Z|[+-]\d\d:\d\d)$/i.test(text) || !/[T ]/i.test(text) ? text : `${text}Z`;
  const moment = Date.parse(zoned);
  // Date.parse reads `2030-02-31` as a day in March.
  return Number.isNaN(moment) || !existsOn(text.slice(0, 10)) ? undefined : moment;
}

function existsOn(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** The settings of one session on every mock that shares its store. */
interface Settings {
  readonly book: RuleBook;
  /** How far its clock is ahead, in milliseconds; null: it has none; absent: its initial one. */
  readonly ahead?: number | null;
  /** Absent: the initial one. */
  readonly latency?: Delay;
  /** How often it was reset. */
  readonly resets: number;
}

interface Sharing {
  readonly rules: Rules;
  /** Undefined: the initial clock of the session. */
  readonly ahead: number | null | undefined;
  setAhead(ahead: number | null): Promise<void>;
  /** Undefined: the initial latency of the session. */
  readonly latency: Delay | undefined;
  setLatency(latency: Delay): Promise<void>;
  /** Back to the initial rules, clock and latency. */
  reset(): Promise<void>;
  /** Applies what another mock changed. True: the session was reset. */
  follow(note: string): boolean;
}

/** Keeps a session's settings in its store: mocks that share the store follow them within a moment. */
function createSharing(session: string, settings: SharedSettings, firstBook: RuleBook): Sharing {
  const initial: Settings = { book: firstBook, resets: 0 };
  const read = (note: string | undefined) => (note ? (parseJson(note) as Settings) : initial);
  let known = read(settings.get(session));

  async function change(edit: (old: Settings) => Settings): Promise<void> {
    let edited = known;
    await settings.update(session, (note) => {
      edited = edit(read(note));
      return stringifyJson(edited);
    });
    known = withOwnCounts(edited, known);
  }

  /** Resolves when the other mocks have it, too. Too slow for what every request does. */
  async function changeEverywhere(edit: (old: Settings) => Settings): Promise<void> {
    await change(edit);
    await settings.replicated();
  }

  return {
    rules: rulesIn(
      {
        read: () => known.book,
        change: (edit) => changeEverywhere((old) => ({ ...old, book: edit(old.book) })),
        count(edit, rule) {
          if (isCountedTogether(rule)) return change((old) => ({ ...old, book: edit(old.book) }));
          known = { ...known, book: edit(known.book) };
          return undefined;
        },
      },
      firstBook,
    ),
    get ahead() {
      return known.ahead;
    },
    setAhead: (ahead) => changeEverywhere((old) => ({ ...old, ahead })),
    get latency() {
      return known.latency;
    },
    setLatency: (latency) => changeEverywhere((old) => ({ ...old, latency })),
    reset: () =>
      changeEverywhere(({ book, resets }) => ({ book: resetBook(book, firstBook), resets: resets + 1 })),
    follow(note) {
      const before = known;
      const next = read(note);
      known = next.resets > before.resets ? next : withOwnCounts(next, before);
      return next.resets > before.resets;
    },
  };
}

/** Only where the number decides what is answered: each request would wait for the others. */
function isCountedTogether({ times, sequence, met }: ActiveRule): boolean {
  return times !== undefined || (sequence !== undefined && met < sequence.length);
}

/** Other mocks do not know how often this one has applied the rules that each counts for itself. */
function withOwnCounts(next: Settings, { book }: Settings): Settings {
  if (next.book.rules.length === 0) return next;
  const own = new Map(book.rules.map(({ id, met }) => [id, met]));
  const rules = next.book.rules.map((rule) => {
    const met = Math.max(rule.met, own.get(rule.id) ?? 0);
    return met === rule.met || isCountedTogether(rule) ? rule : { ...rule, met };
  });
  return { ...next, book: { ...next.book, rules } };
}
