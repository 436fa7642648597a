import type { SharedSettings } from '../store/port.ts';
import {
  findRule,
  meetRule,
  NO_RULES,
  type RuleBook,
  type Rules,
  type StandingRule,
  withoutRule,
  withRule,
} from './rules.ts';

/** What steers one session on every mock that shares its store. */
interface Steering {
  readonly book: RuleBook;
  /** How far its clock is ahead, in milliseconds; null: it has none; absent: the one that it began with. */
  readonly ahead?: number | null;
  /** How often it was reset. */
  readonly resets: number;
}

const FRESH: Steering = { book: NO_RULES, resets: 0 };

export interface Sharing {
  readonly rules: Rules;
  /** Undefined: the clock is the one that the session began with. */
  readonly ahead: number | null | undefined;
  setAhead(ahead: number | null): Promise<void>;
  /** No rules, and the first clock. */
  reset(): Promise<void>;
  /** Takes over what another mock has changed. True: among it was a reset. */
  follow(note: string): boolean;
}

/** Steers a session by a note in its store: mocks that share the store follow it within a moment. */
export function createSharing(session: string, settings: SharedSettings): Sharing {
  let known = read(settings.get(session));

  async function change(edit: (old: Steering) => Steering): Promise<void> {
    let edited = known;
    await settings.update(session, (note) => {
      edited = edit(read(note));
      return JSON.stringify(edited);
    });
    known = edited;
  }

  /** For what nobody waits for at each request: whoever is answered finds it on the other mocks, too. */
  async function changeForAll(edit: (old: Steering) => Steering): Promise<void> {
    await change(edit);
    await settings.replicated();
  }

  const rules: Rules = {
    get isEmpty() {
      return known.book.rules.length === 0;
    },
    async add(rule) {
      let added: StandingRule | undefined;
      await changeForAll((old) => {
        const book = withRule(old.book, rule);
        added = book.rules.at(-1);
        return { ...old, book };
      });
      return added as StandingRule;
    },
    all: () => known.book.rules,
    async remove(id) {
      let wasThere = false;
      await changeForAll((old) => {
        const book = withoutRule(old.book, id);
        wasThere = book.rules.length < old.book.rules.length;
        return { ...old, book };
      });
      return wasThere;
    },
    clear: () => changeForAll((old) => ({ ...old, book: { ...old.book, rules: [] } })),
    take(operation) {
      const rule = findRule(known.book, operation);
      if (rule?.times !== undefined) return takeCounted(operation);
      if (!rule) return undefined;
      // A rule without an end need not be counted by all together: each request would wait for the others.
      const [met, book] = meetRule(known.book, rule);
      known = { ...known, book };
      return met;
    },
  };

  async function takeCounted(operation: string): Promise<StandingRule | undefined> {
    let taken: StandingRule | undefined;
    await change((old) => {
      const rule = findRule(old.book, operation);
      const [met, book] = rule ? meetRule(old.book, rule) : [undefined, old.book];
      taken = met;
      return { ...old, book };
    });
    return taken;
  }

  return {
    rules,
    get ahead() {
      return known.ahead;
    },
    setAhead: (ahead) => changeForAll((old) => ({ ...old, ahead })),
    reset: () => changeForAll(({ book, resets }) => ({ book: { ...book, rules: [] }, resets: resets + 1 })),
    follow(note) {
      const before = known;
      known = read(note);
      return known.resets > before.resets;
    },
  };
}

function read(note: string | undefined): Steering {
  return note ? JSON.parse(note) : FRESH;
}
