import {
  type Contract,
  explicitStatuses,
  type Operation,
  type ReadRequest,
  responseFor,
  showPlace,
} from '#spec';
import { isUsable } from '../../contract-tests/laws/excused-status.ts';
import type { Observation } from '../../contract-tests/laws/finding.ts';
import type { Traffic } from '../../contract-tests/report/report.ts';
import { type CoverageRecorder, createCoverage } from '../../contract-tests/run/coverage.ts';
import { createLatencyRecorder, type Latency } from '../../contract-tests/run/recording.ts';
import type { Exchange } from '../../contract-tests/send/response.ts';
import { caseIdOf } from './observed.ts';

/** What the traffic shows of one operation and status. */
export interface SeenCell {
  readonly operation: Operation;
  readonly status: number;
  readonly exchanges: number;
  /** The sum of the response times in milliseconds. */
  readonly ms: number;
  /** Whether one of them breaks nothing. */
  readonly sound: boolean;
  /** The numbers of those with a documented body, and of those whose body was judged. */
  readonly bodies: number;
  readonly bodiesJudged: number;
}

/** Counts exchanges, in total and by cell. */
export interface Tally {
  count(what: keyof Traffic, by?: number): void;
  /** Counts a judged exchange. */
  note(exchange: Exchange, sound: boolean): void;
  /** Counts an exchange that equals one that was judged and breaks nothing. */
  repeat(operation: Operation, status: number, ms: number): void;
  readonly traffic: Traffic;
  readonly cells: readonly SeenCell[];
  /** Judged responses that were documented, well-typed and complete. */
  readonly usable: number;
  readonly coverage: Pick<CoverageRecorder, 'report'>;
  readonly latency: { report(): Latency[] };
}

export function createTally(contract: Contract): Tally {
  const traffic: Record<keyof Traffic, number> = {
    exchanges: 0,
    judged: 0,
    bodiesMissing: 0,
    bodies: 0,
    bodiesJudged: 0,
    elsewhere: 0,
    unknownPaths: 0,
    unknownMethods: 0,
    unread: 0,
    withoutResponse: 0,
    byGateway: 0,
    removed: 0,
    foreign: 0,
    leftOut: 0,
    notSampled: 0,
    findingsDropped: 0,
  };
  const cells = new Map<string, { -readonly [Key in keyof SeenCell]: SeenCell[Key] }>();
  const coverage = createCoverage(contract);
  const latency = createLatencyRecorder(contract.operations.map(({ id }) => id));
  let usable = 0;

  /** @param isWhole whether the body is complete */
  function take(operation: Operation, status: number, ms: number, sound: boolean, isWhole: boolean): void {
    traffic.judged += 1;
    latency.note(operation.id, ms);
    const key = caseIdOf(operation.id, status);
    const cell = cells.get(key) ?? { ...UNSEEN, operation, status };
    cell.exchanges += 1;
    cell.ms += ms;
    cell.sound ||= sound;
    cells.set(key, cell);
    const documented = responseFor(operation.responses, status)?.content.length ?? 0;
    if (documented === 0 || operation.method === 'HEAD') return;
    for (const one of [traffic, cell]) {
      one.bodies += 1;
      if (isWhole) one.bodiesJudged += 1;
    }
  }

  return {
    count(what, by = 1) {
      traffic[what] += by;
    },
    note(exchange, sound) {
      const { operation, response } = exchange;
      coverage.witness(exchange);
      if (isUsable(operation, response)) usable += 1;
      take(operation, response.status, response.ms, sound, !response.cut);
    },
    repeat(operation, status, ms) {
      traffic.exchanges += 1;
      take(operation, status, ms, true, true);
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
    coverage,
    latency,
  };
}

const UNSEEN = { exchanges: 0, ms: 0, sound: false, bodies: 0, bodiesJudged: 0 };

/** Each documented cell in order, followed by others that occurred. */
export function cellsInOrder(contract: Contract, seen: readonly SeenCell[]): SeenCell[] {
  const byId = new Map(seen.map((cell) => [caseIdOf(cell.operation.id, cell.status), cell]));
  const documented = contract.operations.flatMap((operation) =>
    explicitStatuses(operation.responses).map(
      (status): SeenCell => byId.get(caseIdOf(operation.id, status)) ?? { ...UNSEEN, operation, status },
    ),
  );
  return [...documented, ...seen.filter((cell) => !documented.includes(cell))];
}

/** Texts with their counts, at most `most` of them. */
export class Times<Item> {
  readonly #most: number;
  readonly #seen = new Map<string, { readonly item: Item; times: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** @param make called for a new key */
  add(key: string, make: () => Item): void {
    const entry = this.#seen.get(key);
    if (entry) entry.times += 1;
    else if (this.#seen.size < this.#most) this.#seen.set(key, { item: make(), times: 1 });
  }

  get all(): readonly { readonly item: Item; readonly times: number }[] {
    return [...this.#seen.values()];
  }
}

/** ` (3 times)`, or nothing for once. */
export function timesText(times: number): string {
  return times > 1 ? ` (${times} times)` : '';
}

/** Requests without a documented operation, by method and URL without query. */
export class UnknownRequests {
  readonly #times = new Times<string>(200);

  add(method: string, { origin, pathname }: Pick<URL, 'origin' | 'pathname'>): void {
    const request = `${method} ${origin}${withoutSecrets(pathname)}`;
    this.#times.add(request, () => request);
  }

  /** The most frequent first. */
  get all(): readonly { readonly request: string; readonly times: number }[] {
    return this.#times.all
      .map(({ item, times }) => ({ request: item, times }))
      .sort((left, right) => right.times - left.times);
  }
}

/** A long segment with digits, or an address, may be a token or identify a person. */
function withoutSecrets(path: string): string {
  const segments = path.split('/').map((text) => (isPrivate(text) ? '…' : text));
  const [head, tail] = [segments.slice(0, 8), segments.slice(8)];
  return [...head, ...(tail.length > 0 ? ['…'] : [])].join('/').slice(0, 200);
}

function isPrivate(segment: string): boolean {
  return /@|%40/.test(segment) || segment.length > 40 || (segment.length >= 12 && /\d/.test(segment));
}

/** Undocumented parts of requests. They are no fault of the service, unless it accepts them. */
export class ClientFaults {
  readonly #times = new Times<Observation>(100);

  add({ id }: Operation, { violations, unnamed = [] }: ReadRequest): void {
    const note = (what: string, text: string) =>
      this.#times.add(`${id} ${what}`, () => ({ caseId: `${id}/traffic`, operationId: id, text }));
    for (const { in: place, name, pointer, keyword, expected, at } of violations) {
      const where = place === 'body' ? `the body${withoutIndices(pointer)}` : `${place} ${name}`;
      note(`${where} ${keyword} ${at.uri}:${at.line}`, `${where} ${expected} (${showPlace(at)})`);
    }
    for (const name of unnamed) {
      const label = name.length <= 40 && !/[\p{Cc}@]/u.test(name) ? `"${name}"` : 'with a long name';
      note(`unnamed ${label}`, `the document has no query parameter ${label}`);
    }
  }

  get all(): readonly Observation[] {
    return this.#times.all.map(({ item, times }) => ({
      ...item,
      text: `requests that are not as documented: ${item.text}${timesText(times)}`,
    }));
  }
}

/** Items of one list are a single fault. */
function withoutIndices(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, '/-');
}
