import { posix } from 'node:path';
import { type Basis, type Contract, isRecord, oncePer, type Place, pathParameters, toPointer } from '#spec';
import type { Script } from '../send/curl.ts';
import { type Exchange, isSuccess } from '../send/response.ts';
import type { SentStep } from '../send/trail.ts';
import { ABSENT, type WireRequest } from '../send/wire.ts';
import { type Breach, presumedIn, SUBJECT, type Subject } from './law.ts';

/** A breach, and how to reproduce it. */
export interface Finding extends Breach {
  /** Its identity in any run: law, kind of breach and place in the document. */
  readonly key: string;
  readonly caseId: string;
  /** The cell whose promise is broken: that of the exchange, or of the case where the law is about what it has done. */
  readonly operationId: string;
  readonly status: number;
  readonly exchange: Exchange;
  /**
   * What its case has sent until then; nothing where others have sent the requests.
   * @experimental
   */
  readonly trail: readonly SentStep[];
  /** The requests that reproduce it from nothing. */
  readonly steps?: Script;
  /** What became of the tries to reproduce it; undefined: others have sent the requests. */
  readonly confirmation?: Confirmation;
  /** Accepted until that day (`--known`); undefined: it counts. */
  readonly knownUntil: string | undefined;
  /** The fact that it breaks is presumed, and nobody is held to it. */
  readonly worthALook?: boolean;
}

/** What responses are made of says nothing of records. */
const OF_RESPONSES: ReadonlySet<Subject> = new Set<Subject>(['bodies', 'headers', 'callbacks', 'responses']);
/** Nor does what is missing in the result of a job, or of one of several. */
const OF_RESULTS: ReadonlySet<string> = new Set(['unknown-id', 'job', 'results']);

/** It says that a record which there was is not there: others of a shared service may have removed it meanwhile. */
export function saysGone({ law, kind, exchange }: Pick<Finding, 'law' | 'kind' | 'exchange'>): boolean {
  if (!Object.hasOwn(SUBJECT, law) || OF_RESPONSES.has(SUBJECT[law]) || OF_RESULTS.has(law)) return false;
  const { operation, input, response } = exchange;
  const isMissing = kind === 'missing' && isSuccess(response);
  const isNotFound = ABSENT.has(response.status);
  return isMissing || (isNotFound && !input.unknownId && pathParameters(operation.path).length > 0);
}

/** Whether a service is held to a fact: where it is promised, or `strict: presumed` says so. */
export function isHeld(
  fact: Basis | undefined,
  { strict }: { readonly strict: ReadonlySet<string> },
): boolean {
  return fact !== undefined && (fact.certainty === 'promised' || strict.has('presumed'));
}

/** What the tries to reproduce a finding have shown, each from nothing. */
export interface Confirmation {
  /**
   * `confirmed`: every try has shown it again. `unsteady`: not every one has. `not seen again`: one case has seen it, no try
   * has, and nothing in it depends on order or time; or what is gone is not gone in every try. It does not gate.
   */
  readonly outcome: 'confirmed' | 'unsteady' | 'not seen again' | 'not tried';
  /** So many tries have shown it again. */
  readonly shown: number;
  readonly tries: number;
  /** The case whose finding was reproduced: that of the finding itself, or of another one of the same root. */
  readonly caseId: string;
  /** Why there were fewer tries, or none; or what they do not show. */
  readonly reason?: string;
  /** It shows where the target has records that the run did not make. */
  readonly needsData?: true;
  /** No shorter reproduction was found than the whole case. */
  readonly wholeCase?: true;
}

/** What the document leaves open, and what the target did there. */
export interface Observation {
  readonly caseId: string;
  readonly operationId: string;
  readonly text: string;
  /** What several observations have in common, and what came in this one; they are shown as one. */
  readonly question?: string;
  readonly answer?: string;
}

/** What identifies a breach in any run, whichever case has seen it and with whatever values. */
type Identifying = Pick<Breach, 'law' | 'kind'>;

/**
 * The identity of a finding: law, kind of breach, and place in the document, such as
 * `schema/type#/components/schemas/Pet/properties/name/type`. A place in another file than the document's own has its
 * path before the `#`.
 */
export function findingKey(contract: Contract, breach: Identifying & Pick<Breach, 'at'>): string {
  return keyAt(contract, breach, breach.at.uri, pointerAt(contract, breach.at));
}

/** The same where the pointer is known. */
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

/** Hundreds of cases may see what is broken at one place, and a large document takes time to search. */
const knownSpots = oncePer((_: Contract) => new Map<string, WrittenPart>());

/** A part of a file as it is written, and where. */
export interface WrittenPart {
  /** The JSON Pointer (RFC 6901) in its file, as unescaped tokens: it stays when lines are added elsewhere. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** The values that it is within, from the whole file on. */
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
      // An overlay adds members that stand in another file.
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

/** Requests that may show a finding again. */
interface Reproduction {
  readonly steps: readonly SentStep[];
  /** What it shows depends on records that the run has not made. */
  readonly needsData: boolean;
}

/**
 * Those that a cause is best shown by come first: the one that was reproduced, what counts, valid and plain requests, from
 * nothing, the fewest, those of the operation's own cases, and the shortest.
 * @param reproduction what may reproduce it; undefined: that is not known, or was tried
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

/** Whoever reads of a request that the document finds fault with may take that for the reason. */
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
