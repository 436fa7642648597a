import { type Basis, conditionalOf, isEqual, type Operation, placeOf, SAFE_METHODS } from '#spec';
import { needsKey } from '../send/credentials.ts';
import { type Exchange, isSuccess, type Response } from '../send/response.ts';
import { ACCEPTED, headerOf } from '../send/wire.ts';
import { type Evidence, ownRecordOf, recordOf } from './evidence.ts';
import { describeStatus, documentedOf, expect4xx, expectStatus, otherRefusals } from './expect-status.ts';
import { type Breach, type Broken, breachOf, type Judge } from './law.ts';
import { invalidStatuses, isShared } from './operation-role.ts';
import { sentMembers } from './sent-members.ts';

const NOT_MODIFIED = 304;
const STALE = 412;
const NO_CONDITION = 428;

const STRONG = /^"[^"\s]*"$/;

/** The strong entity tag of a successful response (RFC 9110 §8.8.1); undefined: none, or a weak one. */
export function strongTag(response: Response): string | undefined {
  const tag = isSuccess(response) ? headerOf(response, 'etag')?.trim() : undefined;
  return tag !== undefined && STRONG.test(tag) ? tag : undefined;
}

/** The strong entity tag, where the document declares the header. */
function documentedTag({ response, documented }: Evidence): string | undefined {
  return documented?.headers.some(({ name }) => name === 'etag') ? strongTag(response) : undefined;
}

/** The strong tag of a conditional request, if it is a single one. */
function namedTag({ exchange }: Evidence, header: 'if-match' | 'if-none-match'): string | undefined {
  const field = headerOf(exchange.request, header);
  return field !== undefined && STRONG.test(field) ? field : undefined;
}

function idOf({ role, exchange }: Evidence): string {
  return String(exchange.input.path?.[role?.resource.id?.parameter ?? '']);
}

/** Whether the request names a record that its case created: nobody else changes it. */
function isOwn(evidence: Evidence): boolean {
  const record = ownRecordOf(evidence);
  return record !== undefined && !record.removed && !(record.maker && isShared(record.maker));
}

const isUnsafe = ({ exchange }: Evidence) => !SAFE_METHODS.has(exchange.request.method);

/** Whether a request may concern the record, a part of it or an action on it: its path contains the id. */
function concerns(evidence: Evidence, id: string): boolean {
  return Object.values(evidence.exchange.input.path ?? {}).some((value) => String(value) === id);
}

function isReadOf(evidence: Evidence, { role }: Evidence, id: string): boolean {
  return (
    evidence.role?.action === 'read' && evidence.role.resource === role?.resource && idOf(evidence) === id
  );
}

/** The latest read of the record with a strong tag, unless a later request may have changed the record. */
function lastRead(evidence: Evidence, earlier = evidence.earlier): Evidence | undefined {
  const id = idOf(evidence);
  const history = earlier.filter((one) => concerns(one, id));
  const since = history.slice(history.findLastIndex(isUnsafe) + 1);
  return since.findLast((one) => isReadOf(one, evidence, id) && strongTag(one.response) !== undefined);
}

/** A representation may depend on any request header, except those of conditions. */
function isSameRequest({ exchange }: Evidence, { exchange: other }: Evidence): boolean {
  const key = ({ request: { method, url, headers } }: Exchange) =>
    [method, url.href, ...headers.filter(([name]) => !name.toLowerCase().startsWith('if-')).flat()].join(
      '\n',
    );
  return key(exchange) === key(other);
}

function isSameContent({ response: one }: Evidence, { response: other }: Evidence): boolean {
  const key = (response: Response) =>
    [response.contentType, headerOf(response, 'content-encoding'), response.text].join('\n');
  return one.text !== undefined && key(one) === key(other);
}

/**
 * The responses that showed the same representation since the last request that may have changed it: the previous read,
 * and the change itself.
 */
function shownBefore(evidence: Evidence): Evidence[] {
  const { role, earlier } = evidence;
  if (role?.action !== 'read' || documentedTag(evidence) === undefined || !isOwn(evidence)) return [];
  const last = earlier.findLastIndex(isUnsafe);
  const change = earlier[last];
  const read = earlier.slice(last + 1).findLast((one) => isSameRequest(one, evidence));
  // The record changed by itself in between.
  if (read && !isSameContent(read, evidence)) return [];
  const isChanged =
    change &&
    (change.role?.action === 'replace' || change.role?.action === 'update') &&
    change.role.resource === role.resource &&
    idOf(change) === idOf(evidence) &&
    isSameContent(change, evidence);
  return [...(read ? [read] : []), ...(isChanged ? [change] : [])].filter(
    (one) => documentedTag(one) !== undefined,
  );
}

export const etagStays: Judge = (evidence) => {
  const before = shownBefore(evidence);
  if (before.length === 0) return undefined;
  const tag = strongTag(evidence.response);
  const other = before.find(({ response }) => strongTag(response) !== tag);
  if (!other) return [];
  const { method } = other.exchange.request;
  const received = `ETag ${tag} for what had ${strongTag(other.response)} in the response to ${method} before`;
  return ofTag(evidence, received, 'one strong ETag as long as nothing changes');
};

function ofTag({ documented: response, operation }: Evidence, received: string, documented: string): Broken {
  const header = response?.headers.find(({ name }) => name === 'etag');
  const at = placeOf(header?.spot ?? operation.spot);
  return { received, documented: `${documented} (RFC 9110 §8.8.1)`, at };
}

/** A change that this read shows and an equal earlier read did not: that earlier read, and a changed member. */
function shownChange(evidence: Evidence): { before: Evidence; name: string } | undefined {
  const { role, earlier } = evidence;
  if (role?.action !== 'read' || documentedTag(evidence) === undefined || !isOwn(evidence)) return undefined;
  const id = idOf(evidence);
  const last = earlier.findLastIndex((one) => isUnsafe(one) && concerns(one, id));
  const change = earlier[last];
  const isChange = change?.role?.action === 'replace' || change?.role?.action === 'update';
  if (!change || !isChange || !isSuccess(change.response) || change.role?.resource !== role.resource)
    return undefined;
  const before = lastRead(evidence, earlier.slice(0, last));
  if (!before || !isSameRequest(before, evidence)) return undefined;
  const [now, was] = [recordOf(evidence), recordOf(before)];
  const [name] =
    Object.entries(sentMembers(change) ?? {}).find(
      ([name, value]) => isEqual(now?.[name], value) && !isEqual(was?.[name], value),
    ) ?? [];
  return name === undefined ? undefined : { before, name };
}

export const etagChanges: Judge = (evidence) => {
  const change = shownChange(evidence);
  if (!change) return undefined;
  const tag = strongTag(evidence.response);
  if (strongTag(change.before.response) !== tag) return [];
  const received = `ETag ${tag}, as before ${change.name} was changed`;
  return ofTag(evidence, received, 'another strong ETag after each change');
};

/** A request to change a record of its own case, with nothing else wrong with it. */
function isPlainChange(evidence: Evidence): boolean {
  const { refused, unknownId, provoked } = evidence.exchange.input;
  return isUnsafe(evidence) && !refused && !unknownId && !provoked && isOwn(evidence);
}

/** No document states which of two reasons for an error comes first; conditions are the one under test. */
function refusalsOfRules(operation: Operation): number[] {
  const others = otherRefusals(operation, needsKey(operation));
  return others.filter((status) => status !== STALE && status !== NO_CONDITION);
}

/** Whether a record already has the values that a change sends. */
function isMade(change: Evidence, read: Evidence): boolean {
  const sent = Object.entries(sentMembers(change) ?? {});
  const record = recordOf(read);
  return sent.length > 0 && sent.every(([name, value]) => isEqual(record?.[name], value));
}

/** The tag that a change names and the record's current tag, where they differ. */
function staleTag(evidence: Evidence): { named: string; current: string } | undefined {
  const { request, earlier } = evidence;
  const named = namedTag(evidence, 'if-match');
  if (named === undefined || !isPlainChange(evidence) || request.violations.length > 0) return undefined;
  const read = lastRead(evidence);
  const current = read && strongTag(read.response);
  // A change whose result already exists need not be rejected (RFC 9110 §13.1.1).
  if (!read || isMade(evidence, read)) return undefined;
  const id = idOf(evidence);
  // A tag that the service itself returned cannot be malformed.
  const isFormer = earlier.some((one) => isReadOf(one, evidence, id) && strongTag(one.response) === named);
  return current === undefined || current === named || !isFormer ? undefined : { named, current };
}

export const staleRefused: Judge = (evidence) => {
  const { contract, operation, response } = evidence;
  const { refusesStale } = conditionalOf(contract, operation);
  const tags = refusesStale && staleTag(evidence);
  if (!tags) return undefined;
  if (isSuccess(response)) {
    const received = `${describeStatus(response)} to If-Match: ${tags.named}, where the ETag is ${tags.current}`;
    const documented = '412: If-Match names another version (RFC 9110 §13.1.1)';
    return breachOf(refusesStale, 'accepted', received, documented);
  }
  const breaches =
    documentedOf(operation, [STALE]).length === 0
      ? expect4xx(evidence)
      : expectStatus(evidence, STALE, ...refusalsOfRules(operation));
  return breaches.map((breach) => ({ ...breach, rests: [refusesStale] }));
};

/** A change that was rejected with 412 although it named the tag that the record had before, and still has. */
function refusedCurrent(evidence: Evidence): Evidence | undefined {
  const { role, earlier, contract } = evidence;
  const tag = strongTag(evidence.response);
  if (role?.action !== 'read' || tag === undefined || !isOwn(evidence)) return undefined;
  const id = idOf(evidence);
  const last = earlier.findLastIndex((one) => concerns(one, id) && isUnsafe(one));
  const change = earlier[last];
  if (!change || namedTag(change, 'if-match') !== tag || change.role?.resource !== role.resource)
    return undefined;
  if (!conditionalOf(contract, change.operation).refusesStale) return undefined;
  const before = lastRead(change, earlier.slice(0, last));
  return before && strongTag(before.response) === tag ? change : undefined;
}

export const currentAccepted: Judge = (evidence) => {
  const change = refusedCurrent(evidence);
  if (!change) return undefined;
  const { refusesStale } = conditionalOf(evidence.contract, change.operation);
  if (change.response.status !== STALE || !refusesStale) return [];
  const received = `${describeStatus(change.response)} to If-Match: ${strongTag(evidence.response)}, which the ETag was before and is still`;
  const documented = 'no 412: If-Match names the current version (RFC 9110 §13.1.1)';
  return breachOf(refusesStale, '412-for-2xx', received, documented, { shownBy: change.exchange });
};

export const notModifiedShown: Judge = (evidence) => {
  const { contract, operation, response, role } = evidence;
  const named = namedTag(evidence, 'if-none-match');
  const { notModified } = conditionalOf(contract, operation);
  if (!notModified || named === undefined || role?.action !== 'read' || !isOwn(evidence)) return undefined;
  const read = lastRead(evidence);
  const current = read && isSameRequest(read, evidence) ? strongTag(read.response) : undefined;
  if (current === undefined) return undefined;
  if (response.status === NOT_MODIFIED && named !== current) {
    const received = `304 to If-None-Match: ${named}, where the ETag is ${current}`;
    return breachOf(notModified, 'stray', received, 'the current version (RFC 9110 §13.1.2)');
  }
  // The record may have changed by itself.
  if (named !== current || strongTag(response) !== named) return [];
  const received = `${response.status} with ETag ${named} to If-None-Match: ${named}`;
  return breachOf(notModified, 'missing', received, '304 (RFC 9110 §13.1.2)');
};

export const conditionRequired: Judge = (evidence) => {
  const { contract, operation, response, exchange, request } = evidence;
  const { needsCondition, headers } = conditionalOf(contract, operation);
  if (!needsCondition || !isPlainChange(evidence)) return undefined;
  if (exchange.request.headers.some(([name]) => name.toLowerCase().startsWith('if-'))) return undefined;
  if (request.violations.some((violation) => violation.in !== 'header' || violation.name !== 'if-match'))
    return undefined;
  if (isSuccess(response)) {
    const received = `${describeStatus(response)} without If-Match`;
    const documented = '428 without a condition (RFC 6585 §3)';
    return breachOf(needsCondition, 'accepted', received, documented);
  }
  const invalid = headers['if-match']?.required ? invalidStatuses(operation) : [];
  const others = [...invalid, ...refusalsOfRules(operation)];
  const breaches = expectStatus(evidence, NO_CONDITION, ...others);
  return breaches.map((breach) => ({ ...breach, rests: [needsCondition] }));
};

/**
 * Of concurrent changes with the same tag at most one may succeed: for the others the tag is stale.
 * @param now the tag afterwards
 */
export function judgeWriters(
  writers: readonly Exchange[],
  tag: string,
  now: string | undefined,
  fact: Basis,
): Breach[] {
  const law = 'one-writer';
  // An accepted change (202) may never be carried out.
  if (now === undefined || writers.some(({ response }) => response.status === ACCEPTED)) return [];
  const statuses = writers.map(({ response }) => response.status);
  const won = writers.filter(({ response }) => isSuccess(response)).length;
  const told = `${statuses.join(' and ')} to changes at once with If-Match: ${tag}`;
  const documented = 'one success, and 412 to the other (RFC 9110 §13.1.1)';
  if (won > 1 && now !== tag)
    return [{ ...breachOf(fact, 'accepted', `${told}, which is ${now} now`, documented), law }];
  const isNone = statuses.every((status) => status === STALE) && now === tag;
  return isNone ? [{ ...breachOf(fact, 'missing', `${told}, which it is still`, documented), law }] : [];
}
