import type { Spot } from '../document/spot.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { DocumentedResponse } from '../response.ts';
import { type Basis, basisOf } from './basis.ts';
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

const known = new WeakMap<Operation, Conditional>();

export function conditionalOf(
  { operations }: { readonly operations: readonly Operation[] },
  operation: Operation,
): Conditional {
  const beside = () => operations.filter(({ path }) => path === operation.path);
  const found = known.get(operation) ?? read(operation, beside());
  known.set(operation, found);
  return found;
}

/** @param beside the operations on its path */
function read(operation: Operation, beside: readonly Operation[]): Conditional {
  const { method, responses, said } = operation;
  const headers = headersOf(operation);
  const { conditional } = said.facts;
  if (conditional) {
    const basis = basisOf(['said'], said.at('conditional') ?? operation.spot);
    const saying = (one: (typeof conditional)[number]) => (conditional.includes(one) ? basis : undefined);
    return {
      ...{ tag: saying('tag'), headers, refusesStale: saying('stale') },
      ...{ needsCondition: saying('required'), notModified: saying('notModified') },
    };
  }
  const shown = beside.map(shownTag).find((tag) => tag !== undefined);
  const taken = beside.map((one) => refusesStale(one, shown)).find((one) => one?.certainty === 'promised');
  const own = shownTag(operation);
  const required = SAFE.has(method) ? undefined : statusOf(operation, 428);
  const isRead = method === 'GET' || method === 'HEAD';
  const unmodified = isRead ? responses.find(({ key }) => key === '304') : undefined;
  return {
    tag: own ? basisOf(['said'], own) : taken && !shown ? basisOf(['path'], taken.because) : undefined,
    headers,
    refusesStale: refusesStale(operation, shown),
    needsCondition: required && refusalFor(required, headers['if-match']?.spot ?? shown),
    notModified: unmodified
      ? refusalFor(unmodified, own ?? headers['if-none-match']?.spot)
      : isRead && own
        ? basisOf(['schema'], own)
        : undefined,
  };
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']);

/** The documented `ETag` of a success. */
function shownTag({ responses }: Operation): Spot | undefined {
  const headers = responses.filter(({ key }) => key.startsWith('2')).flatMap((one) => one.headers);
  return headers.find(({ name }) => name === 'etag')?.spot;
}

const NO_CONDITION = [
  ...listed('ignored|ignore|no effect|reserved'),
  ...joined('not|not yet', 'supported|implemented|checked|enforced|evaluated|used'),
];

/** Without those whose description takes that back. */
function headersOf({ parameters }: Operation): Conditional['headers'] {
  const names: readonly string[] = ['if-match', 'if-none-match', 'if-modified-since'];
  const found = parameters.filter((one) => one.in === 'header' && names.includes(one.name));
  const meant = found.filter(({ spot }) => !has(spoken(textOf(spot)), NO_CONDITION));
  return Object.fromEntries(meant.map((one) => [one.name, one]));
}

function statusOf({ responses }: Operation, status: number): DocumentedResponse | undefined {
  return responses.find(({ key }) => key === String(status));
}

/** @param shown where the document shows the entity tags of the path */
function refusesStale(operation: Operation, shown: Spot | undefined): Basis | undefined {
  if (SAFE.has(operation.method)) return undefined;
  const parameter = headersOf(operation)['if-match'];
  if (parameter) return basisOf(['said'], parameter.spot);
  const [refusal, tag] = [statusOf(operation, 412), shownTag(operation)];
  return refusal ? refusalFor(refusal, shown) : tag && basisOf(['schema'], tag);
}

const VALIDATORS = [
  ...listed('if match|if none match|if modified since|if unmodified since'),
  ...listed('etag|etags|e tag|e tags|entity tag|entity tags'),
];

/** Such a status stands for other rules as well, where nothing else tells of versions, nor its description. */
function refusalFor({ spot }: DocumentedResponse, evidence: Spot | undefined): Basis {
  const isOfVersion = evidence ?? has(spoken(textOf(spot)), VALIDATORS);
  return basisOf(isOfVersion ? ['said'] : ['schema'], spot);
}

/** The header by which a repeated request is known, where an operation has one: that of the draft, or the one that is said. */
export function idempotencyKeyOf({ parameters, said }: Operation): Parameter | undefined {
  const { idempotencyKey = 'idempotency-key' } = said.facts;
  return parameters.find((one) => one.in === 'header' && sameName(one.name, idempotencyKey));
}
