/** How long an operation took to respond, in milliseconds: the median, the 95th percentile and the longest. */
export interface Latency {
  readonly operationId: string;
  readonly requests: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** Keeps the duration of every exchange, by operation. */
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
  /** Of so many durations one is kept. */
  step: number;
  requests: number;
  max: number;
}

/** Observed traffic may have millions of exchanges: the percentiles are of a sample then, spread over all of them. */
const MOST_KEPT = 20_000;

function keep(of: Durations, ms: number): void {
  of.max = Math.max(of.max, ms);
  if (of.requests % of.step === 0) of.kept.push(ms);
  of.requests += 1;
  if (of.kept.length < MOST_KEPT) return;
  of.kept = of.kept.filter((_, index) => index % 2 === 0);
  of.step *= 2;
}

/** The nearest rank: the least value that so many percent of all do not exceed. */
function percentileOf(sorted: Float64Array, percentile: number): number {
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? 0;
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
