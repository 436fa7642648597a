import { rawChild, type Spot } from '../document/spot.ts';
import { oncePer } from '../json/once-per.ts';
import { type Operation, SAFE_METHODS } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import { explicitStatuses } from '../response.ts';
import { type Basis, basisOf, type Sign } from './basis.ts';
import { sameName } from './names.ts';
import { has, isTakenBack, joined, listed, sentencesIn, textOf } from './words.ts';

/** Facts about an operation that follow from headers and statuses of the standards. */

/** Headers that make a request conditional, those that documents describe. */
const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since'] as const;

/** Support of an operation for conditional requests (RFC 9110 §13, RFC 6585 §3). */
export interface Conditional {
  /** Its success has an entity tag. Presumed where only another operation on the path accepts one, and none documents it. */
  readonly tag: Basis | undefined;
  /** The header parameters that make its requests conditional. */
  readonly headers: Readonly<Partial<Record<(typeof CONDITIONS)[number], Parameter>>>;
  /** A write is refused (412) if its `If-Match` names another version. */
  readonly refusesStale: Basis | undefined;
  /** A write is refused (428) if it has no condition. */
  readonly needsCondition: Basis | undefined;
  /** A read is answered with 304 if its `If-None-Match` names the current version. */
  readonly notModified: Basis | undefined;
}

export const conditionalOf = (
  { operations }: { readonly operations: readonly Operation[] },
  operation: Operation,
): Conditional => conditionalBy(operation, operations);

const conditionalBy = oncePer(readConditional);

function readConditional(operation: Operation, operations: readonly Operation[]): Conditional {
  const { method, path, parameters, responses, said } = operation;
  const conditions = parameters.filter((parameter) => isCondition(parameter));
  const headers: Conditional['headers'] = Object.fromEntries(
    conditions.map((condition) => [condition.name, condition]),
  );
  const { conditional } = said.facts;
  if (conditional) {
    const basis = basisOf(['said'], said.at('conditional') ?? operation.spot);
    const saying = (one: (typeof conditional)[number]) => (conditional.includes(one) ? basis : undefined);
    return {
      tag: saying('tag'),
      headers,
      refusesStale: saying('stale'),
      needsCondition: saying('required'),
      notModified: saying('notModified'),
    };
  }
  const says = (sign: Sign, spot: Spot | undefined) => spot && basisOf([sign], spot);
  /** Without other evidence of versions, such a status may stand for other rules as well. */
  const status = (wanted: string, evidence: Spot | undefined) =>
    says(evidence ? 'said' : 'schema', responses.find(({ key }) => key === wanted)?.spot);
  const beside = operations.filter((one) => one.path === path);
  const [tagBeside] = beside.flatMap((one) => shownTag(one) ?? []);
  const taken = beside
    .flatMap((one) => one.parameters)
    .find((parameter) => isCondition(parameter, ['if-match']))?.spot;
  const tag = shownTag(operation);
  const match = headers['if-match']?.spot;
  const isRead = method === 'GET' || method === 'HEAD';
  const isWrite = !SAFE_METHODS.has(method);
  return {
    tag: says('said', tag) ?? (tagBeside ? undefined : says('path', taken)),
    headers,
    refusesStale: isWrite
      ? (says('said', match) ?? status('412', tagBeside) ?? says('schema', tag))
      : undefined,
    needsCondition: isWrite ? status('428', match ?? tagBeside) : undefined,
    notModified: isRead
      ? (status('304', tag ?? headers['if-none-match']?.spot) ?? says('schema', tag))
      : undefined,
  };
}

const isCondition = (parameter: Parameter, names: readonly string[] = CONDITIONS) =>
  parameter.in === 'header' && names.includes(parameter.name) && !isTakenBack(parameter);

/** The documented `ETag` of a success. */
function shownTag({ responses }: Operation): Spot | undefined {
  const headers = responses.filter(({ key }) => key.startsWith('2')).flatMap((response) => response.headers);
  return headers.find(({ name }) => name === 'etag')?.spot;
}

/** The header that identifies a repeated request: the one that `x-paddock` says, else `Idempotency-Key` of the IETF draft. */
export function idempotencyKeyOf({ parameters, said }: Operation): Parameter | undefined {
  const { idempotencyKey } = said.facts;
  const names = idempotencyKey === undefined ? ['idempotency-key', 'x-idempotency-key'] : [idempotencyKey];
  return parameters.find(
    (parameter) => parameter.in === 'header' && names.some((name) => sameName(parameter.name, name)),
  );
}

/** The status that `x-paddock` gives for a reason; undefined: it gives none. */
export function refusedFor({ said }: Operation, reason: string): number | undefined {
  const [status] = Object.entries(said.facts.refuses ?? {}).find(([, why]) => why === reason) ?? [];
  return status === undefined ? undefined : Number(status);
}

/**
 * The status that refuses wrong credentials, according to RFC 9110 §15.5.2 and, for a token endpoint, RFC 6749 §5.2.
 * Undefined: the document has no status for it.
 */
export function refusedAs(operation: Operation, isGrant: boolean): number | undefined {
  const saidStatus = refusedFor(operation, 'credentials');
  if (saidStatus !== undefined) return saidStatus;
  const { responses } = operation;
  const usual = isGrant ? [400, 401, 403] : [401, 403, 400];
  const documented = new Set(responses.map(({ key }) => key));
  const isOther =
    documented.has('4XX') ||
    responses.some(({ key, content }) => key === 'default' && content.length > 0 && documented.size > 1);
  const isMeant = (response: Operation['responses'][number]) =>
    response.key !== '422' || (response.content.length > 0 && !isOfForm(response));
  const [other] = responses.flatMap((response) =>
    /^4\d\d$/.test(response.key) && isMeant(response) ? response.key : [],
  );
  const first = usual.find((status) => documented.has(String(status)));
  return first ?? (isOther ? usual[0] : other === undefined ? undefined : Number(other));
}

/** Whether a response is the 422 that FastAPI documents for every operation: it is only about the form of requests. */
export function isOfForm({ key, content }: Operation['responses'][number]): boolean {
  const details = content[0]?.shape?.properties.get('detail');
  return key === '422' && details?.items?.properties.has('loc') === true;
}

const CREATES = listed('create~|add~|make~|made');
const CHANGES = listed('updat~|replac~|modif~|overwrit~');
const ABSENT = [...joined('not|not yet', 'exist'), 'is none', 'not found'];
const DENIALS = [...joined('not|not be|cannot|cannot be', 'create|created'), 'never', 'instead of'];

/** `creates or updates`, `created if it does not exist`, `upsert`. */
const saysUpsert = (sentence: string) =>
  !has(sentence, DENIALS) &&
  (has(sentence, ['upsert~']) ||
    (has(sentence, CREATES) && (has(sentence, ABSENT) || (has(sentence, ['or']) && has(sentence, CHANGES)))));

const WHOLE = [
  ...joined(
    'replace|replaces|overwrite|overwrites',
    'the whole|the entire|the complete|all fields|all members',
  ),
  ...joined('full|complete', 'replacement'),
];

/** Whether the description of a PUT says that the record is replaced as a whole, as RFC 9110 §9.3.4 has it. */
export const saysReplaced = ({ spot }: Operation): boolean =>
  sentencesIn(textOf(spot)).some((sentence) => has(sentence, WHOLE) && !has(sentence, ['not', 'never']));

/**
 * Evidence that a write creates the record that it names if there is none: for a PUT, 201 beside another success (RFC 9110
 * §9.3.4). A PUT that documents 201 alone suggests it, and so do words of the description.
 */
export const upsertOf = oncePer(readUpsert);

function readUpsert({ method, responses, spot, said }: Operation): Basis | undefined {
  const { upsert } = said.facts;
  if (upsert !== undefined) return upsert ? basisOf(['said'], said.at('upsert') ?? spot) : undefined;
  const successes = explicitStatuses(responses).filter((status) => status >= 200 && status < 300);
  const isCreated = method === 'PUT' && successes.includes(201);
  const because = (isCreated && rawChild(rawChild(spot, 'responses') ?? spot, '201')) || spot;
  if (isCreated && successes.length > 1) return basisOf(['said'], because);
  const isInWords = sentencesIn(textOf(spot)).some(saysUpsert);
  if (!isCreated && !isInWords) return undefined;
  return basisOf([isCreated && 'schema', isInWords && 'words'], because);
}

const NAMING = listed('must name|must exist|names|does not exist|unknown|refers to|must refer to');
const UNKNOWN = listed('exist|exists|unknown|not found|no such|dangling');

/**
 * The status for a body that refers to a missing record: the one that `x-paddock` says; else one that can hardly mean
 * anything else, or whose description mentions missing records.
 */
export function absentAs(operation: Operation): (Basis & { readonly status: number }) | undefined {
  const { responses, said, path, spot } = operation;
  const saidStatus = refusedFor(operation, 'parent');
  if (saidStatus !== undefined)
    return { status: saidStatus, ...basisOf(['said'], said.at('refuses', `${saidStatus}`) ?? spot) };
  const saysSo = ({ spot }: (typeof responses)[number]) =>
    sentencesIn(textOf(spot)).some((sentence) => has(sentence, UNKNOWN));
  const status = [422, path.includes('{') ? 0 : 404, 409, 400].find((one) =>
    responses.some(
      ({ key, ...it }) => key === `${one}` && (one === 422 || one === 404 || saysSo({ key, ...it })),
    ),
  );
  if (status === undefined) return undefined;
  const isTold = sentencesIn(textOf(spot)).some(
    (sentence) => has(sentence, [`${status}`]) && has(sentence, NAMING),
  );
  return { status, ...basisOf(['name', isTold && 'words'], spot) };
}
