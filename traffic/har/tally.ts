import type { RecordedExchange } from './recorded-exchange.ts';
import { type HarProblem, REMARKS, type Remark, SKIPPED, type Skipped } from './remark.ts';

/** How often what was found in a file. */
export interface Tally {
  add(item: RecordedExchange | HarProblem): void;
  readonly exchanges: number;
  readonly counts: ReadonlyMap<Remark | Skipped, number>;
  /** A line for each kind: `WebSocket connections: 3 (first: entry 2, line 40)`. */
  lines(): readonly string[];
}

/** Counts exchanges, remarks and problems; the place of the first of each kind is told with it. */
export function createTally(): Tally {
  const counts = new Map<Remark | Skipped, number>();
  const firstOf = new Map<Remark | Skipped, string>();
  let exchanges = 0;

  function count(kind: Remark | Skipped, position: string, line: number): void {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (!firstOf.has(kind)) firstOf.set(kind, `${position}, line ${line}`);
  }

  return {
    add(item) {
      const { position, line } = item;
      if ('problem' in item) return count(item.problem, position, line);
      exchanges++;
      for (const remark of item.remarks) count(remark, position, line);
    },
    get exchanges() {
      return exchanges;
    },
    counts,
    lines: () =>
      [...counts].map(([kind, times]) => `${SENTENCES[kind]}: ${times} (first: ${firstOf.get(kind)})`),
  };
}

const SENTENCES: Readonly<Record<Remark | Skipped, string>> = { ...REMARKS, ...SKIPPED };
