import {
  bodyMedia,
  explicitStatuses,
  isRecord,
  memberShape,
  type Operation,
  pathText,
  placeOf,
  pointerTokens,
  rawChild,
  showPlace,
} from '#spec';
import { needsKey } from '../send/credentials.ts';
import { type Exchange, isSuccess, type Response } from '../send/response.ts';
import { suspectsOf } from './blame.ts';
import { CONDITION_LAWS } from './conditional.ts';
import {
  type Evidence,
  excusesStatus,
  isOrdinaryRefusal,
  isOtherMediaType,
  isUnacceptable,
  ofHeader,
  ownRecordOf,
  sentPart,
} from './evidence.ts';
import {
  describeStatus,
  documentedOf,
  expect4xx,
  expectStatus,
  FORBIDDEN,
  isUnavailable,
  malformedIdRefused,
  NOT_FOUND,
  otherRefusals,
  promiseOf,
  saysIsFree,
  UNAUTHORISED,
  unknownId,
} from './expect-status.ts';
import type { Law } from './law.ts';
import { isMarked } from './mark.ts';
import { invalidStatus, invalidStatuses, leavesStatusOpen, successStatuses } from './operation-role.ts';
import { madeUpReferences, unsaidIn } from './unsaid.ts';

const CREATED = 201;
const ACCEPTED = 202;

/** Whatever else is right or wrong with the request. */
const unauthorisedFirst: Law = {
  name: 'unauthorised-first',
  stage: 'status',
  applies: ({ exchange: { input }, operation }) =>
    input.refused !== undefined && input.otherScheme === undefined && needsKey(operation),
  judge: (evidence) =>
    explicitStatuses(evidence.operation.responses).includes(UNAUTHORISED)
      ? expectStatus('unauthorised-first', evidence, UNAUTHORISED)
      : expect4xx('unauthorised-first', evidence),
};

/** What a credential of another scheme opens. */
const credentialsApart: Law = {
  name: 'credentials-apart',
  stage: 'status',
  applies: ({ exchange }) => exchange.input.otherScheme !== undefined,
  judge({ exchange, operation, response }) {
    if (!isSuccess(response)) return [];
    const received = `${describeStatus(response)} to a credential of ${exchange.input.otherScheme}`;
    const listed = [...new Set(operation.security.flat().map(({ scheme }) => scheme))];
    const at = placeOf(rawChild(operation.spot, 'security') ?? operation.spot);
    const documented = `401 or 403: the operation lists ${listed.join(', ')}`;
    return { kind: 'accepted', received, documented, at };
  },
};

/** Each alternative of an operation's security is enough. */
const alternativeAccepted: Law = {
  name: 'status',
  stage: 'status',
  applies: ({ exchange }) => exchange.input.presented !== undefined,
  judge({ operation, response }) {
    if (response.status !== UNAUTHORISED) return [];
    const documented = 'any status but 401: the credential is one of the documented alternatives';
    const security = rawChild(operation.spot, 'security');
    const at = placeOf(security ?? operation.spot);
    return { kind: '401-for-2xx', received: describeStatus(response), documented, at };
  },
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

/** A refusal that the operation documents, for another reason. */
function isOtherRefusal({ operation, response }: Evidence): boolean {
  return otherRefusals(operation, needsKey(operation)).includes(response.status);
}

/** A document that names no refusal of an operation does not say that anything is refused. */
function hasRefusals({ responses }: Operation): boolean {
  return responses.some(({ key }) => /^(?:4|default)/.test(key));
}

const invalidRefused: Law = {
  name: 'invalid-refused',
  stage: 'status',
  applies(evidence) {
    const violations = exactViolations(evidence);
    if (violations.length === 0 || mayBeNotFound(evidence) || isAboutOthers(evidence)) return false;
    if (excusesStatus(evidence.exchange, evidence.request)) return false;
    if (isOtherRefusal(evidence)) return false;
    if (invalidStatus(evidence.operation) !== undefined) return true;
    const isTaken = isSuccess(evidence.response) && !hasRefusals(evidence.operation);
    return !isTaken && violations.some((one) => one.in === 'body');
  },
  judge(evidence) {
    const [violation] = exactViolations(evidence);
    if (!violation) return [];
    const statuses = invalidStatuses(evidence.operation);
    const breaches =
      statuses.length === 0 || violation.kind === 'syntax'
        ? expect4xx('invalid-refused', evidence)
        : expectStatus('invalid-refused', evidence, ...statuses);
    const sent = sentPart(evidence, violation);
    if (violation.kind === 'syntax')
      return breaches.map((breach) => ({
        ...breach,
        sent,
        documented: `${breach.documented}, since the body ${violation.expected.split(':')[0]}`,
      }));
    const what = `${violation.in === 'body' ? pathText(['body', ...pointerTokens(violation.pointer)]) : violation.name} ${violation.expected}`;
    return breaches.map((breach) => ({
      ...breach,
      sent,
      documented: `${breach.documented}, since ${what} ("${violation.keyword}", ${showPlace(violation.at)})`,
      // The constraint is not enforced; another status for what is refused is the operation's own.
      ...(isSuccess(evidence.response) && { kind: 'accepted', at: violation.at }),
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
  judge: (evidence) => {
    const violation = evidence.request.violations.find((one) => one.in === 'query');
    const sent = violation && sentPart(evidence, violation);
    return expect4xx('invalid-tolerated', evidence).map((breach) => ({ ...breach, ...(sent && { sent }) }));
  },
};

/** Taken, or refused with any 4xx: no document promises a refusal. */
const otherMediaType: Law = {
  name: 'invalid-tolerated',
  stage: 'status',
  applies: ({ request, exchange, operation, response }) =>
    !exchange.input.refused &&
    isOtherMediaType(request) &&
    response.status >= 500 &&
    !isUnavailable(operation, response),
  judge: ({ response, operation, request }) => {
    const violation = request.violations.find(({ kind }) => kind === 'media type');
    const documented = 'a success or any 4xx to a body of another media type';
    const at = violation?.at ?? placeOf(operation.spot);
    const kind = `${response.status}-for-4xx` as const;
    const sent = ofHeader('content-type');
    return { kind, received: describeStatus(response), documented, at, sent };
  },
};

/** Refused, or answered with what there is: which one is left to the service (RFC 9110 §15.5.7). */
const unacceptable: Law = {
  name: 'invalid-tolerated',
  stage: 'status',
  applies: ({ exchange, operation, response }) =>
    !exchange.input.refused &&
    isUnacceptable(exchange) &&
    response.status >= 500 &&
    !isUnavailable(operation, response),
  judge: ({ response, operation }) => {
    const documented = 'a success or a 4xx such as 406, whatever the client accepts';
    const at = placeOf(operation.spot);
    const kind = `${response.status}-for-4xx` as const;
    const sent = ofHeader('accept');
    return { kind, received: describeStatus(response), documented, at, sent };
  },
};

/** What these stand for is a rule that no document spells out: a conflict, a lock, a permission, a payment, what is installed. */
const RULES = [402, FORBIDDEN, 409, 410, 412, 423, 424, 428, 451, 501];

const CONFLICT = 409;

/**
 * A refusal for what other records are: there is none by an id that the run made up, or one has a text already that may be
 * anybody's. Such a request is as the document demands, and the document is silent.
 */
function isAboutOthers(evidence: Evidence): boolean {
  const { status } = evidence.response;
  if (status !== NOT_FOUND && status !== CONFLICT) return false;
  return madeUpReferences(evidence).length > 0 || (status === CONFLICT && !bearsMarks(evidence));
}

/** Each text of a body is one that nobody else sends, or one of those that the document lists. */
function bearsMarks({ request: { body }, operation }: Evidence): boolean {
  const shape = bodyMedia(operation.body)?.shape;
  return Object.entries(isRecord(body) ? body : {}).every(
    ([name, text]) =>
      typeof text !== 'string' || isMarked(text) || (shape && memberShape(shape, name)?.values !== undefined),
  );
}

/** What the case expects of this very request. Another documented success, or a documented rule, is as right. */
const expectedStatus: Law = {
  name: 'status',
  stage: 'status',
  settles: 'sequence',
  applies: ({ exchange, request, operation }) =>
    exchange.input.expected !== undefined &&
    // No success is owed to a body that the document forbids.
    (exchange.input.provoked ||
      !successStatuses(operation).includes(exchange.input.expected.status) ||
      !request.violations.some((one) => one.in === 'body' && one.kind !== 'media type')) &&
    // A record may have an id that the path does not allow; the document contradicts itself then.
    !request.violations.some((one) => one.in === 'path') &&
    !excusesStatus(exchange, request),
  judge(evidence) {
    const { operation, response, exchange, documented } = evidence;
    const { expected, guessed } = exchange.input;
    if (!expected || response.status === expected.status) return [];
    const successes = successStatuses(operation);
    const isOwed = successes.includes(expected.status) && !exchange.input.provoked;
    if (isOwed) {
      const rules = documentedOf(operation, RULES);
      const inRange = isSuccess(response) && documented?.key === '2XX';
      if (inRange || [...successes, ...rules].includes(response.status) || unsaidIn(evidence)) return [];
      if (isAboutOthers(evidence)) return [];
    }
    if (expected.or4xx || guessed) return expect4xx('status', evidence, `${expected.status} or `);
    const suspects = isOwed ? suspectsOf(evidence) : [];
    return expectStatus('status', evidence, expected.status).map((breach) => ({
      ...breach,
      ...(suspects.length > 0 && { suspects }),
      ...(expected.rests && { rests: expected.rests }),
    }));
  },
};

/** 201 says that a PUT has made the record, another success that it was there (RFC 9110 §9.3.4). */
const createdStatus: Law = {
  name: 'status',
  stage: 'status',
  applies: ({ exchange: { input }, operation, response }) =>
    input.creates !== undefined &&
    isSuccess(response) &&
    response.status !== ACCEPTED &&
    explicitStatuses(operation.responses).includes(CREATED),
  judge(evidence) {
    const { operation, response, exchange } = evidence;
    if ((response.status === CREATED) === exchange.input.creates) return [];
    const others = successStatuses(operation).filter((status) => status !== CREATED);
    return expectStatus('status', evidence, ...(exchange.input.creates ? [CREATED] : others));
  },
};

const documentedStatus: Law = {
  name: 'status',
  stage: 'status',
  applies: ({ protocol, exchange, request, response }) =>
    !protocol &&
    !isOrdinaryRefusal(exchange, request, response) &&
    !isUndescribedSuccess(exchange) &&
    !saysIsFree(exchange),
  judge({ documented, operation, response, request, exchange: { input } }) {
    const isValid = request.violations.length === 0 && !input.refused && !input.provoked;
    const isFault = isValid && isServerFault(response);
    const isDescribed = documented?.key === 'default' || operation.responses.length === 0;
    if (isDescribed ? !isFault : documented) return [];
    const named = operation.responses.map(({ key }) => key).filter((key) => key !== 'default');
    const wanted = isDescribed
      ? 'no 5xx to a valid request, unless it is documented by name'
      : `one of ${named.join(', ')}`;
    const kind = `undocumented-${response.status}` as const;
    const at = promiseOf(operation);
    return { kind, received: describeStatus(response), documented: wanted, at };
  },
};

/**
 * `default` describes what goes wrong, and does not say that a valid request may. What the service cannot do, or not at
 * the moment, is no fault (RFC 9110 §15.6.2 to §15.6.5).
 */
function isServerFault({ status }: Response): boolean {
  return status >= 500 && ![501, 502, 503, 504].includes(status);
}

/** A document of errors alone leaves out what every operation has; it does not say that nothing succeeds. */
function isUndescribedSuccess({ operation, response }: Exchange): boolean {
  return isSuccess(response) && leavesStatusOpen(operation);
}

/** Which status a request must be answered with; the most specific comes first. */
export const STATUS_LAWS: readonly Law[] = [
  ...[
    unauthorisedFirst,
    credentialsApart,
    alternativeAccepted,
    malformedIdRefused,
    unknownId,
    ...CONDITION_LAWS,
    invalidRefused,
    otherMediaType,
    unacceptable,
    invalidTolerated,
  ].map(unlessProvoked),
  createdStatus,
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
