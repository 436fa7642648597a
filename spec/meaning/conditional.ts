import type { Spot } from '../document/spot.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { DocumentedResponse } from '../response.ts';
import { type Basis, basisOf, type Certainty } from './basis.ts';
import { sameName } from './names.ts';
import { has, joined, listed, spoken, textOf } from './words.ts';

/** A header that makes a request conditional, as far as documents have it. */
type ConditionHeader = 'if-match' | 'if-none-match' | 'if-modified-since';

/** What a document says of conditional requests of one operation (RFC 9110 §13, RFC 6585 §3). */
export interface Conditional {
  /** Its success bears an entity tag. Presumed: another operation on the same path takes one, and none is said to show it. */
  readonly tag: Basis | undefined;
  /** The header parameters that make its requests conditional. */
  readonly headers: Readonly<Partial<Record<ConditionHeader, Parameter>>>;
  /** What changes something is refused (412) where its `If-Match` names another version. */
  readonly refusesStale: Basis | undefined;
  /** What changes something is refused (428) where it has no condition. */
  readonly needsCondition: Basis | undefined;
  /** A read is answered with 304 where its `If-None-Match` names the current version. */
  readonly notModified: Basis | undefined;
}

interface Operations {
  readonly operations: readonly Operation[];
}

const known = new WeakMap<readonly Operation[], ReadonlyMap<Operation, Conditional>>();

export function conditionalOf({ operations }: Operations, operation: Operation): Conditional {
  const all = known.get(operations) ?? readAll(operations);
  known.set(operations, all);
  return all.get(operation) ?? read(operation, [operation]);
}

function readAll(operations: readonly Operation[]): ReadonlyMap<Operation, Conditional> {
  const paths = Map.groupBy(operations, ({ path }) => path);
  return new Map(operations.map((one) => [one, read(one, paths.get(one.path) ?? [one])]));
}

/** @param beside the operations on its path */
function read(operation: Operation, beside: readonly Operation[]): Conditional {
  const shown = beside.map(shownTag).find((tag) => tag !== undefined);
  const others = beside.map((one) => refusesStale(one, shown));
  const taken = others.find((one) => one?.certainty === 'promised');
  const own = shownTag(operation);
  const { said } = operation;
  const { conditional } = said.facts;
  if (conditional) {
    const basis = basisOf(['said'], said.at('conditional') ?? operation.spot);
    const saying = (one: (typeof conditional)[number]) => (conditional.includes(one) ? basis : undefined);
    return {
      ...{ tag: saying('tag'), headers: headersOf(operation), refusesStale: saying('stale') },
      ...{ needsCondition: saying('required'), notModified: saying('notModified') },
    };
  }
  return {
    tag: own ? promised(own) : taken && !shown ? { ...taken, certainty: 'presumed' } : undefined,
    headers: headersOf(operation),
    refusesStale: refusesStale(operation, shown),
    needsCondition: needsCondition(operation, shown),
    notModified: notModified(operation),
  };
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']);

/** The documented `ETag` of a success. */
function shownTag({ responses }: Operation): Spot | undefined {
  const headers = responses.filter(({ key }) => key.startsWith('2')).flatMap((one) => one.headers);
  return headers.find(({ name }) => name === 'etag')?.spot;
}

function headersOf({ parameters }: Operation): Conditional['headers'] {
  const names: readonly ConditionHeader[] = ['if-match', 'if-none-match', 'if-modified-since'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const parameter = parameters.find((one) => one.in === 'header' && one.name === name);
      return parameter && !isNoCondition(parameter.spot) ? [[name, parameter]] : [];
    }),
  );
}

function statusOf({ responses }: Operation, status: number): DocumentedResponse | undefined {
  return responses.find(({ key }) => key === String(status));
}

/** @param shown where the document shows the entity tags of the path */
function refusesStale(operation: Operation, shown: Spot | undefined): Basis | undefined {
  if (SAFE.has(operation.method)) return undefined;
  const parameter = headersOf(operation)['if-match'];
  if (parameter) return promised(parameter.spot);
  const refusal = statusOf(operation, 412);
  if (refusal) return refusalFor(refusal, shown);
  const tag = shownTag(operation);
  return tag && { certainty: 'presumed', because: tag };
}

function needsCondition(operation: Operation, shown: Spot | undefined): Basis | undefined {
  const refusal = SAFE.has(operation.method) ? undefined : statusOf(operation, 428);
  return refusal && refusalFor(refusal, headersOf(operation)['if-match']?.spot ?? shown);
}

/** Either status stands for other rules as well, where nothing else tells of versions. */
function refusalFor({ spot }: DocumentedResponse, evidence: Spot | undefined): Basis {
  const certainty: Certainty = evidence || namesValidator(spot) ? 'promised' : 'presumed';
  return { certainty, because: spot };
}

function notModified(operation: Operation): Basis | undefined {
  if (operation.method !== 'GET' && operation.method !== 'HEAD') return undefined;
  const response = statusOf(operation, 304);
  const tag = shownTag(operation);
  if (!response) return tag && { certainty: 'presumed', because: tag };
  return refusalFor(response, tag ?? headersOf(operation)['if-none-match']?.spot);
}

function promised(because: Spot): Basis {
  return { certainty: 'promised', because };
}

const VALIDATORS = [
  ...listed('if match|if none match|if modified since|if unmodified since'),
  ...listed('etag|etags|e tag|e tags|entity tag|entity tags'),
];
const NO_CONDITION = [
  ...listed('ignored|ignore|no effect|reserved'),
  ...joined('not|not yet', 'supported|implemented|checked|enforced|evaluated|used'),
];

/** Whether the description of a header that makes requests conditional takes that back. */
function isNoCondition(parameter: Spot): boolean {
  return has(spoken(textOf(parameter)), NO_CONDITION);
}

/** Whether the description of a status says that it is about the version of what is asked for. */
function namesValidator(response: Spot): boolean {
  return has(spoken(textOf(response)), VALIDATORS);
}

/** The header by which a repeated request is known, where an operation has one: that of the draft, or the one that is said. */
export function idempotencyKeyOf({ parameters, said }: Operation): Parameter | undefined {
  const { idempotencyKey = 'idempotency-key' } = said.facts;
  return parameters.find((one) => one.in === 'header' && sameName(one.name, idempotencyKey));
}
