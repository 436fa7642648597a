import type { Operation } from '#spec';
import type { MockRequest } from '../answer/exchange.ts';
import type { Refusal } from '../answer/refusal.ts';

/** One exchange as it was; what is secret in it is taken out when it is shown. */
export interface JournalEntry {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  readonly request: MockRequest;
  readonly status: number;
  /** Undefined: the request means no operation. */
  readonly operation: Operation | undefined;
  readonly refusal: Refusal | undefined;
}

/** The last exchanges of a session. */
export interface Journal {
  /** Gives the exchange's number in the session. */
  add(entry: JournalEntry): number;
  /** The oldest first, each with its number in the session. */
  entries(): readonly NumberedEntry[];
  clear(): void;
}

export interface NumberedEntry extends JournalEntry {
  readonly number: number;
}

const MOST_ENTRIES = 1000;

/** Longer bodies are not kept: a thousand of them would fill the memory. */
const LONGEST_BODY = 4096;

export function createJournal(): Journal {
  let ring: JournalEntry[] = [];
  let added = 0;
  return {
    add(entry) {
      ring[added++ % MOST_ENTRIES] = isLong(entry.request) ? withoutBody(entry) : entry;
      return added;
    },
    entries() {
      const first = Math.max(0, added - MOST_ENTRIES);
      return ring.map((_, offset) => {
        const number = first + offset;
        return { number: number + 1, ...(ring[number % MOST_ENTRIES] as JournalEntry) };
      });
    },
    clear() {
      ring = [];
      added = 0;
    },
  };
}

function isLong({ body }: MockRequest): boolean {
  return body instanceof Uint8Array && body.length > LONGEST_BODY;
}

function withoutBody(entry: JournalEntry): JournalEntry {
  return { ...entry, request: { ...entry.request, body: 'too large' } };
}
