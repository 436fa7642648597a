import { explicitStatuses, isRecord, type Operation, placeOf, responseFor, showPlace } from '#spec';
import { needsKey } from '../send/credentials.ts';
import { isSuccess, type Response } from '../send/response.ts';
import { headerOf } from '../send/wire.ts';
import { type Evidence, ownRecordOf } from './evidence.ts';
import type { Breach, Law, LawName } from './law.ts';
import { invalidStatus, invalidStatuses, ownerOf, successStatuses } from './operation-role.ts';
import { excusesStatus, isOrdinaryRefusal, isOtherMediaType, isUnacceptable } from './protocol-status.ts';
import { shortenText } from './shorten.ts';

const UNAUTHORISED = 401;
const FORBIDDEN = 403;
const NOT_FOUND = 404;

/** The status as people read it, with the redirect or the body that came with it. */
export function describeStatus(response: Response): string {
  const location = headerOf(response, 'location');
  const body = response.text ? `: ${shortenText(response.text)}` : '';
  return `${response.status}${location ? ` to ${location}` : ''}${body}`;
}

function expectStatus(law: LawName, { operation, response }: Evidence, ...wanted: number[]): Breach[] {
  if (wanted.includes(response.status)) return [];
  const spot = responseFor(operation.responses, wanted[0] ?? 0)?.spot ?? operation.spot;
  return [{ law, received: describeStatus(response), documented: wanted.join(' or '), at: placeOf(spot) }];
}

function expect4xx(law: LawName, { operation, response, exchange }: Evidence, or = ''): Breach[] {
  if (is4xx(response)) return [];
  const documented = explicitStatuses(operation.responses).filter((status) => {
    // These refuse a credential, or a path, whatever the body is.
    if (!exchange.input.refused && (status === UNAUTHORISED || status === FORBIDDEN)) return false;
    return status >= 400 && status < 500 && (status !== NOT_FOUND || operation.path.includes('{'));
  });
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
    if (excusesStatus(evidence.exchange, evidence.request)) return false;
    return violations.some((one) => one.in === 'body') || invalidStatus(evidence.operation) !== undefined;
  },
  judge(evidence) {
    const [violation] = exactViolations(evidence);
    if (!violation) return [];
    const statuses = invalidStatuses(evidence.operation);
    const breaches =
      statuses.length === 0 || violation.kind === 'syntax'
        ? expect4xx('invalid-refused', evidence)
        : expectStatus('invalid-refused', evidence, ...statuses);
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

/** Taken, or refused with any 4xx: no document promises a refusal. */
const otherMediaType: Law = {
  name: 'invalid-tolerated',
  stage: 'status',
  applies: ({ request, exchange, response }) =>
    !exchange.input.refused && isOtherMediaType(request) && response.status >= 500,
  judge: ({ response, operation, request }) => {
    const violation = request.violations.find(({ kind }) => kind === 'media type');
    const documented = 'a success or any 4xx to a body of another media type';
    const at = violation?.at ?? placeOf(operation.spot);
    return [{ law: 'invalid-tolerated', received: describeStatus(response), documented, at }];
  },
};

/** Refused, or answered with what there is: which one is left to the service (RFC 9110 §15.5.7). */
const unacceptable: Law = {
  name: 'invalid-tolerated',
  stage: 'status',
  applies: ({ exchange, response }) =>
    !exchange.input.refused && isUnacceptable(exchange) && response.status >= 500,
  judge: ({ response, operation }) => {
    const documented = 'a success or a 4xx such as 406, whatever the client accepts';
    const at = placeOf(operation.spot);
    return [{ law: 'invalid-tolerated', received: describeStatus(response), documented, at }];
  },
};

/** The made-up ids of one sequence that were all answered with a record: the service makes records up. */
const TRIES = 5;

const unknownId: Law = {
  name: 'unknown-id',
  stage: 'status',
  applies: ({ exchange, request }) =>
    exchange.input.unknownId === true && !exchange.input.refused && !malformedId(request),
  judge(evidence) {
    if (isSuccess(evidence.response) && !namesRecord(evidence)) return [];
    if (!showsItsRecord(evidence))
      return expectStatus(
        'unknown-id',
        evidence,
        NOT_FOUND,
        ...rulesOf(evidence.operation, [FORBIDDEN, 410]),
      );
    // Somebody may have made a record with just this id, but not with each of them.
    const found = [...evidence.earlier, evidence].filter(showsItsRecord).length;
    if (found < TRIES) return [];
    const received = `a record for each of ${found} made-up ids`;
    return [
      { law: 'unknown-id', received, documented: `${NOT_FOUND}`, at: placeOf(evidence.operation.spot) },
    ];
  },
};

/** A value that identifies no record of a known collection, a date or a town say, may be good whatever it is. */
function namesRecord({ contract, operation }: Evidence): boolean {
  const name = [...operation.path.matchAll(/\{([^{}]+)\}/g)].at(-1)?.[1] ?? '';
  return ownerOf(contract, operation, name) !== undefined;
}

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

/** What these stand for is a rule that no document spells out: a conflict, a lock, a permission, a payment. */
const RULES = [402, FORBIDDEN, 409, 410, 412, 423, 424, 428, 451];

function rulesOf({ responses }: Operation, statuses: readonly number[]): number[] {
  return explicitStatuses(responses).filter((status) => statuses.includes(status));
}

/** What the case expects of this very request. Another documented success, or a documented rule, is as right. */
const expectedStatus: Law = {
  name: 'status',
  stage: 'status',
  settles: 'sequence',
  applies: ({ exchange, request }) =>
    exchange.input.expected !== undefined && !excusesStatus(exchange, request),
  judge(evidence) {
    const { operation, response, exchange, documented } = evidence;
    const { expected, guessed } = exchange.input;
    if (!expected || response.status === expected.status) return [];
    const successes = successStatuses(operation);
    if (successes.includes(expected.status) && !exchange.input.provoked) {
      const rules = rulesOf(operation, RULES);
      const inRange = isSuccess(response) && documented?.key === '2XX';
      if (inRange || [...successes, ...rules].includes(response.status)) return [];
    }
    if (expected.or4xx || guessed) return expect4xx('status', evidence, `${expected.status} or `);
    return expectStatus('status', evidence, expected.status);
  },
};

const documentedStatus: Law = {
  name: 'status',
  stage: 'status',
  applies: ({ protocol, exchange, request, response }) =>
    !protocol && !isOrdinaryRefusal(exchange, request, response),
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
  ...[
    unauthorisedFirst,
    malformedIdRefused,
    unknownId,
    invalidRefused,
    otherMediaType,
    unacceptable,
    invalidTolerated,
  ].map(unlessProvoked),
  expectedStatus,
  documentedStatus,
];

/** The user has said what such a request is answered with. */
function unlessProvoked(law: Law): Law {
  return {
    ...law,
    applies: (evidence) => !evidence.exchange.input.provoked && law.applies(evidence),
  };
}
