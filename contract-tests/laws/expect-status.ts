import {
  basisOf,
  explicitStatuses,
  isRecord,
  type Operation,
  oncePer,
  type Place,
  pathParameters,
  placeOf,
  rawChild,
  responseFor,
  SAFE_METHODS,
  type Shape,
  sample,
  shortenText,
} from '#spec';
import { type Exchange, isSuccess, type Response } from '../send/response.ts';
import { FORBIDDEN, headerOf, NOT_FOUND, UNAUTHORISED } from '../send/wire.ts';
import { type Evidence, recordOf, sentPart } from './evidence.ts';
import type { Breach, Broken, Judge } from './law.ts';
import { isIdName } from './mark.ts';
import { ownerOf } from './operation-role.ts';

/** The status for people, with the redirect or the body. */
export function describeStatus(response: Response): string {
  const location = headerOf(response, 'location');
  const body = response.text ? `: ${shortenText(response.text)}` : '';
  return `${response.status}${location ? ` to ${location}` : ''}${body}`;
}

export function expectStatus({ operation, response }: Evidence, ...wanted: number[]): Broken[] {
  if (wanted.includes(response.status)) return [];
  const [status = 0] = wanted;
  return [
    {
      kind: `${response.status}-for-${status}`,
      received: describeStatus(response),
      documented: wanted.join(' or '),
      at: promiseOf(operation, status),
    },
  ];
}

/** Where an operation documents a status. The response itself may be in a shared component. */
export function promiseOf({ spot, responses }: Operation, status?: number): Place {
  const all = rawChild(spot, 'responses') ?? spot;
  const key = status === undefined ? undefined : responseFor(responses, status)?.key;
  return placeOf((key === undefined ? undefined : rawChild(all, key)) ?? all);
}

export function expect4xx({ operation, response, exchange }: Evidence, or = ''): Broken[] {
  if (is4xx(response) || isUnavailable(operation, response)) return [];
  const documented = explicitStatuses(operation.responses).filter((status) => {
    // 401 and 403 reject a credential, and 404 a path, whatever the body is.
    if (!exchange.input.refused && (status === UNAUTHORISED || status === FORBIDDEN)) return false;
    return status >= 400 && status < 500 && (status !== NOT_FOUND || operation.path.includes('{'));
  });
  const wanted = `${or}a 4xx${documented.length > 0 ? ` such as ${documented.join(', ')}` : ''}`;
  const kind = `${response.status}-for-4xx` as const;
  return [{ kind, received: describeStatus(response), documented: wanted, at: promiseOf(operation) }];
}

const NOT_IMPLEMENTED = 501;

/** Whether the service returns its documented 501 for what it cannot do, however valid the request is. */
export function isUnavailable(operation: Operation, { status }: Pick<Response, 'status'>): boolean {
  return status === NOT_IMPLEMENTED && documentedOf(operation, [NOT_IMPLEMENTED]).length > 0;
}

/** Errors for a reason other than invalid input: no document states which of two reasons comes first. */
const OTHER_REASONS = [
  402,
  FORBIDDEN,
  405,
  406,
  409,
  410,
  412,
  413,
  414,
  415,
  417,
  423,
  424,
  428,
  431,
  451,
  501,
];

/**
 * The documented errors that are as valid as the one for invalid input. Without a credential, 401 is about the body, as at
 * a login; 404 may be about a record that the body names, where the path names none.
 */
export function otherRefusals(operation: Operation, needsKey: boolean): number[] {
  const others = [
    ...OTHER_REASONS,
    ...(needsKey ? [] : [UNAUTHORISED]),
    ...(operation.path.includes('{') ? [] : [NOT_FOUND]),
  ];
  return documentedOf(operation, others);
}

export function is4xx({ status }: Response): boolean {
  return status >= 400 && status < 500;
}

/** Those of the statuses that the operation documents. */
export function documentedOf({ responses }: Operation, statuses: readonly number[]): number[] {
  return explicitStatuses(responses).filter((status) => statuses.includes(status));
}

/** So many made-up ids in one sequence must all return a record: then the service makes records up. */
const TRIES = 5;

export const unknownId: Judge = (evidence) => {
  const { exchange, request, operation, response } = evidence;
  const { unknownId: isMeant, refused } = exchange.input;
  if (!isMeant || refused || malformedId(request) || saysIsFree(exchange)) return undefined;
  if (response.status < 400 && (!namesRecord(evidence) || mayBeThere(evidence))) return [];
  if (!showsItsRecord(evidence)) {
    const isNoId = mayBeNoId(evidence) && [400, 422].includes(response.status);
    // A credential that the document does not describe is not available to the run.
    const ofNobody = operation.security.length === 0 ? [UNAUTHORISED] : [];
    const others = documentedOf(operation, [
      FORBIDDEN,
      410,
      NOT_IMPLEMENTED,
      ...ofNobody,
      ...(isNoId ? [response.status] : []),
      ...OF_CONDITIONS,
    ]);
    const rests = isNoId ? [basisOf(['schema'], operation.spot)] : [];
    return expectStatus(evidence, NOT_FOUND, ...others).map((breach) => ({ ...breach, rests }));
  }
  // Somebody may have created a record with one of these ids, but not with all. An id that was chosen for a new record
  // does not count: it may be as small as those of others.
  const isMadeUp = (one: Evidence) => showsItsRecord(one) && !one.exchange.input.chosenId;
  const ids = [...evidence.earlier, evidence].filter(isMadeUp).map((one) => lastInPath(one).value);
  const count = new Set(ids.map(String)).size;
  if (count < TRIES || !isMadeUp(evidence) || mayAllExist(evidence)) return [];
  const received = `a record for each of ${count} made-up ids`;
  return { kind: 'stray', received, documented: `${NOT_FOUND}`, at: promiseOf(operation, NOT_FOUND) };
};

/** A missing record matches no condition (RFC 9110 §13.1.1). */
const OF_CONDITIONS = [412, 428];

/** Whether the run probes if an id is free, and an error says that it is: any 4xx does. */
export function saysIsFree({ input, response }: Exchange): boolean {
  return input.chosenId === true && is4xx(response);
}

/** Without a documented format, only the service knows which texts are ids, and the numbers that it counts up to. */
function mayBeNoId(evidence: Evidence): boolean {
  const { shape, value } = lastInPath(evidence);
  if (shape?.mainType === 'integer') return Number(value) <= 0;
  return shape?.mainType === 'string' && !isFormed(shape);
}

function lastInPath({ operation, exchange }: Evidence): { shape: Shape | undefined; value: unknown } {
  const name = pathParameters(operation.path).at(-1) ?? '';
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
  return { shape: parameter?.shape, value: exchange.input.path?.[name] };
}

function isFormed(shape: Shape): boolean {
  return ['format', 'pattern', 'enum', 'const'].some((keyword) => shape.find(keyword));
}

/** With so few values, or such short texts, a service may have a record for each: a country, a day. */
const FEW = 10_000;
const SHORT = 3;
/** So many random samples out of {@link FEW} values and more are nearly all distinct. */
const SAMPLES = 400;

const hasFewValues = oncePer((shape: Shape): boolean => {
  const { low, high } = shape.range;
  if (shape.mainType !== 'string')
    return Number(high?.value ?? Number.POSITIVE_INFINITY) - Number(low?.value ?? 0) < FEW;
  if (!isFormed(shape)) return Number(shape.lowest('maxLength') ?? SHORT + 1) <= SHORT;
  const made = Array.from({ length: SAMPLES }, (_, at) => sample(shape, { key: `few ${at}`, unshown: true }));
  return new Set(made).size < SAMPLES - 1;
});

function mayAllExist(evidence: Evidence): boolean {
  const { shape } = lastInPath(evidence);
  return shape !== undefined && hasFewValues(shape);
}

/** Whether a read below an id from a small set may succeed; changes are sent only if the record does not exist. */
function mayBeThere(evidence: Evidence): boolean {
  const { operation, role } = evidence;
  return SAFE_METHODS.has(operation.method) && role?.action !== 'read' && mayAllExist(evidence);
}

/** Whether the id names a record of a known collection: any value, such as a date or a town, may be valid otherwise. */
function namesRecord({ contract, operation, role }: Evidence): boolean {
  // A list below a missing record may be empty.
  if (role?.action === 'list' && operation.path.endsWith('}')) return false;
  const name = pathParameters(operation.path).at(-1) ?? '';
  return ownerOf(contract, operation, name) !== undefined;
}

function showsItsRecord(evidence: Evidence): boolean {
  const { role, exchange, response } = evidence;
  const { property, parameter } = role?.resource.id ?? {};
  if (exchange.input.unknownId !== true || role?.action !== 'read' || !property || !parameter) return false;
  const record = recordOf(evidence);
  return (
    isSuccess(response) &&
    record !== undefined &&
    String(record[property]) === String(exchange.input.path?.[parameter])
  );
}

function malformedId({ violations }: Evidence['request']) {
  return violations.find((violation) => violation.in === 'path');
}

/** An id that violates its schema is rejected with any documented error, or as a bad request. */
export const malformedIdRefused: Judge = (evidence) => {
  const { operation, response, request, exchange } = evidence;
  const explicit = explicitStatuses(operation.responses);
  const violation = malformedId(request);
  if (exchange.input.refused || !violation || !explicit.includes(NOT_FOUND)) return undefined;
  if (is4xx(response) && [400, ...explicit].includes(response.status)) return [];
  const documented = `404 or 400, since ${violation.name} ${violation.expected}`;
  const breach = { received: describeStatus(response), documented, sent: sentPart(evidence, violation) };
  // Only an accepted value breaks the constraint; another error status breaks the operation's responses.
  return isSuccess(response)
    ? { ...breach, kind: 'accepted', at: violation.at }
    : { ...breach, kind: `${response.status}-for-404`, at: promiseOf(operation, NOT_FOUND) };
};

/** The statuses for a malformed request. */
export const INVALID = [400, 415, 422];

/** An example may name records that the service does not have, and the document does not state the error for it. */
const MISSING_RECORD = [400, 422];

export const exampleAccepted: Judge = ({ response, exchange, request, operation }) => {
  const at = exchange.input.example;
  if (!at || exchange.input.refused || request.violations.length > 0) return undefined;
  if (!INVALID.includes(response.status)) return [];
  if (MISSING_RECORD.includes(response.status) && refersToRecord(shownIn(request))) return [];
  const documented = 'neither 400, 415 nor 422, since the request is an example of the document';
  return {
    received: describeStatus(response),
    documented,
    at,
    rests: optionalExample({ operation, exchange }),
  };
};

/** An optional parameter selects existing data, and its example may name something that this service does not have. */
export function optionalExample({
  operation,
  exchange,
}: Pick<Evidence, 'operation' | 'exchange'>): NonNullable<Breach['rests']> {
  const { query = {}, example } = exchange.input;
  const optional = operation.parameters.find(({ required, name }) => !required && name in query);
  return example && optional ? [{ certainty: 'presumed', because: optional.spot }] : [];
}

/** What the example shows: the body, else the parameters. */
function shownIn({ body, parameters }: Evidence['request']): unknown {
  return body ?? { ...parameters.query, ...parameters.path };
}

/** Whether a value contains the id of a record, at any depth. */
function refersToRecord(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(refersToRecord);
  if (!isRecord(value)) return false;
  return Object.entries(value).some(([name, member]) => isIdName(name) || refersToRecord(member));
}
