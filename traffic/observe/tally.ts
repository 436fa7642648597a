import {
  type Contract,
  explicitStatuses,
  type Operation,
  type ReadRequest,
  responseFor,
  showPlace,
} from '#spec';
import type { Observation } from '../../contract-tests/laws/finding.ts';
import { isUsable } from '../../contract-tests/laws/protocol-status.ts';
import type { Traffic } from '../../contract-tests/report/report.ts';
import { type Coverage, createCoverage } from '../../contract-tests/run/coverage.ts';
import { createLatencyRecorder, type Latency } from '../../contract-tests/run/latency.ts';
import type { Exchange } from '../../contract-tests/send/response.ts';
import { caseIdOf } from './observed.ts';

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

/** The requests that have no operation in the document, by method and URL without query. */
export interface UnknownRequests {
  add(method: string, url: URL): void;
  /** The most frequent first. */
  readonly all: readonly { readonly request: string; readonly times: number }[];
}

const MOST_UNKNOWN = 200;

export function countUnknown(): UnknownRequests {
  const times = new Map<string, number>();
  return {
    add(method, { origin, pathname }) {
      const request = `${method} ${origin}${withoutSecrets(pathname)}`;
      if (times.has(request) || times.size < MOST_UNKNOWN) times.set(request, (times.get(request) ?? 0) + 1);
    },
    get all() {
      return [...times]
        .map(([request, count]) => ({ request, times: count }))
        .sort((one, other) => other.times - one.times);
    },
  };
}

/** A long segment with digits, or one with an address, may be a token or name somebody. */
function withoutSecrets(path: string): string {
  const segments = path.split('/').map((text) => (isPrivate(text) ? '…' : text));
  const [shown, hidden] = [segments.slice(0, 8), segments.slice(8)];
  return [...shown, ...(hidden.length > 0 ? ['…'] : [])].join('/').slice(0, 200);
}

function isPrivate(segment: string): boolean {
  return /@|%40/.test(segment) || segment.length > 40 || (segment.length >= 12 && /\d/.test(segment));
}

/** What clients have sent that the document does not describe. It is no fault of the service, unless it takes it. */
export interface ClientFaults {
  add(operation: Operation, read: ReadRequest): void;
  readonly all: readonly Observation[];
}

const MOST_FAULTS = 100;

export function countClientFaults(): ClientFaults {
  const faults = new Map<string, { observation: Observation; times: number }>();

  function note({ id }: Operation, what: string, text: string): void {
    const key = `${id} ${what}`;
    const known = faults.get(key);
    if (known) known.times += 1;
    else if (faults.size < MOST_FAULTS)
      faults.set(key, { observation: { caseId: `${id}/traffic`, operationId: id, text }, times: 1 });
  }

  return {
    add(operation, { violations, unnamed = [] }) {
      for (const { in: place, name, pointer, keyword, expected, at } of violations) {
        const where = place === 'body' ? `the body${withoutIndices(pointer)}` : `${place} ${name}`;
        note(
          operation,
          `${where} ${keyword} ${at.uri}:${at.line}`,
          `${where} ${expected} (${showPlace(at)})`,
        );
      }
      for (const name of unnamed) {
        const shown = name.length <= 40 && !/[\p{Cc}@]/u.test(name) ? `"${name}"` : 'with a long name';
        note(operation, `unnamed ${shown}`, `the document has no query parameter ${shown}`);
      }
    },
    get all() {
      return [...faults.values()].map(({ observation, times }) => ({
        ...observation,
        text: `requests that are not as documented: ${observation.text}${times > 1 ? ` (${times} times)` : ''}`,
      }));
    },
  };
}

/** Items of one list are one fault. */
function withoutIndices(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, '/-');
}
