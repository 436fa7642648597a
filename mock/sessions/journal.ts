import type { Operation, ReadRequest, Requirement, RouteMatch } from '#spec';
import { LONGEST_KEY } from '../http/authenticate.ts';
import type { FeedReader, MockRequest, MockResponse } from '../http/exchange.ts';
import { memoizeReusable } from '../http/memoize.ts';
import type { Refusal } from '../http/refusal.ts';
import type { Trace } from '../http/trace.ts';
import type { Sender } from '../records/accounts.ts';
import type { Preference } from './preferences/preference.ts';
import type { ActiveRule, RuleBook } from './preferences/rules.ts';

/** An exchange in the log; credentials are redacted when it is shown. */
export interface JournalEntry {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  readonly request: MockRequest;
  readonly status: number;
  /** Undefined: the document does not have the path, or an operation was found at the path as it was sent. */
  readonly match: RouteMatch<{ readonly operation: Operation }> | undefined;
  /** Undefined: the request matches no operation. */
  readonly operation: Operation | undefined;
  /** The values of the request. Undefined: an earlier step has decided. */
  readonly values: ReadRequest | undefined;
  /** The id of the record that the operation worked on. Undefined: none has run, or it works on no single record. */
  readonly record: string | undefined;
  readonly refusal: Refusal | undefined;
  /** The step of the operation that refused it. */
  readonly refusedAt?: string | undefined;
  /** The valid credentials of the request. Undefined: it has none, or an earlier step has decided. */
  readonly letInBy?: Requirement | undefined;
  readonly response: KeptResponse;
  /** Undefined: no rule, clock, account or preference was involved. */
  readonly decided: Decided | undefined;
  /** Why the request got its response. Undefined: this is worked out when requested. */
  readonly trace?: Trace;
}

/** A response; long bodies are cut. */
export interface KeptResponse
  extends Pick<MockResponse, 'headers' | 'body' | 'selected' | 'shows' | 'source' | 'violations'> {
  /** The length of the full body, in characters or bytes. Undefined: the body is complete. */
  readonly cutFrom?: number;
}

export interface Journal {
  /** Returns the exchange's number in the session. */
  add(entry: JournalEntry): number;
  /** The oldest first, each with its number in the session. */
  entries(): readonly NumberedEntry[];
  clear(): void;
  /** Restores the entries that were cleared last, before newer ones, unless another session has cleared its log since. */
  restore(): void;
}

export interface NumberedEntry extends JournalEntry {
  readonly number: number;
}

/** The entries that sessions may share beyond their minimum, since a thousand full journals would be too many. */
export interface JournalRoom {
  left: number;
  /** The entries cleared last in any session; keeping them for each would double the memory. */
  cleared?: Cleared | undefined;
}

/** The last entries, and how many there were in all. */
interface Kept {
  readonly last: JournalEntry[];
  readonly added: number;
}

interface Cleared extends Kept {
  readonly of: Journal;
}

export const createJournalRoom = (): JournalRoom => ({ left: 50_000 });

const MOST_ENTRIES = 1000;

/** The minimum for every session, however many there are. */
const LEAST_ENTRIES = 50;

export function createJournal(room: JournalRoom): Journal {
  let last: JournalEntry[] = [];
  /** The place of the oldest entry, which the next one replaces where there is no more room. */
  let oldest = 0;
  let added = 0;

  /** Whether there is room for one more entry. */
  function mayGrow(): boolean {
    if (last.length < LEAST_ENTRIES) return true;
    if (last.length >= MOST_ENTRIES || room.left === 0) return false;
    room.left--;
    return true;
  }

  const inOrder = () => [...last.slice(oldest), ...last.slice(0, oldest)];
  const beyondLeast = () => Math.max(0, last.length - LEAST_ENTRIES);

  function use(next: Kept): void {
    room.left += beyondLeast();
    ({ last, added } = next);
    oldest = 0;
    room.left -= beyondLeast();
  }

  const journal: Journal = {
    add(entry) {
      if (mayGrow()) {
        if (oldest > 0) last = inOrder();
        oldest = 0;
        last.push(withoutLongBodies(entry));
      } else {
        last[oldest] = withoutLongBodies(entry);
        oldest = (oldest + 1) % last.length;
      }
      return ++added;
    },
    entries() {
      const first = added - last.length;
      return inOrder().map((entry, offset) => ({ number: first + offset + 1, ...entry }));
    },
    clear() {
      if (added > 0) room.cleared = { of: journal, last: inOrder(), added };
      use({ last: [], added: 0 });
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
  /** Lets callers skip serialization without listeners. */
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
      // A proxy may hold back headers until the body's first bytes: so a comment is sent.
      reader.write(': listening\n\n');
      return () => readers.delete(reader);
    },
    close() {
      for (const reader of readers) reader.end();
      readers.clear();
    },
  };
}

/** In bytes. A thousand longer bodies would fill the memory. */
const LONGEST_BODY = 4096;

/** Whether a request's body is too long to store. */
export function isLongBody(body: MockRequest['body']): boolean {
  return body instanceof Uint8Array && body.length > LONGEST_BODY;
}

/** How much of a longer response is shown, in characters; more is stored so that a key across the end can be redacted. */
export const SHOWN_OF_LONG = LONGEST_BODY;
const KEPT_OF_LONG = SHOWN_OF_LONG + 3 * LONGEST_KEY;

function withoutLongBodies(entry: JournalEntry): JournalEntry {
  const { request, response, values } = entry;
  const isLong = isLongBody(request.body);
  const isCut = typeof response.body !== 'function' && response.body.length > KEPT_OF_LONG;
  if (!isLong && !isCut) return entry;
  return {
    ...entry,
    ...(isLong && {
      request: { ...request, body: 'too large' },
      values: values && { ...values, body: undefined },
    }),
    ...(isCut && { response: cut(response) }),
  };
}

/** Stored as bytes, since a substring would keep the full text in memory. */
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

/** Influences on an exchange other than request and document; each is absent if there were none. */
export interface Decided {
  /** The rules at the time of the request; if there are too many, the last. */
  readonly rules?: readonly ActiveRule[];
  /** The time of the session's clock at the request, in milliseconds since 1970. */
  readonly clock?: number;
  sender?: Sender;
  /** The request's preference, once it is read. */
  preference?: Preference;
  /** The applied rule, before it was counted. */
  rule?: ActiveRule;
  /** The rule that chose who responds, before it was counted. */
  sourceRule?: ActiveRule;
  /** The delay of the session's latency, in milliseconds. */
  sessionDelay?: number;
  /** The delay of the rule, in milliseconds. */
  ruleDelay?: number;
  /** The time until the real service responded, in milliseconds. */
  upstreamTime?: number;
  /** Why the mock responds instead of the real service. */
  mocked?: string;
}

/** Limits the rules per exchange in the log, since counting a rule makes a new list of all. */
const MOST_KEPT = 100;

/** A session's influences on requests, before any step runs. Undefined: none, as in most sessions. */
export function decidedIn({ rules }: RuleBook, clock: (() => number) | undefined): Decided | undefined {
  if (rules.length === 0 && !clock) return undefined;
  const kept = rules.length > MOST_KEPT ? rules.slice(-MOST_KEPT) : rules;
  return { ...(rules.length > 0 && { rules: kept }), ...(clock && { clock: clock() }) };
}
