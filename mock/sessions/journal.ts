import type { Operation, Requirement } from '#spec';
import { LONGEST_KEY } from '../http/authenticate.ts';
import type { FeedReader, MockRequest, MockResponse } from '../http/exchange.ts';
import { memoizeReusable } from '../http/memoize.ts';
import type { Refusal } from '../http/refusal.ts';
import type { Trace } from '../http/trace.ts';
import type { Sender } from '../records/accounts.ts';
import type { Preference } from './preferences/preference.ts';
import type { ActiveRule, RuleBook } from './preferences/rules.ts';

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
  /** The step of the operation that has refused it. */
  readonly refusedAt?: string | undefined;
  /** Its credentials that are valid; undefined: it has none, or something before has decided. */
  readonly letInBy?: Requirement | undefined;
  readonly response: KeptResponse;
  /** Undefined: there was nothing to decide that request and document do not say. */
  readonly decided: Decided | undefined;
  /** Why the request got its response; undefined: it is made when somebody asks. */
  readonly trace?: Trace;
}

/** A response, of a long body only the beginning. */
export interface KeptResponse
  extends Pick<MockResponse, 'headers' | 'body' | 'selected' | 'shows' | 'source' | 'violations'> {
  /** The length of the whole body, in characters or bytes; undefined: the body is whole. */
  readonly cutFrom?: number;
}

export interface Journal {
  /** Returns the exchange's number in the session. */
  add(entry: JournalEntry): number;
  /** The oldest first, each with its number in the session. */
  entries(): readonly NumberedEntry[];
  clear(): void;
  /** Brings back what was cleared last, before what has come since; what another journal has cleared later is in its place. */
  restore(): void;
}

export interface NumberedEntry extends JournalEntry {
  readonly number: number;
}

/** How many entries beyond the least all sessions may keep together: a thousand full journals would be too many. */
export interface JournalRoom {
  left: number;
  /** What was cleared last, of all sessions: each would need twice its memory. */
  cleared?: Cleared | undefined;
}

interface Cleared extends Ring {
  readonly of: Journal;
}

/** The last entries; the one with the number `n` is at `(n - 1) % most`. */
interface Ring {
  readonly ring: JournalEntry[];
  readonly added: number;
  readonly most: number;
}

export const createJournalRoom = (): JournalRoom => ({ left: 50_000 });

const MOST_ENTRIES = 1000;

/** What every session may keep, however many there are. */
const LEAST_ENTRIES = 50;

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

  const inOrder = () => ring.map((_, offset) => ring[(added - ring.length + offset) % most] as JournalEntry);
  const beyondLeast = () => Math.max(0, ring.length - LEAST_ENTRIES);

  function use(next: Ring): void {
    room.left += beyondLeast();
    ({ ring, added, most } = next);
    room.left -= beyondLeast();
  }

  const journal: Journal = {
    add(entry) {
      if (added < most) grow();
      ring[added++ % most] = withoutLongBodies(entry);
      return added;
    },
    entries() {
      const first = added - ring.length;
      return inOrder().map((entry, offset) => ({ number: first + offset + 1, ...entry }));
    },
    clear() {
      if (added > 0) room.cleared = { of: journal, ring, added, most };
      use({ ring: [], added: 0, most: MOST_ENTRIES });
    },
    restore() {
      if (room.cleared?.of !== journal) return;
      const newer = inOrder();
      use(room.cleared);
      room.cleared = undefined;
      for (const entry of newer) journal.add(entry);
    },
  };
  return journal;
}

/** The events of a session for its listeners (WHATWG HTML §9.2, server-sent events). */
export interface Events {
  /** So that nothing is serialized without a listener. */
  readonly hasListeners: boolean;
  /** `data` is JSON text. */
  publish(event: string, data: string): void;
  listen(reader: FeedReader): () => void;
  close(): void;
}

export function createEvents(): Events {
  const readers = new Set<FeedReader>();
  return {
    get hasListeners() {
      return readers.size > 0;
    },
    publish(event, data) {
      for (const reader of readers) reader.write(`event: ${event}\ndata: ${data}\n\n`);
    },
    listen(reader) {
      readers.add(reader);
      // A proxy may hold headers back until the first bytes of a body: a comment.
      reader.write(': listening\n\n');
      return () => readers.delete(reader);
    },
    close() {
      for (const reader of readers) reader.end();
      readers.clear();
    },
  };
}

/** In bytes. Longer bodies are not kept: a thousand of them would fill the memory. */
const LONGEST_BODY = 4096;

/** Whether a body of a request is too long to be kept. */
export function isLongBody(body: MockRequest['body']): boolean {
  return body instanceof Uint8Array && body.length > LONGEST_BODY;
}

/** How much of a longer response is shown, in characters; what is kept beyond holds the rest of a key to be redacted. */
export const SHOWN_OF_LONG = LONGEST_BODY;
const KEPT_OF_LONG = SHOWN_OF_LONG + 3 * LONGEST_KEY;

function withoutLongBodies(entry: JournalEntry): JournalEntry {
  const { request, response } = entry;
  const isLong = isLongBody(request.body);
  const isCut = typeof response.body !== 'function' && response.body.length > KEPT_OF_LONG;
  if (!isLong && !isCut) return entry;
  return {
    ...entry,
    ...(isLong && { request: { ...request, body: 'too large' } }),
    ...(isCut && { response: cut(response) }),
  };
}

/** As bytes, since a piece of a text holds on to the whole of it. */
const cut = memoizeReusable(
  ({ headers, body, selected, shows, source, violations }: KeptResponse): KeptResponse => {
    const whole = body as string | Uint8Array;
    const piece = whole.slice(0, KEPT_OF_LONG);
    return {
      headers,
      body: typeof piece === 'string' ? new TextEncoder().encode(piece) : piece,
      cutFrom: whole.length,
      selected,
      shows,
      ...(source && { source }),
      ...(violations && { violations }),
    };
  },
);

/** What was decided during an exchange that neither request nor document says; each is absent where there was nothing to decide. */
export interface Decided {
  /** The rules when the request came; of very many the newest. */
  readonly rules?: RuleBook;
  /** What the clock of the session showed when the request came, in milliseconds since 1970. */
  readonly clock?: number;
  sender?: Sender;
  /** What the request prefers, where it has got so far. */
  preference?: Preference;
  /** The rule that was applied, as it was before. */
  rule?: ActiveRule;
  /** The rule that said who responds, as it was before. */
  sourceRule?: ActiveRule;
  /** Milliseconds that the latency of the session took. */
  sessionDelay?: number;
  /** Milliseconds that the delay of the rule took. */
  ruleDelay?: number;
  /** Milliseconds until the real service responded. */
  upstreamTime?: number;
  /** Why the mock responds in the place of the real service. */
  mocked?: string;
}

/** An exchange in the log keeps no more: a rule that is counted makes another list of all of them. */
const MOST_KEPT = 100;

/** What a session has that decides on requests, before it is looked at. Undefined: nothing, as in most sessions. */
export function decidedIn(book: RuleBook, clock: (() => number) | undefined): Decided | undefined {
  const { rules, spent = [], lastId } = book;
  const hasRules = rules.length > 0 || spent.length > 0;
  if (!hasRules && !clock) return undefined;
  const isMuch = rules.length + spent.length > MOST_KEPT;
  const kept = isMuch ? { rules: rules.slice(-MOST_KEPT), spent: [], lastId } : book;
  return { ...(hasRules && { rules: kept }), ...(clock && { clock: clock() }) };
}
