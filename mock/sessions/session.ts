import { stringifyJson } from '#spec';
import { type Awaitable, andThen } from '../http/exchange.ts';
import type { Collection, Contents } from '../store/port.ts';
import { createRecordEvents, type RecordEvents, type SwitchedStore } from '../store/record-events.ts';
import { createEvents, createJournal, type Events, type Journal, type JournalRoom } from './journal.ts';
import type { Outbox } from './outbox.ts';
import { type Delay, delayJson, NO_DELAY } from './preferences/delay.ts';
import {
  type ActiveRule,
  createRules,
  type RuleBook,
  type Rules,
  replacedBook,
  resetBook,
  ruleForm,
} from './preferences/rules.ts';
import type { SeedSettings, SettingsForm } from './preferences/seed-settings.ts';

/** An isolated state: records, journal, rules, clock and latency. */
export interface Session {
  /** Empty: the default session. */
  readonly name: string;
  readonly store: SwitchedStore;
  readonly journal: Journal;
  readonly rules: Rules;
  readonly events: Events;
  readonly recordEvents: RecordEvents;
  /** What it sends to its clients. Undefined: nothing so far. */
  outbox: Outbox | undefined;
  /** Undefined: the session uses real time, and no operation is removed. */
  readonly clock: Time | undefined;
  /** The delay of every response. Undefined: none. */
  readonly latency: Delay | undefined;
  readonly initial: SessionContext;
  /** Resolves when all mocks with the same store have the change. */
  change(edit: (settings: Settings) => Settings): Awaitable<void>;
  readonly settings: Settings;
  /** Applies another mock's change. True: it has reset the session. */
  follow(settings: Settings): boolean;
}

/** The settings of a session, saved in its store; absent members have their initial value. */
interface Settings {
  readonly book?: RuleBook;
  /** The offset of its clock, in milliseconds; null: real time. */
  readonly ahead?: number | null;
  readonly latency?: Delay;
  /** How often it was reset. */
  readonly resets?: number;
}

/** The initial state of all sessions. */
export interface SessionContext {
  readonly room: JournalRoom;
  readonly clock: Time | undefined;
  readonly latency: Delay;
  readonly rules: RuleBook;
  readonly time: Time;
}

export function createSession(name: string, store: SwitchedStore, context: SessionContext): Session {
  const { rules: first, time } = context;
  const isShared = store.settings.subscribe !== undefined;
  const bookIn = ({ book = first }: Settings) => book;
  let currentSettings = (store.settings.get(name) ?? {}) as Settings;

  function use(settings: Settings): void {
    currentSettings = settings;
    const { ahead, latency = context.latency } = settings;
    // Precomputed, so that requests need only one comparison.
    session.latency = latency.high === 0 ? undefined : latency;
    session.clock = ahead === undefined ? context.clock : ahead === null ? undefined : () => time() + ahead;
  }

  function write(edit: (settings: Settings) => Settings): Awaitable<void> {
    let edited = currentSettings;
    const writing = store.settings.update(name, (stored) => {
      edited = edit(isShared ? ((stored ?? {}) as Settings) : currentSettings);
      return edited;
    });
    return andThen(writing, () => use(isShared ? withOwnCounts(edited, currentSettings) : edited));
  }

  /** Waits for other mocks, so it is too slow for every request. */
  const change = (edit: (settings: Settings) => Settings): Awaitable<void> =>
    andThen(write(edit), () => store.settings.replicated?.());

  const session: { -readonly [Member in keyof Session]: Session[Member] } = {
    name,
    store,
    change,
    initial: context,
    outbox: undefined,
    journal: createJournal(context.room),
    rules: createRules({
      read: () => bookIn(currentSettings),
      change: (edit) => change((old) => ({ ...old, book: edit(bookIn(old)) })),
      count(edit, rule) {
        if (isCountedTogether(rule)) return write((old) => ({ ...old, book: edit(bookIn(old)) }));
        currentSettings = { ...currentSettings, book: edit(bookIn(currentSettings)) };
        return undefined;
      },
    }),
    events: createEvents(),
    recordEvents: createRecordEvents(store, () => (session.clock ?? time)()),
    clock: undefined,
    latency: undefined,
    get settings() {
      return currentSettings;
    },
    follow(settings) {
      const wasReset = (settings.resets ?? 0) > (currentSettings.resets ?? 0);
      use(wasReset ? settings : withOwnCounts(settings, currentSettings));
      return wasReset;
    },
  };
  use(currentSettings);
  return session;
}

/** Undefined removes the session's clock. */
export function setClock(session: Session, at: number | undefined, time: Time): Awaitable<void> {
  const ahead = at === undefined ? null : at - time();
  const changing = session.change((old) => ({ ...old, ahead }));
  return andThen(changing, () => session.events.publish('clock', JSON.stringify(clockJson(session, time))));
}

/** The clock of a session in the control API. */
export interface ClockView {
  /** RFC 3339, UTC. */
  readonly now: string;
  /** Whether the session has its own clock. */
  readonly given: boolean;
}

export function clockJson({ clock }: Session, time: Time): ClockView {
  return { now: new Date((clock ?? time)()).toISOString(), given: clock !== undefined };
}

/** Delays every later response of the session. */
export function setLatency(session: Session, latency: Delay): Awaitable<void> {
  const changing = session.change((old) => ({ ...old, latency }));
  return andThen(changing, () => session.events.publish('latency', JSON.stringify(latencyJson(session))));
}

export interface LatencyView {
  /** Milliseconds, or a range such as `50-150`. */
  readonly latency: number | string;
}

export function latencyJson({ latency = NO_DELAY }: Session): LatencyView {
  return { latency: delayJson(latency) };
}

/** Applies a change by another mock on the same store. */
export function followSettings(session: Session, settings: unknown): void {
  if (!session.follow((settings ?? {}) as Settings)) return;
  clearLog(session);
  session.recordEvents.replaced();
}

/** Resets records, rules, journal, clock and latency to their initial state. */
export async function resetSession(session: Session): Promise<void> {
  const { store, initial, change } = session;
  await store.reset();
  await change(({ book, resets = 0 }) => ({
    ...(book && { book: resetBook(book, initial.rules) }),
    resets: resets + 1,
  }));
  clearLog(session);
}

function clearLog({ journal, outbox, events }: Session): void {
  journal.clear();
  outbox?.clear();
  events.publish('reset', '{}');
}

/** The settings of a session. */
export function settingsForm({ rules, latency, clock }: Session): SettingsForm {
  return {
    rules: rules.all().map(ruleForm),
    latency: delayJson(latency ?? NO_DELAY),
    ...(clock && { now: new Date(clock()).toISOString() }),
  };
}

/** The settings that differ from their initial values. */
export function changedSettings(session: Session): SettingsForm {
  const { settings, initial } = session;
  const { rules = [], latency, now } = settingsForm(session);
  const isSame = stringifyJson(rules) === stringifyJson(initial.rules.rules.map(ruleForm));
  return {
    ...(!isSame && { rules }),
    ...(settings.latency && latency !== undefined && { latency }),
    ...(settings.ahead !== undefined && now !== undefined && { now }),
  };
}

/** Replaces rules, latency and clock; and collections, if some are given. */
export async function restoreSession(
  { store, events, initial, change }: Session,
  { rules, latency, now }: SeedSettings,
  records: ReadonlyMap<Collection, Contents> | undefined,
): Promise<void> {
  await change(({ book = initial.rules, resets }) => ({
    ...(resets !== undefined && { resets }),
    book: rules ? replacedBook(book, rules) : resetBook(book, initial.rules),
    ...(latency && { latency }),
    ...(now !== undefined && { ahead: now - initial.time() }),
  }));
  if (records) await store.restore(records);
  events.publish('state', '{}');
}

/** Returns the time in milliseconds since 1970-01-01T00:00Z. */
export type Time = () => number;

/** A running clock that now shows `at`. */
export function startClock(at: number, time: Time): Time {
  const ahead = at - time();
  return () => time() + ahead;
}

/** Mocks count a rule together only if the count changes the answer, since requests then wait for each other. */
function isCountedTogether({ times, sequence, met }: ActiveRule): boolean {
  return times !== undefined || (sequence !== undefined && met < sequence.length);
}

/** Keeps this mock's counts of rules that each mock counts for itself. */
function withOwnCounts(next: Settings, { book }: Settings): Settings {
  if (!next.book || next.book.rules.length === 0) return next;
  const counts = new Map(book?.rules.map(({ id, met }) => [id, met]));
  const rules = next.book.rules.map((rule) => {
    const met = Math.max(rule.met, counts.get(rule.id) ?? 0);
    return met === rule.met || isCountedTogether(rule) ? rule : { ...rule, met };
  });
  return { ...next, book: { ...next.book, rules } };
}
