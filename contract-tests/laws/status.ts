import { explicitStatuses, isRecord, placeOf, responseFor, showPlace } from '#spec';
import { needsKey } from '../send/credentials.ts';
import { isSuccess, type Response } from '../send/response.ts';
import { headerOf } from '../send/wire.ts';
import { type Evidence, ownRecordOf } from './evidence.ts';
import type { Breach, Law, LawName } from './law.ts';
import { invalidStatus, invalidStatuses, successStatuses } from './operation-role.ts';
import { shortenText } from './shorten.ts';

const UNAUTHORISED = 401;
const NOT_FOUND = 404;

/** The status as people read it, with the redirect or the body that came with it. */
export function describeStatus(response: Response): string {
  const location = headerOf(response, 'location');
  const body = response.text ? `: ${shortenText(response.text)}` : '';
  return `${response.status}${location ? ` to ${location}` : ''}${body}`;
}

function expectStatus(law: LawName, { operation, response }: Evidence, wanted: number): Breach[] {
  if (response.status === wanted) return [];
  const spot = responseFor(operation.responses, wanted)?.spot ?? operation.spot;
  return [{ law, received: describeStatus(response), documented: `${wanted}`, at: placeOf(spot) }];
}

function expect4xx(law: LawName, { operation, response }: Evidence, or = ''): Breach[] {
  if (is4xx(response)) return [];
  const documented = explicitStatuses(operation.responses).filter((status) => status >= 400 && status < 500);
  const wanted = `${or}a 4xx${documented.length > 0 ? ` such as ${documented.join(', ')}` : ''}`;
  return [{ law, received: describeStatus(response), documented: wanted, at: placeOf(operation.spot) }];
}

function is4xx({ status }: Response): boolean {
  return status >= 400 && status < 500;
}

/** Whatever else is right or wrong with the request. */
const unauthorisedFirst: Law = {
  name: 'unauthorised-first',
  stage: 'status',
  applies: ({ exchange, operation }) =>
    exchange.input.refused !== undefined &&
    needsKey(operation) &&
    explicitStatuses(operation.responses).includes(UNAUTHORISED),
  judge: (evidence) => expectStatus('unauthorised-first', evidence, UNAUTHORISED),
};

/** What the document says is wrong with the body, or with the query of an operation without one. */
function exactViolations({ request, operation, exchange }: Evidence) {
  if (exchange.input.refused) return [];
  return request.violations.filter(
    ({ in: place, kind }) =>
      (place === 'body' && kind !== 'media type') || (place === 'query' && !operation.body),
  );
}

/** Where the path may name nothing, 404 is as right. */
function mayBeNotFound(evidence: Evidence): boolean {
  const { operation, response } = evidence;
  if (response.status !== NOT_FOUND || !operation.path.includes('{')) return false;
  const own = ownRecordOf(evidence);
  return !own || own.removed;
}

const invalidRefused: Law = {
  name: 'invalid-refused',
  stage: 'status',
  applies(evidence) {
    const violations = exactViolations(evidence);
    if (violations.length === 0 || mayBeNotFound(evidence)) return false;
    return violations.some((one) => one.in === 'body') || invalidStatus(evidence.operation) !== undefined;
  },
  judge(evidence) {
    const [violation] = exactViolations(evidence);
    // Of a 400 and a 422 the document does not say which is for what.
    if (!violation || invalidStatuses(evidence.operation).includes(evidence.response.status)) return [];
    const status = invalidStatus(evidence.operation);
    const breaches =
      status === undefined || violation.kind === 'syntax'
        ? expect4xx('invalid-refused', evidence)
        : expectStatus('invalid-refused', evidence, status);
    if (violation.kind === 'syntax') return breaches;
    const what = `${violation.in === 'body' ? `body${violation.pointer}` : violation.name} ${violation.expected}`;
    return breaches.map((breach) => ({
      ...breach,
      documented: `${breach.documented}, since ${what} ("${violation.keyword}", ${showPlace(violation.at)})`,
      at: violation.at,
    }));
  },
};

/** Where the document names no status for it: refused with a 4xx, or answered within the documented bounds. */
const invalidTolerated: Law = {
  name: 'invalid-tolerated',
  stage: 'status',
  applies: ({ request, operation, exchange, response }) =>
    !exchange.input.refused &&
    (Boolean(operation.body) || invalidStatus(operation) === undefined) &&
    request.violations.some((one) => one.in === 'query') &&
    !isSuccess(response),
  judge: (evidence) => expect4xx('invalid-tolerated', evidence),
};

const mediaTypeRefused: Law = {
  name: 'invalid-refused',
  stage: 'status',
  applies: ({ request, exchange }) =>
    !exchange.input.refused && request.violations.some(({ kind }) => kind === 'media type'),
  judge: (evidence) => expect4xx('invalid-refused', evidence),
};

/** The made-up ids of one sequence that were all answered with a record: the service makes records up. */
const TRIES = 5;

const unknownId: Law = {
  name: 'unknown-id',
  stage: 'status',
  applies: ({ exchange, request }) =>
    exchange.input.unknownId === true && !exchange.input.refused && !malformedId(request),
  judge(evidence) {
    if (!showsItsRecord(evidence)) return expectStatus('unknown-id', evidence, NOT_FOUND);
    // Somebody may have made a record with just this id, but not with each of them.
    const found = [...evidence.earlier, evidence].filter(showsItsRecord).length;
    if (found < TRIES) return [];
    const received = `a record for each of ${found} made-up ids`;
    return [
      { law: 'unknown-id', received, documented: `${NOT_FOUND}`, at: placeOf(evidence.operation.spot) },
    ];
  },
};

function showsItsRecord({ role, exchange, response, json }: Evidence): boolean {
  const { property, parameter } = role?.resource.id ?? {};
  if (exchange.input.unknownId !== true || role?.action !== 'read' || !property || !parameter) return false;
  return (
    isSuccess(response) &&
    isRecord(json) &&
    String(json[property]) === String(exchange.input.path?.[parameter])
  );
}

function malformedId({ violations }: Evidence['request']) {
  return violations.find((one) => one.in === 'path');
}

/** An id that is not of the documented form is refused in whatever way the operation documents, or as a bad request. */
const malformedIdRefused: Law = {
  name: 'unknown-id',
  stage: 'status',
  applies: ({ exchange, request, operation }) =>
    !exchange.input.refused &&
    malformedId(request) !== undefined &&
    explicitStatuses(operation.responses).includes(NOT_FOUND),
  judge({ operation, response, request }) {
    const allowed = new Set([NOT_FOUND, 400, ...explicitStatuses(operation.responses)]);
    const violation = malformedId(request);
    if (!violation || (is4xx(response) && allowed.has(response.status))) return [];
    const documented = `404 or 400, since ${violation.name} ${violation.expected}`;
    return [{ law: 'unknown-id', received: describeStatus(response), documented, at: violation.at }];
  },
};

/** What the case expects of this very request; another documented success is as right. */
const expectedStatus: Law = {
  name: 'status',
  stage: 'status',
  settles: 'sequence',
  applies: ({ exchange }) => exchange.input.expected !== undefined,
  judge(evidence) {
    const { exchange, operation, response } = evidence;
    const { expected } = exchange.input;
    if (!expected) return [];
    const right = isSuccess(expected) ? successStatuses(operation) : [expected.status];
    if (right.includes(response.status)) return [];
    if (expected.or4xx) return expect4xx('status', evidence, `${expected.status} or `);
    return expectStatus('status', evidence, expected.status);
  },
};

/** Statuses of HTTP itself (RFC 9110 §15.5, RFC 6585), which documents leave out. */
const OF_HTTP: ReadonlySet<number> = new Set([405, 406, 411, 413, 414, 415, 417, 426, 429, 431]);

/** A document that names no status for a refusal does not say that nothing is refused. */
function mayBeUndocumented(evidence: Evidence): boolean {
  const { operation, exchange, request, response } = evidence;
  const { refused, expected } = exchange.input;
  if (mayBeNotFound(evidence)) return true;
  if (refused) return response.status === UNAUTHORISED || response.status === 403;
  if (OF_HTTP.has(response.status) || (response.status === 400 && malformedId(request))) return true;
  const isOpen = request.violations.length > 0 || expected?.or4xx === true;
  return isOpen && is4xx(response) && invalidStatus(operation) === undefined;
}

const documentedStatus: Law = {
  name: 'status',
  stage: 'status',
  applies: (evidence) => !mayBeUndocumented(evidence),
  judge({ documented, operation, response }) {
    if (documented) return [];
    const wanted = `one of ${operation.responses.map(({ key }) => key).join(', ')}`;
    return [
      { law: 'status', received: describeStatus(response), documented: wanted, at: placeOf(operation.spot) },
    ];
  },
};

/** Which status a request must be answered with; the most specific comes first. */
export const STATUS_LAWS: readonly Law[] = [
  unauthorisedFirst,
  malformedIdRefused,
  unknownId,
  invalidRefused,
  mediaTypeRefused,
  invalidTolerated,
  expectedStatus,
  documentedStatus,
];
