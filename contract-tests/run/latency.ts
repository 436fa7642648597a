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
  const durations = new Map(operationIds.map((id): [string, number[]] => [id, []]));
  return {
    note: (operationId, ms) => void durations.get(operationId)?.push(ms),
    report: () =>
      [...durations].flatMap(([operationId, all]) => {
        if (all.length === 0) return [];
        const sorted = Float64Array.from(all).sort();
        const at = (percentile: number) => tenths(percentileOf(sorted, percentile));
        return [{ operationId, requests: sorted.length, p50: at(50), p95: at(95), max: at(100) }];
      }),
  };
}

/** The nearest rank: the least value that so many percent of all do not exceed. */
function percentileOf(sorted: Float64Array, percentile: number): number {
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? 0;
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
