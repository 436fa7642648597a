import { posix } from 'node:path';
import { type Basis, type Contract, isRecord, oncePer, type Place, pathParameters, toPointer } from '#spec';
import type { Script } from '../send/curl.ts';
import { type Exchange, isSuccess } from '../send/response.ts';
import type { SentStep } from '../send/trail.ts';
import { ABSENT, type WireRequest } from '../send/wire.ts';
import { type Breach, presumedIn, SUBJECT, type Subject } from './law.ts';

/** A breach and how to reproduce it. */
export interface Finding extends Breach {
  /** Its identity across runs: rule, kind of breach and position in the document. */
  readonly key: string;
  readonly caseId: string;
  /** The cell whose promise is broken: that of the exchange, or of the case if the rule is about a sequence. */
  readonly operationId: string;
  readonly status: number;
  readonly exchange: Exchange;
  /**
   * The requests of its case until then; empty for traffic of others.
   * @experimental
   */
  readonly trail: readonly SentStep[];
  /** A standalone reproduction. */
  readonly steps?: Script;
  /** The result of reproducing it; undefined: the traffic was sent by others. */
  readonly confirmation?: Confirmation;
  /** The last day of its waiver (`--known`); undefined: it counts. */
  readonly knownUntil: string | undefined;
  /** It rests on a presumed fact, and does not gate. */
  readonly worthALook?: boolean;
}

/** Rules about messages say nothing of records. */
const OF_RESPONSES: ReadonlySet<Subject> = new Set<Subject>(['bodies', 'headers', 'callbacks', 'responses']);
/** Nor do missing results of a job, or of one of several records. */
const OF_RESULTS: ReadonlySet<string> = new Set(['unknown-id', 'job', 'results']);

/** Whether the finding says that an existing record is missing: other clients of a shared service may have removed it. */
export function saysGone({ law, kind, exchange }: Pick<Finding, 'law' | 'kind' | 'exchange'>): boolean {
  if (!Object.hasOwn(SUBJECT, law) || OF_RESPONSES.has(SUBJECT[law]) || OF_RESULTS.has(law)) return false;
  const { operation, input, response } = exchange;
  const isMissing = kind === 'missing' && isSuccess(response);
  const isNotFound = ABSENT.has(response.status);
  return isMissing || (isNotFound && !input.unknownId && pathParameters(operation.path).length > 0);
}

/** Whether a fact gates: it is promised, or `strict: presumed` is set. */
export function isHeld(
  fact: Basis | undefined,
  { strict }: { readonly strict: ReadonlySet<string> },
): boolean {
  return fact !== undefined && (fact.certainty === 'promised' || strict.has('presumed'));
}

/** The result of the attempts to reproduce a finding, each from scratch. */
export interface Confirmation {
  /**
   * `confirmed`: every attempt showed it. `unsteady`: only some did. `not seen again`: one case saw it, no attempt did,
   * and nothing in it depends on order or time; or a missing record was not missing in every attempt. It does not gate.
   */
  readonly outcome: 'confirmed' | 'unsteady' | 'not seen again' | 'not tried';
  /** The number of attempts that showed it. */
  readonly shown: number;
  readonly tries: number;
  /** The case whose finding was reproduced: the finding's, or that of another one of the same root. */
  readonly caseId: string;
  /** Why there were fewer attempts, or none; or what they do not show. */
  readonly reason?: string;
  /** It requires existing data: records that the run did not create. */
  readonly needsData?: true;
  /** No reproduction shorter than the whole case was found. */
  readonly wholeCase?: true;
}

/** An undefined behaviour: what the document leaves open, and what the target did. */
export interface Observation {
  readonly caseId: string;
  readonly operationId: string;
  readonly text: string;
  /** Observations with the same question are shown as one; this is the answer of this one. */
  readonly question?: string;
  readonly answer?: string;
}

/** Identifies a breach in any run, whichever case saw it and whatever the values were. */
type Identifying = Pick<Breach, 'law' | 'kind'>;

/**
 * The identity of a finding: rule, kind of breach and position in the document, such as
 * `schema/type#/components/schemas/Pet/properties/name/type`. A position in another file has that file's path before the
 * `#`.
 */
export function findingKey(contract: Contract, breach: Identifying & Pick<Breach, 'at'>): string {
  return keyAt(contract, breach, breach.at.uri, pointerAt(contract, breach.at));
}

/** The key of a breach whose pointer is known. */
export function keyAt(
  { document }: Contract,
  { law, kind }: Identifying,
  uri: string,
  pointer: string,
): string {
  const name = typeof kind === 'object' ? kind.keyword : kind;
  const root = document.root.file.uri;
  const file = uri === root ? '' : `:${posix.relative(posix.dirname(root), uri)}`;
  return `${law}${name === undefined ? '' : `/${name}`}${file}#${pointer}`;
}

type Position = Pick<Place, 'line' | 'column'>;

/** Hundreds of cases may report the same place, and searching a large document is slow. */
const knownSpots = oncePer((_: Contract) => new Map<string, WrittenPart>());

/** A part of a file, and its position. */
export interface WrittenPart {
  /** The JSON Pointer (RFC 6901) in its file, as unescaped tokens: it does not change when lines are added elsewhere. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** The enclosing values, from the root of the file. */
  readonly within: readonly unknown[];
}

/** The JSON Pointer (RFC 6901) of a place in its file. */
export function pointerAt(contract: Contract, place: Place): string {
  return toPointer(partAt(contract, place).path);
}

export function partAt(contract: Contract, place: Place): WrittenPart {
  const cache = knownSpots(contract);
  const at = `${place.uri}:${place.line}:${place.column}`;
  const part = cache.get(at) ?? findPart(contract, place);
  cache.set(at, part);
  return part;
}

function findPart({ document }: Contract, place: Place): WrittenPart {
  const files = [...document.files.values()]
    .map((file) => file.written ?? file)
    .flatMap((file) => [file, ...(file.overlays ?? [])]);
  const file = files.find(({ uri }) => uri === place.uri);
  const path: string[] = [];
  const within: unknown[] = [];
  let value = file?.value;
  let here: Position = { line: 0, column: 0 };
  while (file && compare(here, place) !== 0) {
    // The place is in the last member that begins before it.
    const children = childrenOf(value)
      .map(([key, child]) => ({ key, child, at: file.positionOf([...path, key]) }))
      // An overlay adds members from another file.
      .filter(({ at }) => at.uri === place.uri && compare(at, place) <= 0);
    const [first, ...others] = children;
    if (!first) break;
    const last = others.reduce((latest, one) => (compare(one.at, latest.at) > 0 ? one : latest), first);
    path.push(last.key);
    within.push(value);
    [value, here] = [last.child, last.at];
  }
  return { path, value, within };
}

function compare(one: Position, other: Position): number {
  return one.line - other.line || one.column - other.column;
}

function childrenOf(value: unknown): [string, unknown][] {
  return Array.isArray(value) || isRecord(value) ? Object.entries(value) : [];
}

/** Requests that may reproduce a finding. */
interface Reproduction {
  readonly steps: readonly SentStep[];
  /** The result depends on records that the run did not create. */
  readonly needsData: boolean;
}

/**
 * The sort key by which a cause chooses its best finding: reproduced, counting, valid and plain requests, from scratch,
 * the fewest requests, from the operation's cases, and the shortest.
 * @param reproduction what may reproduce it; undefined: unknown, or already tried
 */
export function easeOf(finding: Finding, reproduction?: Reproduction): readonly number[] {
  const { caseId, confirmation, exchange, knownUntil, steps, trail } = finding;
  const { headers = [], contentType, chunked, rawBody } = exchange.input;
  const requests = reproduction?.steps.map(({ request }) => request) ?? [exchange.request];
  return [
    Number(confirmation?.caseId !== caseId),
    Number(knownUntil !== undefined),
    Number(presumedIn(finding) !== undefined),
    Number(isOfInvalid(finding, requests)),
    headers.length + [contentType, rawBody, chunked || undefined].filter((one) => one !== undefined).length,
    Number(trail.some(({ amongOthers }) => amongOthers)),
    Number(reproduction?.needsData ?? false),
    reproduction?.steps.length ?? steps?.length ?? 1,
    Number(!caseId.startsWith(`${exchange.operation.id}/`)),
    requests.reduce((sum, { url, body }) => sum + url.href.length + (body?.length ?? 0), 0),
  ];
}

/** Whether a request is invalid: readers may mistake that for the cause. */
export function isOfInvalid(
  { circumstance }: Finding,
  requests: readonly Pick<WireRequest, 'faulty'>[],
): boolean {
  return circumstance?.violation !== undefined || requests.some(({ faulty }) => faulty !== undefined);
}

/** Compares by the first number that differs. */
export function compareEase(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((number, at) => number !== other[at]);
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}
