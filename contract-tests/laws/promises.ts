import {
  type Agreement,
  agreedNumber,
  agreementOf,
  basisOf,
  beginningOf,
  essenceOf,
  headersKept,
  initialState,
  isEqual,
  isRecord,
  isSecretName,
  memberShape,
  pathText,
  placeOf,
  recordPath,
  type Shape,
  shapeAt,
  toPointer,
  tryJson,
} from '#spec';
import { isSuccess } from '../send/response.ts';
import { ACCEPTED, type Data, headerOf } from '../send/wire.ts';
import { shorten } from './compare-records.ts';
import { jsonShape, recordIn, recordOf, recordsShown, shownShape } from './evidence.ts';
import { is4xx } from './expect-status.ts';
import { type Broken, breachOf, type Judge } from './law.ts';
import { recordInBody } from './mark.ts';
import { furtherRoleOf } from './operation-role.ts';
import { isMask } from './same-value.ts';
import { isKeptByService, sentMembers } from './sent-members.ts';

/** Promises of schemas, headers and media types for a single response that a schema validator cannot check. */

/** A created record shows the `default` of a request member that was not sent. */
export const defaultShown: Judge = (evidence) => {
  const { role, operation, succeeded, request } = evidence;
  if (role?.action !== 'create' || !succeeded || request.violations.length > 0) return undefined;
  const got = recordOf(evidence);
  const sent = sentMembers(evidence);
  const body = recordInBody(role.resource, operation).shape;
  if (!got || !sent || !body) return undefined;
  return defaultsIn(body, sent, got).flatMap(({ path, member, keyword, value }): Broken | [] => {
    const name = path[0] ?? '';
    if (isEqual(value, keyword.value) || (path.length === 1 && isKeptByService(name, member, role.resource)))
      return [];
    const received = `${pathText(path)} ${shorten(value)}, which was not sent`;
    const documented = `${pathText(path)} ${shorten(keyword.value)} by default`;
    const part = toPointer([name]);
    return breachOf(basisOf(['schema'], keyword.spot), 'unequal', received, documented, { part });
  });
};

/** The defaults of members that were not sent, and the values that are shown, also in list items if none were added. */
function defaultsIn(body: Shape, sent: Data, got: Data, path: readonly string[] = []): Defaulted[] {
  return [...body.properties].flatMap(([name, member]): Defaulted[] => {
    const at = [...path, name];
    const [sentValue, value] = [sent[name], got[name]];
    const { items } = member;
    if (Array.isArray(sentValue) && Array.isArray(value) && items && sentValue.length === value.length)
      return sentValue.flatMap((item, index) =>
        isRecord(item) && isRecord(value[index])
          ? defaultsIn(items, item, value[index], [...at, String(index)])
          : [],
      );
    const keyword = member.find('default');
    if (!keyword || name in sent || value === undefined || !member.allows(keyword.value)) return [];
    return [{ path: at, member, keyword, value }];
  });
}

interface Defaulted {
  readonly path: readonly string[];
  readonly member: Shape;
  readonly keyword: NonNullable<ReturnType<Shape['find']>>;
  readonly value: unknown;
}

/** A new record whose state was not sent has the documented initial state. */
export const beginsInState: Judge = (evidence) => {
  const { role, succeeded, response } = evidence;
  if (role?.action !== 'create' || !succeeded || response.status === ACCEPTED) return undefined;
  const [begin, got] = [initialState(role.resource), recordOf(evidence)];
  if (!begin || !got) return undefined;
  const { property, state } = begin;
  const sent = sentMembers(evidence) ?? {};
  if (property in sent || got[property] === undefined || isEqual(got[property], state)) return [];
  const received = `${property} ${shorten(got[property])} of a new record`;
  const part = toPointer([property]);
  return breachOf(begin, 'unequal', received, `${property} ${shorten(state)}`, { part });
};

/** A record member with the name of a required request header shows the sent value. */
export const headerShown: Judge = (evidence) => {
  const { role, operation, succeeded, request, exchange } = evidence;
  if (role?.action !== 'create' || !succeeded || request.violations.length > 0) return undefined;
  const got = recordOf(evidence);
  const { shape } = recordInBody(role.resource, operation);
  if (!got || !shape) return undefined;
  return headersKept(operation, role.resource.shape).flatMap((fact): Broken | [] => {
    const { parameter, property } = fact;
    const sent = headerOf(exchange.request, parameter.name);
    if (sent === undefined || shape.properties.has(property)) return [];
    if (typeof got[property] !== 'string' || got[property] === sent) return [];
    const received = `${property} ${shorten(got[property])}`;
    const documented = `${shorten(sent)}, as ${parameter.name} said`;
    return breachOf(fact, 'unequal', received, documented, { part: toPointer([property]) });
  });
};

/** Counts and sums beside a list agree with it, where the description of the member names both. */
export const numbersAgree: Judge = (evidence) => {
  const { json, documented, succeeded, page } = evidence;
  const shape = succeeded ? jsonShape(documented) : undefined;
  if (!shape || page || json === undefined) return undefined;
  return [...numbersIn(shape, json, [])];
};

const MOST_DEEP = 4;

function* numbersIn(shape: Shape, value: unknown, path: readonly string[]): Generator<Broken> {
  if (path.length > MOST_DEEP) return;
  if (Array.isArray(value) && shape.items)
    for (const [index, item] of value.entries()) yield* numbersIn(shape.items, item, [...path, `${index}`]);
  if (!isRecord(value)) return;
  for (const [name, member] of shape.properties) {
    yield* numbersIn(member, value[name], [...path, name]);
    const memberValue = value[name];
    const agreement = typeof memberValue === 'number' ? agreementOf(shape, name, member) : undefined;
    const wanted = agreement && agreedNumber(agreement, value);
    if (!agreement || wanted === undefined || isNear(Number(memberValue), wanted)) continue;
    const received = `${name} ${memberValue}, where ${saysOf(agreement)} is ${wanted}`;
    const part = toPointer([...path, name]);
    yield breachOf(agreement, 'unequal', received, `${name}: ${agreement.text}`, { part });
  }
}

/** Floating-point sums may differ slightly. */
export const isNear = (value: number, wanted: number) =>
  Math.abs(value - wanted) <= 1e-6 * Math.max(1, Math.abs(wanted));

const saysOf = ({ list, added }: Agreement) =>
  added === undefined ? `the number of ${list}` : `the sum of ${added} of ${list}`;

/** A secret that only the response to a create documents is in no other response. */
export const shownOnce: Judge = (evidence) => {
  const { role, contract, operation, documented, succeeded, json } = evidence;
  const acted = role ? undefined : furtherRoleOf(contract, operation);
  const resource = role?.resource ?? (acted?.further.role === 'action' ? acted.resource : undefined);
  const { create } = resource?.actions ?? {};
  if (!resource || !create || role?.action === 'create') return undefined;
  const shape = evidence.page
    ? resource.shape
    : role
      ? shownShape(evidence)
      : shapeAt(jsonShape(documented), recordPath(resource, operation));
  const made = create.responses.find(({ key }) => key.startsWith('2'));
  const first = shapeAt(jsonShape(made), recordPath(resource, create));
  const records = role ? recordsShown(evidence) : [(succeeded && recordIn(resource, operation, json)) || {}];
  const names = [...(first?.properties.keys() ?? [])].filter(
    (name) => isSecretName(name) && shape && !memberShape(shape, name),
  );
  return names.flatMap((name): Broken | [] => {
    const values = records.map((record) => record[name]);
    const told = values.find((value) => typeof value === 'string' && value !== '' && !isMasked(value));
    const member = first && memberShape(first, name);
    if (told === undefined || !member) return [];
    const documented = `no ${name}: the response to a create alone has it`;
    const part = toPointer([name]);
    return breachOf(basisOf(['schema'], member.spot), 'stray', `a value of ${name}`, documented, { part });
  });
};

const isMasked = (text: string) => isMask(text) || /[*\u2022\u2026]|\.\.\./.test(text);

/** The bytes of a file match its media type. */
export const fileOfType: Judge = ({ response, documented, exchange }) => {
  const type = essenceOf(response.contentType ?? '');
  const table = documented?.content.find(
    (mediaType) => type === 'text/csv' && essenceOf(mediaType.type) === type,
  );
  if (table && isJsonOfRecords(response.text ?? '')) {
    const documented = `a table: ${type}`;
    return { kind: 'unequal', received: 'records in JSON', documented, at: placeOf(table.spot) };
  }
  const beginning = beginningOf(type);
  const isCoded = headerOf(response, 'content-encoding') !== undefined;
  const isEmpty = exchange.operation.method === 'HEAD' || response.body.length === 0 || response.left;
  const media = documented?.content.find((mediaType) => essenceOf(mediaType.type) === type);
  if (beginning === undefined || !media || isCoded || isEmpty || !isSuccess(response)) return undefined;
  // Base64, according to the schema (OpenAPI 3.0 §4.7.24, JSON Schema 2020-12 Validation §8.3).
  if (media.shape?.find('format')?.value === 'byte' || media.shape?.find('contentEncoding')) return undefined;
  const begins = Buffer.from(response.body.subarray(0, beginning.length)).toString('latin1');
  if (begins === beginning) return [];
  const received = `a body that begins with ${shorten(begins)}`;
  return { kind: 'unequal', received, documented: `a file of ${type}`, at: placeOf(media.spot) };
};

const isJsonOfRecords = (text: string) => /^\s*[[{]/.test(text) && [tryJson(text)].flat().some(isRecord);

/** Sunset and deprecation are dates, and the sunset is not before the deprecation (RFC 8594 §3, RFC 9745 §2). */
export const sunsetDate: Judge = ({ response, documented }) => {
  const described = documented?.headers.find(({ name }) => name === 'sunset');
  const sunset = headerOf(response, 'sunset');
  if (!described || sunset === undefined) return undefined;
  const fact = basisOf(['name'], described.spot);
  const end = Date.parse(sunset);
  if (Number.isNaN(end) || new Date(end).toUTCString() !== sunset)
    return breachOf(fact, undefined, `Sunset: ${sunset}`, 'an HTTP date (RFC 8594)');
  const [, since] = /^@(\d+)$/.exec(headerOf(response, 'deprecation') ?? '') ?? [];
  if (since === undefined || Number(since) * 1000 <= end) return [];
  const received = `Sunset: ${sunset}, before Deprecation: @${since}`;
  return breachOf(fact, undefined, received, 'a later one (RFC 9745)');
};

/** The pointers of a problem (RFC 9457 §3.1) lead to the error in the body, where there is a single one. */
export const problemPointer: Judge = (evidence) => {
  const { json, response, documented, request } = evidence;
  const { violations } = request;
  const [violation] = violations;
  const shape = jsonShape(documented);
  if (!is4xx(response) || !shape || !isRecord(json) || violation?.in !== 'body') return undefined;
  if (violation.kind !== 'schema' || violations.some(({ pointer }) => pointer !== violation.pointer))
    return undefined;
  return [...shape.properties].flatMap(([name, { items }]): Broken | [] => {
    const member = items?.properties.get('pointer');
    const all = json[name];
    if (!member || !Array.isArray(all) || all.length === 0) return [];
    const pointers = all.flatMap((one) =>
      isRecord(one) && typeof one.pointer === 'string' ? one.pointer.replace(/^#/, '') : [],
    );
    const isWithin = (one: string, outer: string) => `${one}/`.startsWith(`${outer}/`);
    const isAbout = (one: string) => isWithin(violation.pointer, one) || isWithin(one, violation.pointer);
    if (pointers.length === 0 || pointers.some(isAbout)) return [];
    const received = `${name} about ${pointers.map((pointer) => shorten(pointer)).join(', ')}`;
    const documented = `a JSON Pointer to ${violation.pointer || 'the body'}`;
    return breachOf(basisOf(['name'], member.spot), 'unequal', received, documented);
  });
};
