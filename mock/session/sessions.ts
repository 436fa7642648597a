import type { Time } from './clock.ts';
import type { Session } from './session.ts';

/** All sessions of a mock. */
export interface Sessions {
  /** The session of requests that name none. */
  readonly main: Session;
  /** Made at its first use. */
  find(name: string): Session;
  readonly names: readonly string[];
  readonly all: readonly Session[];
  close(): void;
}

export interface SessionsOptions {
  readonly open: (name: string) => Session;
  /** How many named sessions there can be; above that, the one that was idle the longest goes. */
  readonly most: number;
  /** In milliseconds: nobody touched it for so long, and it goes. */
  readonly idle: number;
  readonly time: Time;
  /** Told which session went, and why. */
  readonly notice: (text: string) => void;
}

interface Kept {
  readonly session: Session;
  touched: number;
}

const SWEEP_MS = 60_000;

export function createSessions({ open, most, idle, time, notice }: SessionsOptions): Sessions {
  const main = open('');
  // In the order in which they were touched: the first one was idle the longest.
  const named = new Map<string, Kept>();
  let sweeping: NodeJS.Timeout | undefined;

  function drop({ session }: Kept, why: string): void {
    named.delete(session.name);
    session.events.close();
    session.journal.clear();
    session.store.close();
    notice(`session "${session.name}" is gone: ${why}`);
  }

  function dropIdle(): void {
    const since = time() - idle;
    for (const kept of named.values()) {
      if (kept.touched > since) break;
      drop(kept, 'nobody used it for a while');
    }
  }

  function make(name: string): Kept {
    if (named.size >= most) {
      const [oldest] = named.values();
      if (oldest) drop(oldest, `there are more than ${most} sessions, and it was idle the longest`);
    }
    sweeping ??= setInterval(dropIdle, SWEEP_MS).unref();
    return { session: open(name), touched: 0 };
  }

  return {
    main,
    find(name) {
      if (name === '') return main;
      dropIdle();
      const kept = named.get(name) ?? make(name);
      kept.touched = time();
      named.delete(name);
      named.set(name, kept);
      return kept.session;
    },
    get names() {
      return [...named.keys()];
    },
    get all() {
      return [main, ...[...named.values()].map(({ session }) => session)];
    },
    close() {
      clearInterval(sweeping);
      for (const { events } of this.all) events.close();
    },
  };
}
