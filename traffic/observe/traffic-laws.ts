import { explicitStatuses, filteredValues, type Operation } from '#spec';
import { ALL_LAWS } from '../../contract-tests/laws/all-laws.ts';
import type { Evidence } from '../../contract-tests/laws/evidence.ts';
import { isRemoved } from '../../contract-tests/laws/excused-status.ts';
import { documentedOf } from '../../contract-tests/laws/expect-status.ts';
import { type Law, type LawName, REACH } from '../../contract-tests/laws/law.ts';
import { parentsOf } from '../../contract-tests/laws/operation-role.ts';
import { NO_CREDENTIAL } from '../../contract-tests/send/credentials.ts';
import { isSuccess } from '../../contract-tests/send/response.ts';
import { FORBIDDEN, headerOf, type WireRequest, type WireResponse } from '../../contract-tests/send/wire.ts';
import type { Settings } from '../../contract-tests/settings/settings.ts';
import { caseIdOf, type Unjudged } from './observed.ts';

/** A rejected request with a credential: the credential may have expired, or be insufficient. */
export const DOUBTFUL = { headers: [], query: [] };

type Condition = (evidence: Evidence) => boolean;

const CREATED = 201;

/** Errors for a reason other than invalid input, whichever comes first. */
const OTHER_REASONS = [402, FORBIDDEN, 404, 405, 409, 410, 412, 413, 414, 415, 417, 423, 424, 428, 431, 451];

function isOtherRefusal({ operation, response, exchange }: Evidence): boolean {
  if (exchange.input.refused || isOfMoment(response.status)) return true;
  if (response.status === 404) return operation.path.includes('{');
  return documentedOf(operation, OTHER_REASONS).includes(response.status);
}

/** Whether a request is clearly invalid: an empty value may mean none, and repeated parameters are undocumented. */
function isPlainlyInvalid({ request }: Evidence): boolean {
  return request.violations.some(
    ({ in: place, received }) =>
      place !== 'query' || (received !== '' && received !== undefined && !Array.isArray(received)),
  );
}

/** An id from the service is valid, whatever form the document requires. */
function isNoRecord({ role, json, exchange, response }: Evidence): boolean {
  if (!isSuccess(response)) return true;
  const { property, parameter } = role?.resource.id ?? {};
  if (role?.action !== 'read' || property === undefined || parameter === undefined) return false;
  const id = (json as Record<string, unknown> | undefined)?.[property];
  return id !== undefined && String(id) !== String(exchange.input.path?.[parameter]);
}

function isKnownId({ role, model, exchange }: Evidence): boolean {
  const { parameter, shape } = role?.resource.id ?? {};
  if (!role || parameter === undefined) return false;
  const id = String(exchange.input.path?.[parameter]);
  const isNumber = shape?.mainType === 'integer' || shape?.mainType === 'number';
  return isNumber
    ? /^-?\d+$/.test(id)
    : model.idsOf(role.resource, parentsOf(role.resource, exchange.input.path)).has(id);
}

/** A value such as `all` may not mean equality. */
function isPlainFilter({ page }: Evidence): boolean {
  return (page?.filters ?? []).every(({ filter, value }) => {
    const named = page?.resource.shape.properties.get(filter.property)?.values;
    const isNamed = named?.some((one) => one === value) === true;
    return isNamed || page?.records.some((record) => filteredValues(record, filter).includes(value)) === true;
  });
}

const isCreated: Condition = ({ role, response }) => role?.action === 'create' && response.status === CREATED;

/** The rules for single exchanges that apply under a condition; the others always apply. */
const CONDITIONS: Readonly<Partial<Record<LawName, Condition>>> = {
  'unauthorised-first': ({ exchange, response }) =>
    exchange.input.refused === NO_CREDENTIAL && !isOfMoment(response.status),
  'invalid-refused': (evidence) => !isOtherRefusal(evidence) && isPlainlyInvalid(evidence),
  'invalid-tolerated': ({ response }) => response.status >= 500 && !isOfMoment(response.status),
  'unknown-id': (evidence) => !isOtherRefusal(evidence) && isNoRecord(evidence),
  filter: isPlainFilter,
  'created-equals-sent': isCreated,
  location: isCreated,
  'path-id': isKnownId,
  'distinct-ids': ({ page }) => page !== undefined,
};

/** Rules that depend on several exchanges, in addition to those of {@link REACH}. */
const ACROSS_CONDITIONS: Readonly<Partial<Record<LawName, Condition>>> = {
  'created-equals-sent': (evidence) => !isCreated(evidence),
  'distinct-ids': (evidence) => isCreated(evidence) && !isRepeatable(evidence),
  // An upsert creates the record again.
  'removed-is-gone': ({ page, role }) => page !== undefined || role?.action === 'read',
};

/** Whether the client says that the request may repeat an earlier one. */
function isRepeatable({ exchange: { request } }: Evidence): boolean {
  return request.headers.some(([name]) => /idempotency|^repeatability-/i.test(name));
}

/** The rules that need only the response with its complete body. */
const OF_MESSAGE: ReadonlySet<LawName> = new Set([
  'encoding',
  'whole-json',
  'whole-xml',
  'schema',
  'stream-message',
  'discriminator',
  'error-status',
  'status',
  'content-type',
  'header',
]);
const OF_HEAD: ReadonlySet<LawName> = new Set([
  'status',
  'unauthorised-first',
  'invalid-refused',
  'invalid-tolerated',
  'content-type',
  'header',
]);

/** Exporters remove this header, since it is a credential. */
const SET_COOKIE = 'set-cookie';

/** @param wholeHeaders nothing was removed from the headers */
export function trafficLaws(wholeHeaders: boolean) {
  const headerIsKnown: Condition = ({ documented }) =>
    wholeHeaders || documented?.headers.some(({ name }) => name === SET_COOKIE) !== true;
  const conditions = { ...CONDITIONS, header: headerIsKnown };
  const ofExchange = ALL_LAWS.filter(({ name }) => REACH[name] === 'exchange').map((law) =>
    onlyIf(law, conditions[law.name]),
  );
  const ofRecords = ALL_LAWS.filter(
    ({ name }) => REACH[name] === 'records' || ACROSS_CONDITIONS[name] !== undefined,
  ).map((law) => onlyIf(law, ACROSS_CONDITIONS[law.name]));
  return {
    /** For an exchange, whoever sent it. */
    ofExchange,
    /** For a response, whatever was requested. */
    ofMessage: ofExchange.filter(({ name }) => OF_MESSAGE.has(name)),
    /** For a response to an incomplete request. */
    ofAnswer: ofExchange.filter(({ name }) => OF_MESSAGE.has(name) && name !== 'status'),
    /** For an exchange with an incomplete response body. */
    ofHead: ofExchange.filter(({ name }) => OF_HEAD.has(name)),
    /** For several exchanges. */
    ofRecords,
  };
}

function onlyIf(law: Law, condition: Condition | undefined): Law {
  if (!condition) return law;
  return { ...law, judge: (evidence) => (condition(evidence) ? law.judge(evidence) : undefined) };
}

/** A partial or undocumented body says nothing about records. */
export function isUnreadable({ response, role, json, protocol }: Evidence): boolean {
  if (response.status === 206 || protocol) return true;
  return response.status < 300 && role !== undefined && role.action !== 'remove' && json === undefined;
}

/** Why a response is not judged, whatever it contains; undefined: it is. */
export function whyNotJudged(
  { isChosen }: Pick<Settings, 'isChosen'>,
  operation: Operation,
  request: WireRequest,
  response: WireResponse,
): Unjudged | undefined {
  const { status } = response;
  const id = caseIdOf(operation.id, status);
  if (!isChosen(id)) return 'leftOut';
  if (isRemoved(operation, response)) return 'removed';
  return isByGateway(operation, request, response) || status < 200 || status > 599 ? 'byGateway' : undefined;
}

/** RFC 9110 §15, RFC 6585, RFC 8470, and what common gateways use beyond them: not from the service itself. */
const OF_GATEWAY = new Set([408, 421, 425, 429, 499, 502, 503, 504, 511]);

/** Whether a status is about the moment or the connection, whatever the request is. */
function isOfMoment(status: number): boolean {
  return OF_GATEWAY.has(status) || (status >= 520 && status <= 530);
}

/** A gateway may reject longer headers than this, in bytes, with 400. */
const LONG_HEADERS = 4096;

/** Whether a response probably comes from a gateway; statuses that the operation documents are the service's own. */
function isByGateway(operation: Operation, request: WireRequest, response: WireResponse): boolean {
  const { status } = response;
  if (explicitStatuses(operation.responses).includes(status) && status !== 400) return false;
  if (isOfMoment(status)) return true;
  if (status === 400) return isLong(request) && !/json/i.test(headerOf(response, 'content-type') ?? '');
  return status >= 300 && status < 400 && isUpgrade(request, response);
}

function isLong({ headers, url }: WireRequest): boolean {
  return headers.flat().join('').length + url.href.length > LONG_HEADERS;
}

/** Whether it redirects to the same URL by https. */
function isUpgrade({ url }: WireRequest, response: WireResponse): boolean {
  const target = URL.parse(headerOf(response, 'location') ?? '', url.href);
  return (
    url.protocol === 'http:' &&
    target?.protocol === 'https:' &&
    target.pathname === url.pathname &&
    target.search === url.search
  );
}
