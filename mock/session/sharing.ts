import { NO_RULES, type RuleBook, type Rules, rulesIn } from '../preferences/rules.ts';
import type { SharedSettings } from '../store/port.ts';

/** The settings of one session on every mock that shares its store. */
interface Settings {
  readonly book: RuleBook;
  /** How far its clock is ahead, in milliseconds; null: it has none; absent: its initial one. */
  readonly ahead?: number | null;
  /** How often it was reset. */
  readonly resets: number;
}

const INITIAL: Settings = { book: NO_RULES, resets: 0 };

export interface Sharing {
  readonly rules: Rules;
  /** Undefined: the initial clock of the session. */
  readonly ahead: number | null | undefined;
  setAhead(ahead: number | null): Promise<void>;
  /** Back to no rules and the initial clock. */
  reset(): Promise<void>;
  /** Applies what another mock changed. True: the session was reset. */
  follow(note: string): boolean;
}

/** Keeps a session's settings in its store: mocks that share the store follow them within a moment. */
export function createSharing(session: string, settings: SharedSettings): Sharing {
  let known = read(settings.get(session));

  async function change(edit: (old: Settings) => Settings): Promise<void> {
    let edited = known;
    await settings.update(session, (note) => {
      edited = edit(read(note));
      return JSON.stringify(edited);
    });
    known = edited;
  }

  /** Resolves when the other mocks have it, too. Too slow for what every request does. */
  async function changeEverywhere(edit: (old: Settings) => Settings): Promise<void> {
    await change(edit);
    await settings.replicated();
  }

  return {
    rules: rulesIn({
      read: () => known.book,
      change: (edit) => changeEverywhere((old) => ({ ...old, book: edit(old.book) })),
      count(edit, { times }) {
        // Only rules with a limit are counted by all mocks together: each request would wait for the others.
        if (times !== undefined) return change((old) => ({ ...old, book: edit(old.book) }));
        known = { ...known, book: edit(known.book) };
        return undefined;
      },
    }),
    get ahead() {
      return known.ahead;
    },
    setAhead: (ahead) => changeEverywhere((old) => ({ ...old, ahead })),
    reset: () =>
      changeEverywhere(({ book, resets }) => ({ book: { ...book, rules: [] }, resets: resets + 1 })),
    follow(note) {
      const before = known;
      known = read(note);
      return known.resets > before.resets;
    },
  };
}

function read(note: string | undefined): Settings {
  return note ? JSON.parse(note) : INITIAL;
}
