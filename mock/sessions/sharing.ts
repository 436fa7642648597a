import { parseJson, stringifyJson } from '#spec';
import type { SharedSettings } from '../store/port.ts';
import type { Delay } from './preferences/delay.ts';
import type { ActiveRule } from './preferences/rule.ts';
import { type RuleBook, type Rules, resetBook, rulesIn } from './preferences/rules.ts';

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

export interface Sharing {
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
export function createSharing(session: string, settings: SharedSettings, firstBook: RuleBook): Sharing {
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
