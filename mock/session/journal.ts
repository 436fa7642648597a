import type { Operation } from '#spec';
import type { Refusal } from '../errors/refusal.ts';
import type { MockRequest } from '../exchange/exchange.ts';

/** One exchange; credentials are redacted when it is shown. */
export interface JournalEntry {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  readonly request: MockRequest;
  readonly status: number;
  /** Undefined: the request matches no operation. */
  readonly operation: Operation | undefined;
  readonly refusal: Refusal | undefined;
}

/** The last exchanges of a session. */
export interface Journal {
  /** Returns the exchange's number in the session. */
  add(entry: JournalEntry): number;
  /** The oldest first, each with its number in the session. */
  entries(): readonly NumberedEntry[];
  clear(): void;
}

export interface NumberedEntry extends JournalEntry {
  readonly number: number;
}

const MOST_ENTRIES = 1000;

/** What every session may keep, however many there are. */
const LEAST_ENTRIES = 50;

/** How many entries beyond the least all sessions may keep together: a thousand full journals would be too many. */
export interface JournalRoom {
  left: number;
}

export const createJournalRoom = (): JournalRoom => ({ left: 50_000 });

/** In bytes. Longer bodies are not kept: a thousand of them would fill the memory. */
const LONGEST_BODY = 4096;

function withoutLongBody(entry: JournalEntry): JournalEntry {
  const { body } = entry.request;
  const isLong = body instanceof Uint8Array && body.length > LONGEST_BODY;
  return isLong ? { ...entry, request: { ...entry.request, body: 'too large' } } : entry;
}

export function createJournal(room: JournalRoom): Journal {
  let ring: JournalEntry[] = [];
  let added = 0;
  let most = MOST_ENTRIES;

  /** Without room left the ring keeps its length. */
  function grow(): void {
    if (ring.length < LEAST_ENTRIES) return;
    if (room.left > 0) room.left--;
    else most = ring.length;
  }

  return {
    add(entry) {
      if (added < most) grow();
      ring[added++ % most] = withoutLongBody(entry);
      return added;
    },
    entries() {
      const first = added - ring.length;
      return ring.map((_, offset) => {
        const number = first + offset;
        return { number: number + 1, ...(ring[number % most] as JournalEntry) };
      });
    },
    clear() {
      room.left += Math.max(0, ring.length - LEAST_ENTRIES);
      ring = [];
      added = 0;
      most = MOST_ENTRIES;
    },
  };
}
