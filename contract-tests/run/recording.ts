import type { Client } from '../send/client.ts';
import type { WireRequest, WireResponse } from '../send/wire.ts';

/** Limits of the log in entries and bytes: a run may be long, and responses large. */
const MOST_ENTRIES = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** A request as it was sent, with its response or the error. */
export interface LoggedExchange {
  /** The case that sent it; undefined: no case. */
  readonly caseId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly ms: number;
  readonly request: WireRequest;
  readonly response: WireResponse | { readonly error: string };
}

/** Logs all requests of a run, including repeated and failed ones. */
export interface WireLog {
  readonly entries: readonly LoggedExchange[];
  /** The number of entries that were dropped. */
  readonly dropped: () => number;
  /** Sets the case of a request before it is sent. */
  assign(request: WireRequest, caseId: string): void;
  /** Assigns the entries of shared work to a case. */
  rename(from: string, caseId: string): void;
  /** Wraps a client so that it logs its requests. */
  watch(client: Client): Client;
}

export function createWireLog(): WireLog {
  const entries: LoggedExchange[] = [];
  const names = new Map<string | undefined, string>();
  const cases = new WeakMap<WireRequest, string>();
  let [total, dropped] = [0, 0];
  const named = (entry: LoggedExchange) => ({ ...entry, caseId: names.get(entry.caseId) ?? entry.caseId });
  return {
    entries,
    dropped: () => dropped,
    rename(from, caseId) {
      names.set(from, caseId);
      for (const [index, entry] of entries.entries())
        if (entry.caseId === from) entries[index] = named(entry);
    },
    assign: (request, caseId) => void cases.set(request, caseId),
    watch: (client) => ({
      ...client,
      async send(request) {
        const startedAt = Date.now();
        const started = performance.now();
        const log = (response: LoggedExchange['response'], bytes: number) => {
          const ms = performance.now() - started;
          total += bytes;
          const isFull = entries.length >= MOST_ENTRIES || total > MOST_BYTES;
          if (isFull) dropped += 1;
          else entries.push(named({ caseId: cases.get(request), startedAt, ms, request, response }));
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

/** The response times of an operation, in milliseconds: the median, the 95th percentile and the maximum. */
export interface Latency {
  readonly operationId: string;
  readonly requests: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** Records the duration of each exchange, by operation. */
export interface LatencyRecorder {
  note(operationId: string, ms: number): void;
  report(): Latency[];
}

export function createLatencyRecorder(operationIds: readonly string[]): LatencyRecorder {
  const durations = new Map(
    operationIds.map((id): [string, Durations] => [id, { kept: [], step: 1, requests: 0, max: 0 }]),
  );
  return {
    note(operationId, ms) {
      const of = durations.get(operationId);
      if (of) keep(of, ms);
    },
    report: () =>
      [...durations].flatMap(([operationId, { kept, requests, max }]) => {
        if (kept.length === 0) return [];
        const sorted = Float64Array.from(kept).sort();
        const at = (percentile: number) => tenths(percentileOf(sorted, percentile));
        return [{ operationId, requests, p50: at(50), p95: at(95), max: tenths(max) }];
      }),
  };
}

interface Durations {
  kept: number[];
  /** One of so many durations is kept. */
  step: number;
  requests: number;
  max: number;
}

/** Observed traffic may have millions of exchanges: then the percentiles are those of a uniform sample. */
const MOST_KEPT = 20_000;

function keep(of: Durations, ms: number): void {
  of.max = Math.max(of.max, ms);
  if (of.requests % of.step === 0) of.kept.push(ms);
  of.requests += 1;
  if (of.kept.length < MOST_KEPT) return;
  of.kept = of.kept.filter((_, index) => index % 2 === 0);
  of.step *= 2;
}

/** The nearest-rank percentile: the least value that this percentage of all does not exceed. */
function percentileOf(sorted: Float64Array, percentile: number): number {
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? 0;
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
