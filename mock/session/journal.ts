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

/** What every session may keep, however many there are. */
const LEAST_ENTRIES = 50;

/** How many entries beyond the least all sessions may keep together: a thousand full journals would be too many. */
export interface JournalRoom {
  left: number;
}

export const createJournalRoom = (): JournalRoom => ({ left: 50_000 });

/** Longer bodies are not kept: a thousand of them would fill the memory. */
const LONGEST_BODY = 4096;

/**
 * An exchange as it is kept. A class, because V8 learns of literals where in its heap they should begin: from a burst
 * of requests that nearly all of them live long, and from then on they fill the old space, where only a full
 * collection finds out that they are dead.
 */
class Kept implements JournalEntry {
  readonly at: number;
  readonly ms: number;
  readonly request: MockRequest;
  readonly status: number;
  readonly operation: Operation | undefined;
  readonly refusal: Refusal | undefined;

  constructor({ at, ms, request, status, operation, refusal }: JournalEntry) {
    this.at = at;
    this.ms = ms;
    this.request = new KeptRequest(request);
    this.status = status;
    this.operation = operation;
    this.refusal = refusal;
  }
}

class KeptRequest implements MockRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: MockRequest['headers'];
  readonly body: MockRequest['body'];

  constructor({ method, path, query, headers, body }: MockRequest) {
    this.method = method;
    this.path = path;
    this.query = query;
    this.headers = headers;
    this.body = body instanceof Uint8Array && body.length > LONGEST_BODY ? 'too large' : body;
  }
}

export function createJournal(room: JournalRoom): Journal {
  let ring: JournalEntry[] = [];
  let added = 0;
  let most = MOST_ENTRIES;

  /** Once there is no more room, the ring stays as long as it is. */
  function grow(): void {
    if (ring.length < LEAST_ENTRIES) return;
    if (room.left > 0) room.left--;
    else most = ring.length;
  }

  return {
    add(entry) {
      if (added < most) grow();
      ring[added++ % most] = new Kept(entry);
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
