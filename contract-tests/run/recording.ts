import type { Client } from '../send/client.ts';
import type { WireRequest, WireResponse } from '../send/wire.ts';

interface OfCase {
  readonly caseId: string | undefined;
}

/** A list that ends at a number of entries and of bytes: a run may be long, and responses large. */
interface BoundedList<T extends OfCase> {
  readonly entries: readonly T[];
  /** How many were not kept, for want of room. */
  readonly dropped: () => number;
  add(entry: T, bytes: number): void;
  /** What was added under one name is a case's. */
  rename(from: string, caseId: string): void;
}

const MOST_ENTRIES = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

function createBoundedList<T extends OfCase>(): BoundedList<T> {
  const entries: T[] = [];
  const names = new Map<string | undefined, string>();
  let total = 0;
  let dropped = 0;
  const named = (entry: T) => ({ ...entry, caseId: names.get(entry.caseId) ?? entry.caseId });
  return {
    entries,
    dropped: () => dropped,
    add(entry, bytes) {
      total += bytes;
      if (entries.length < MOST_ENTRIES && total <= MOST_BYTES) entries.push(named(entry));
      else dropped += 1;
    },
    rename(from, caseId) {
      names.set(from, caseId);
      for (const [index, entry] of entries.entries())
        if (entry.caseId === from) entries[index] = named(entry);
    },
  };
}

/** A request as it was sent, with its response or with what stood in the way of one. */
export interface LoggedExchange {
  /** The case that sent it; undefined: no case did. */
  readonly caseId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly ms: number;
  readonly request: WireRequest;
  readonly response: WireResponse | { readonly error: string };
}

/** Everything that a run sends: repeated requests and failed ones, too. */
export interface WireLog {
  readonly entries: readonly LoggedExchange[];
  /** How many were not kept, for want of room. */
  readonly dropped: () => number;
  /** Says whose request it is, before it is sent. */
  assign(request: WireRequest, caseId: string): void;
  /** What was sent under one name is a case's. */
  rename(from: string, caseId: string): void;
  /** A client that logs what it sends. */
  watch(client: Client): Client;
}

export function createWireLog(): WireLog {
  const { entries, dropped, add, rename } = createBoundedList<LoggedExchange>();
  const cases = new WeakMap<WireRequest, string>();
  return {
    entries,
    dropped,
    rename,
    assign: (request, caseId) => void cases.set(request, caseId),
    watch: (client) => ({
      ...client,
      async send(request) {
        const startedAt = Date.now();
        const started = performance.now();
        const log = (response: LoggedExchange['response'], bytes: number) => {
          const ms = performance.now() - started;
          add({ caseId: cases.get(request), startedAt, ms, request, response }, bytes);
        };
        try {
          const response = await client.send(request);
          log(response, response.body.length);
          return response;
        } catch (error) {
          log({ error: (error as Error).message }, 0);
          throw error;
        }
      },
    }),
  };
}
