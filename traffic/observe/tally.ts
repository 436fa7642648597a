import { type Contract, explicitStatuses, type Operation, responseFor } from '#spec';
import { isUsable } from '../../contract-tests/laws/usable.ts';
import type { Traffic } from '../../contract-tests/report/traffic.ts';
import { type Coverage, createCoverage } from '../../contract-tests/run/coverage.ts';
import { createLatencyRecorder, type Latency } from '../../contract-tests/run/latency.ts';
import type { Exchange } from '../../contract-tests/send/exchange.ts';
import { caseIdOf } from './case-id.ts';

/** What the traffic has shown of one operation and status. */
export interface SeenCell {
  readonly operation: Operation;
  readonly status: number;
  readonly exchanges: number;
  /** Milliseconds that the responses took together. */
  readonly ms: number;
  /** One of them breaks nothing. */
  readonly sound: boolean;
}

/** Counts exchanges, in all and by cell. */
export interface Tally {
  count(what: keyof Traffic, by?: number): void;
  /** An exchange was judged. */
  note(exchange: Exchange, sound: boolean): void;
  /** An exchange was the same as one that was judged and breaks nothing. */
  repeat(operation: Operation, status: number, ms: number): void;
  readonly traffic: Traffic;
  readonly cells: readonly SeenCell[];
  /** Judged responses that were documented, typed and whole. */
  readonly usable: number;
  /** Judged responses that are documented with a body, by whether that was known whole. */
  readonly bodies: { readonly whole: number; readonly lacking: number };
  readonly coverage: { report(): Coverage };
  readonly latency: { report(): Latency[] };
}

export function createTally(contract: Contract): Tally {
  const traffic: Record<keyof Traffic, number> = {
    exchanges: 0,
    judged: 0,
    bodiesMissing: 0,
    elsewhere: 0,
    unknownPaths: 0,
    unknownMethods: 0,
    withoutResponse: 0,
    byGateway: 0,
    removed: 0,
    foreign: 0,
    leftOut: 0,
    findingsDropped: 0,
  };
  const cells = new Map<string, { -readonly [Key in keyof SeenCell]: SeenCell[Key] }>();
  const coverage = createCoverage(contract);
  const latency = createLatencyRecorder(contract.operations.map(({ id }) => id));
  const bodies = { whole: 0, lacking: 0 };
  let usable = 0;

  function take(operation: Operation, status: number, ms: number, sound: boolean): void {
    traffic.judged += 1;
    latency.note(operation.id, ms);
    const key = caseIdOf(operation.id, status);
    const cell = cells.get(key) ?? { operation, status, exchanges: 0, ms: 0, sound: false };
    cell.exchanges += 1;
    cell.ms += ms;
    cell.sound ||= sound;
    cells.set(key, cell);
  }

  return {
    count(what, by = 1) {
      traffic[what] += by;
    },
    note(exchange, sound) {
      const { operation, response } = exchange;
      coverage.witness(exchange);
      if (isUsable(operation, response)) usable += 1;
      const documented = responseFor(operation.responses, response.status)?.content.length ?? 0;
      if (documented > 0 && operation.method !== 'HEAD') bodies[response.cut ? 'lacking' : 'whole'] += 1;
      take(operation, response.status, response.ms, sound);
    },
    repeat(operation, status, ms) {
      traffic.exchanges += 1;
      take(operation, status, ms, true);
    },
    get traffic() {
      return { ...traffic };
    },
    get cells() {
      return [...cells.values()];
    },
    get usable() {
      return usable;
    },
    get bodies() {
      return { ...bodies };
    },
    coverage,
    latency,
  };
}

/** Every cell of the document in its order, and then what else was seen. */
export function cellsInOrder(contract: Contract, seen: readonly SeenCell[]): SeenCell[] {
  const known = new Map(seen.map((cell) => [caseIdOf(cell.operation.id, cell.status), cell]));
  const documented = contract.operations.flatMap((operation) =>
    explicitStatuses(operation.responses).map(
      (status): SeenCell =>
        known.get(caseIdOf(operation.id, status)) ?? { operation, status, exchanges: 0, ms: 0, sound: false },
    ),
  );
  return [...documented, ...seen.filter((cell) => !documented.includes(cell))];
}
