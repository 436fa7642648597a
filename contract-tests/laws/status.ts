import {
  basisOf,
  bodyMedia,
  describesRefusal,
  isRecord,
  isStyleless,
  memberShape,
  type Operation,
  type Place,
  pathText,
  placeOf,
  pointerTokens,
  type RequestViolation,
  rawChild,
  SAFE_METHODS,
  showPlace,
} from '#spec';
import { needsKey } from '../send/credentials.ts';
import { type Exchange, isSuccess, type Response } from '../send/response.ts';
import { ACCEPTED, CONFLICT, CREATED, FORBIDDEN, headerOf, NOT_FOUND, UNAUTHORISED } from '../send/wire.ts';
import { suspectsOf } from './blame.ts';
import { type Evidence, ofHeader, ownRecordOf, type SentPart, sentPart } from './evidence.ts';
import { excusesStatus, isOrdinaryRefusal, isUnacceptable } from './excused-status.ts';
import {
  describeStatus,
  documentedOf,
  expect4xx,
  expectStatus,
  INVALID,
  isUnavailable,
  optionalExample,
  otherRefusals,
  promiseOf,
  saysIsFree,
} from './expect-status.ts';
import { type Broken, breachOf, type Judge } from './law.ts';
import { isRefusedAlone } from './many.ts';
import { isIdName, isMarked } from './mark.ts';
import { invalidStatus, invalidStatuses, leavesStatusOpen, successStatuses } from './operation-role.ts';
import { madeUpReferences, unsaidIn } from './unsaid.ts';

/** Rejects invalid credentials, however valid the rest of the request is. */
export const unauthorisedFirst: Judge = (evidence) => {
  const { exchange, operation } = evidence;
  const { refused, otherScheme, issued } = exchange.input;
  if (refused === undefined || otherScheme !== undefined || issued || !needsKey(operation)) return undefined;
  const isDocumented = documentedOf(operation, [UNAUTHORISED]).length > 0;
  return isDocumented ? expectStatus(evidence, UNAUTHORISED) : expect4xx(evidence);
};

/** A credential of another security scheme does not grant access. */
export const credentialsApart: Judge = ({ exchange, operation, response }) => {
  const { otherScheme } = exchange.input;
  if (otherScheme === undefined) return undefined;
  if (!isSuccess(response)) return [];
  const received = `${describeStatus(response)} to a credential of ${otherScheme}`;
  const listed = [...new Set(operation.security.flat().map(({ scheme }) => scheme))];
  const documented = `401 or 403: the operation lists ${listed.join(', ')}`;
  return { kind: 'accepted', received, documented, at: securityOf(operation) };
};

/** A key that the run revoked, or that expired, does not grant access. */
export const endedKeyRefused: Judge = ({ exchange, operation, response }) => {
  const { refused, issued } = exchange.input;
  if (refused === undefined || !issued) return undefined;
  if (!isSuccess(response)) return [];
  const received = `${describeStatus(response)} to a key that has ended`;
  const documented = `${UNAUTHORISED}: it is revoked, or has expired`;
  return { kind: 'accepted', received, documented, at: securityOf(operation), rests: [issued] };
};

/** Each alternative of an operation's security grants access, and so does a key that the service has just issued. */
export const alternativeAccepted: Judge = ({ exchange, operation, response }) => {
  const { presented, issued } = exchange.input;
  if (presented === undefined) return undefined;
  if (response.status !== UNAUTHORISED) return [];
  const what = issued ? 'it was handed out as one' : 'the credential is one of the documented alternatives';
  const broken = { received: describeStatus(response), documented: `any status but 401: ${what}` };
  return { kind: '401-for-2xx', ...broken, at: securityOf(operation), ...(issued && { rests: [issued] }) };
};

function securityOf({ spot }: Operation): Place {
  return placeOf(rawChild(spot, 'security') ?? spot);
}

/** The violations in the body or, for an operation without one, in the query. */
function exactViolations({ request, operation, exchange }: Evidence) {
  if (exchange.input.refused) return [];
  return request.violations.filter(
    ({ in: place, kind }) =>
      (place === 'body' && kind !== 'media type') || (place === 'query' && !operation.body),
  );
}

/** Where the path may name nothing, 404 is as valid. */
function mayBeNotFound(evidence: Evidence): boolean {
  const { operation, response } = evidence;
  if (response.status !== NOT_FOUND || !operation.path.includes('{')) return false;
  const record = ownRecordOf(evidence);
  return !record || record.removed;
}

/** Whether the response is a documented error for another reason. */
function isOtherRefusal({ operation, response }: Evidence): boolean {
  return otherRefusals(operation, needsKey(operation)).includes(response.status);
}

export const invalidRefused: Judge = (evidence) => {
  const { operation, response } = evidence;
  const violations = exactViolations(evidence);
  const [violation] = violations;
  if (!violation || mayBeNotFound(evidence) || isAboutOthers(evidence)) return undefined;
  if (excusesStatus(evidence.exchange, evidence.request) || isOtherRefusal(evidence)) return undefined;
  if (violations.every(({ in: place, pointer }) => place === 'body' && isRefusedAlone(evidence, pointer)))
    return [];
  const statuses = invalidStatuses(operation);
  const isTaken = isSuccess(response) && !describesRefusal(operation.responses);
  if (statuses.length === 0 && (isTaken || !violations.some((one) => one.in === 'body'))) return undefined;
  const isUnreadable = violation.kind === 'syntax';
  const isFree = operation.parameters.some(
    (parameter) =>
      parameter.in === violation.in && parameter.name === violation.name && isStyleless(parameter),
  );
  const breaches =
    statuses.length === 0 || isUnreadable ? expect4xx(evidence) : expectStatus(evidence, ...statuses);
  const sent = sentPart(evidence, violation);
  const what =
    violation.in === 'body' ? pathText(['body', ...pointerTokens(violation.pointer)]) : violation.name;
  const since = isUnreadable
    ? `the body ${violation.expected.split(':')[0]}`
    : `${what} ${violation.expected} ("${violation.keyword}", ${showPlace(violation.at)})`;
  return breaches.map((breach) => ({
    ...breach,
    sent,
    documented: `${breach.documented}, since ${since}`,
    // Only an accepted value breaks the constraint; another error status breaks the operation's responses.
    ...(isSuccess(response) && !isUnreadable && { kind: 'accepted', at: violation.at }),
    // A service may accept a value for which the document has no error status, or whose format it leaves open.
    ...(isSuccess(response) &&
      (statuses.length === 0 || isFree) && { rests: [basisOf(['schema'], operation.spot)] }),
  }));
};

/** A request is rejected if it lacks a required header, or has an invalid value in it. */
export const invalidHeader: Judge = ({ request, exchange, response, operation }) => {
  const violation = request.violations.find((one) => one.in === 'header');
  if (!violation || exchange.input.refused || request.violations.length > 1) return undefined;
  if (!isSuccess(response) || !describesRefusal(operation.responses)) return [];
  const documented = `a 4xx, since the header ${violation.name} ${violation.expected}`;
  const more = { at: violation.at, sent: ofHeader(violation.name) };
  return breachOf(
    basisOf(['schema'], operation.spot),
    'accepted',
    describeStatus(response),
    documented,
    more,
  );
};

/** An invalid query without a documented status gets a 4xx, or a response within the documented bounds. */
export const invalidTolerated: Judge = (evidence) => {
  const { request, operation, exchange, response } = evidence;
  const violation = request.violations.find((one) => one.in === 'query');
  const isOpen = operation.body !== undefined || invalidStatus(operation) === undefined;
  if (!violation || exchange.input.refused || !isOpen || isSuccess(response)) return undefined;
  const sent = sentPart(evidence, violation);
  return expect4xx(evidence).map((breach) => ({ ...breach, sent }));
};

/** A body of another media type is accepted, or gets any 4xx: no document promises an error. */
export const otherMediaType: Judge = (evidence) => {
  const violation = evidence.request.violations.find(({ kind }) => kind === 'media type');
  const documented = 'a success or any 4xx to a body of another media type';
  return violation && brokenBy(evidence, ofHeader('content-type'), documented, violation.at);
};

/** An undocumented part of a request is ignored, or gets any 4xx. */
export const undocumentedPart: Judge = (evidence) => {
  const { exchange, operation } = evidence;
  const { undocumented } = exchange.input;
  const documented = 'a success or any 4xx to a part of a request that the document does not have';
  const broken = undocumented && brokenBy(evidence, { ...undocumented, pointer: '' }, documented);
  // No document promises anything of undocumented parts.
  return broken && { ...broken, rests: [basisOf(['path'], operation.spot)] };
};

/** Without an acceptable media type the service may return 4xx or any type (RFC 9110 §15.5.7). */
export const unacceptable: Judge = (evidence) => {
  const { operation, exchange, response, documented } = evidence;
  if (!isUnacceptable(exchange)) return undefined;
  const accept = headerOf(exchange.request, 'accept') ?? '';
  const types = documented?.content.map(({ type }) => type) ?? [];
  const isNone = types.length > 0 && !accept.includes('*') && !types.some((type) => accept.includes(type));
  if (isNone && isSuccess(response) && documentedOf(operation, [NOT_ACCEPTABLE]).length > 0) {
    const fact = basisOf(['schema'], operation.spot);
    const [received, sent] = [describeStatus(response), ofHeader('accept')];
    return breachOf(fact, 'accepted', received, `406 to Accept: ${accept}`, { sent });
  }
  const wanted = 'a success or a 4xx such as 406, whatever the client accepts';
  return brokenBy(evidence, ofHeader('accept'), wanted);
};

const NOT_ACCEPTABLE = 406;

/** Unwelcome input is no reason for a 5xx. */
function brokenBy(
  { exchange, operation, response }: Evidence,
  sent: SentPart,
  documented: string,
  at = placeOf(operation.spot),
): Broken | undefined {
  if (exchange.input.refused || response.status < 500 || isUnavailable(operation, response)) return undefined;
  const kind = `${response.status}-for-4xx` as const;
  return { kind, received: describeStatus(response), documented, at, sent };
}

/** Statuses for rules that no document spells out: a conflict, a lock, a permission, a payment, an installed feature. */
const RULES = [402, FORBIDDEN, 409, 410, 412, 423, 424, 428, 451, 501];

/** The resource is elsewhere (RFC 9110 §15.4): that is no failure. */
const REDIRECTS = [300, 301, 302, 303, 307, 308];

const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'];

/**
 * An error that is due to other records: none has a made-up id, or another client's record has the same text. Such a
 * request is valid, and the document does not mention the case.
 */
function isAboutOthers(evidence: Evidence): boolean {
  const { response, exchange } = evidence;
  const { status } = response;
  // Without a condition in the request (RFC 9110 §13.1), 412 is about the service's state.
  if (status === 412) return !CONDITIONS.some((name) => headerOf(exchange.request, name) !== undefined);
  if (status !== NOT_FOUND && status !== CONFLICT) return false;
  return madeUpReferences(evidence).length > 0 || (status === CONFLICT && !bearsMarks(evidence));
}

/** Whether each text of a body is unique to the run, or one of the documented values. */
function bearsMarks({ request: { body }, operation }: Evidence): boolean {
  const shape = bodyMedia(operation.body)?.shape;
  return Object.entries(isRecord(body) ? body : {}).every(
    ([name, text]) =>
      typeof text !== 'string' || isMarked(text) || (shape && memberShape(shape, name)?.values !== undefined),
  );
}

/** The response has the status that the case expects; another documented success or a documented rule is as valid. */
export const expectedStatus: Judge = (evidence) => {
  const { operation, response, request, exchange, documented } = evidence;
  const { expected, guessed, provoked } = exchange.input;
  if (!expected || excusesStatus(exchange, request)) return undefined;
  const successes = successStatuses(operation);
  const isOwed = successes.includes(expected.status) && !provoked;
  const isBroken = ({ in: place, kind }: RequestViolation) =>
    // A record may have an id that the path's schema forbids: then the document contradicts itself.
    place === 'path' ||
    // An invalid body has no claim to a success.
    (isOwed && place === 'body' && kind !== 'media type');
  if (request.violations.some(isBroken)) return undefined;
  if (response.status === expected.status) return [];
  if (isOwed) {
    // Where the document promises the success of this request, other rules are no excuse.
    const rules = expected.rests ? [] : documentedOf(operation, RULES);
    const inRange = isSuccess(response) && documented?.key === '2XX';
    const others = [...successes, ...rules, ...documentedOf(operation, REDIRECTS)];
    if (inRange || others.includes(response.status) || unsaidIn(evidence)) return [];
    if (isAboutOthers(evidence)) return [];
  }
  const doubts = isOwed ? doubtsOf(evidence) : [];
  const rests = (expected.rests || doubts.length > 0) && { rests: [...(expected.rests ?? []), ...doubts] };
  if (expected.or4xx || guessed)
    return expect4xx(evidence, `${expected.status} or `).map((breach) => ({ ...breach, ...rests }));
  // Where it promises the success of this value, the value is no excuse.
  const isPromised = expected.rests?.some((basis) => basis?.certainty === 'promised');
  const suspects = isOwed && !isPromised ? suspectsOf(evidence) : [];
  return expectStatus(evidence, expected.status).map((breach) => ({
    ...breach,
    ...(suspects.length > 0 && { suspects }),
    ...rests,
  }));
};

/** 201 says that a PUT created the record, another success that it existed (RFC 9110 §9.3.4). */
export const createdStatus: Judge = (evidence) => {
  const { operation, response, exchange } = evidence;
  const { creates } = exchange.input;
  if (creates === undefined || operation.method !== 'PUT') return undefined;
  if (!isSuccess(response) || response.status === ACCEPTED) return undefined;
  if (documentedOf(operation, [CREATED]).length === 0) return undefined;
  if ((response.status === CREATED) === creates) return [];
  const others = successStatuses(operation).filter((status) => status !== CREATED);
  return expectStatus(evidence, ...(creates ? [CREATED] : others));
};

export const documentedStatus: Judge = (evidence) => {
  const { documented, protocol, operation, response, request, exchange } = evidence;
  if (protocol || isOrdinaryRefusal(exchange, request, response)) return undefined;
  // The rule undocumentedPart judges it.
  if (exchange.input.undocumented) return undefined;
  if (isUndescribedSuccess(exchange) || saysIsFree(exchange) || namesNoId(evidence)) return undefined;
  if (!documented && unsaidIn(evidence) !== undefined) return undefined;
  const isValid = request.violations.length === 0 && !exchange.input.refused && !exchange.input.provoked;
  const isFault = isValid && isServerFault(response);
  const isDescribed = documented?.key === 'default' || operation.responses.length === 0;
  if (isDescribed ? !isFault : documented) return [];
  const named = operation.responses.map(({ key }) => key).filter((key) => key !== 'default');
  const wanted = isDescribed
    ? 'no 5xx to a valid request, unless it is documented by name'
    : `one of ${named.join(', ')}`;
  const kind = `undocumented-${response.status}` as const;
  const rests = doubtsOf(evidence);
  const suspects = isValid ? suspectsOf(evidence) : [];
  const at = promiseOf(operation);
  return { kind, received: describeStatus(response), documented: wanted, at, suspects, rests };
};

/** Reasons to reject a valid request as invalid: it names records that the run made up, or that examples show. */
function doubtsOf(evidence: Evidence): NonNullable<Broken['rests']> {
  const { response, operation } = evidence;
  if (!INVALID.includes(response.status)) return [];
  const isMadeUp = madeUpReferences(evidence).length > 0;
  return isMadeUp ? [basisOf(['schema'], operation.spot)] : optionalExample(evidence);
}

/**
 * `default` describes errors, and does not say that a valid request may fail. A function that is missing or temporarily
 * unavailable is no fault (RFC 9110 §15.6.2 to §15.6.5).
 */
function isServerFault({ status }: Response): boolean {
  return status >= 500 && ![501, 502, 503, 504].includes(status);
}

/** A made-up id may lack the format that the service requires: it may be rejected as invalid. */
function namesNoId(evidence: Evidence): boolean {
  const { operation, exchange, request, response, model } = evidence;
  const isRefusal = response.status === 400 || response.status === 422;
  const { madeUp, guessed } = exchange.input;
  if (!isRefusal || ownRecordOf(evidence) || !(madeUp || guessed || SAFE_METHODS.has(operation.method)))
    return false;
  return Object.entries(request.parameters.path).some(
    ([name, value]) => isIdName(name) && !model.hasShown(name, value),
  );
}

/** A document that has only errors omits what every operation has; it does not say that nothing succeeds. */
function isUndescribedSuccess({ operation, response }: Exchange): boolean {
  return isSuccess(response) && leavesStatusOpen(operation);
}
