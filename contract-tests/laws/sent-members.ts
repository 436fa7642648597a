import {
  bodyFields,
  createdIds,
  essenceOf,
  isRecord,
  type MediaType,
  mayChange,
  mediaTypeFor,
  memberMeaning,
  memberMeanings,
  memberShape,
  type Resource,
  type Shape,
  shapeAt,
  valueAt,
} from '#spec';
import { isAbsent } from '../send/plan-request.ts';
import { type Exchange, isSuccess, jsonOf } from '../send/response.ts';
import { ACCEPTED, type Data, headerOf } from '../send/wire.ts';
import type { Evidence } from './evidence.ts';
import { recordInBody } from './mark.ts';
import { showsJob } from './operation-role.ts';

/**
 * The members of a request body that may become members of the record. Of a form, without files, which services return as
 * a URL or not at all, and empty fields, which may mean null; none of a text or bytes. Undefined: the body is no record.
 */
export function sentMembers(evidence: Evidence): Data | undefined {
  const whole = evidence.request.body;
  if (typeof whole === 'string') return {};
  const body = valueAt(whole, placeOf(evidence).path);
  if (!isRecord(body)) return undefined;
  const media = sentMedia(evidence);
  const fields = media && !media.isJson ? bodyFields(media) : new Map();
  if (fields.size === 0) return body;
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== '' && !fields.get(name)?.isFile),
  );
}

function sentMedia({ operation, exchange }: Evidence): MediaType | undefined {
  return mediaTypeFor(operation.body?.content ?? [], headerOf(exchange.request, 'content-type') ?? '');
}

/**
 * The sent members that the record must show. A service ignores members that are read-only in the body or the record
 * (OpenAPI 3.1), and may ignore those that the schema of the body lacks at any depth, that the description does not list
 * as changed, or that the path gives another value.
 */
export function owedMembers(evidence: Evidence): Data | undefined {
  const sent = sentMembers(evidence);
  const shape = shapeAt(sentMedia(evidence)?.shape, placeOf(evidence).path);
  const { path } = evidence.request.parameters;
  const { property, parameter = '', sign } = evidence.role?.resource.id ?? {};
  const inPath = (name: string) => path[sign === 'undeclared' && name === property ? parameter : name];
  const changed = Object.entries(sent ?? {}).filter(
    ([name, value]) => mayChange(evidence.operation, name) && String(inPath(name) ?? value) === String(value),
  );
  return sent && owedOf(Object.fromEntries(changed), shape, evidence.role?.resource.shape);
}

const placeOf = ({ role, operation }: Evidence) => recordInBody(role?.resource, operation);

function owedOf(sent: Data, body: Shape | undefined, record: Shape | undefined): Data {
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      const member = body && memberShape(body, name);
      const recordMember = record && memberShape(record, name);
      if (member?.readOnly || recordMember?.readOnly || (!member && body && isClosed(body))) return [];
      return [[name, owedValue(value, member, recordMember)]];
    }),
  );
}

function owedValue(value: unknown, body: Shape | undefined, record: Shape | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => owedValue(item, body?.items, record?.items));
  return isRecord(value) ? owedOf(value, body, record) : value;
}

/** Whether the schema lists its members and allows no others. */
function isClosed({ properties, alternatives, additional }: Shape): boolean {
  return !additional && (properties.size > 0 || alternatives.some(isClosed));
}

/** Whether the media type of a request promises a merge patch (RFC 7396). */
export function isMergePatch({ request }: Pick<Exchange, 'request'>): boolean {
  return isMergePatchType(headerOf(request, 'content-type') ?? '');
}

/** RFC 7396 §4. */
export const isMergePatchType = (type: string): boolean => essenceOf(type) === 'application/merge-patch+json';

/** RFC 7396 §2. */
export function mergePatch(target: unknown, patch: Data): Data {
  const merged: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = isRecord(value) ? mergePatch(merged[name], value) : value;
  }
  return merged;
}

/** The id that a successful create returned; undefined: the response does not show it. */
export function createdIdOf(resource: Resource, exchange: Exchange): unknown {
  const { operation, request, response, input } = exchange;
  if (!isSuccess(response)) return undefined;
  const isOfJob = response.status === ACCEPTED && showsJob(resource, operation);
  const sources = {
    path: input.path,
    url: request.url.href,
    body: isOfJob ? undefined : jsonOf(response),
    header: (name: string) => headerOf(response, name),
  };
  return createdIds(resource, operation, sources).find(isId);
}

/** Whether a value can be the id of a record. */
export const isId = (value: unknown) =>
  ['string', 'number', 'bigint'].includes(typeof value) && !isAbsent(value);

/** How the service may change a member of a record by itself: its sent value is not promised. */

/** The record with the member, or an object inside it, and its operations. */
type Holder = Pick<Resource, 'shape'> & Partial<Pick<Resource, 'actions' | 'id'>>;

/** Whether the service sets the member itself: it may change with any request. */
export function isKeptByService(name: string, member: Shape, holder: Holder): boolean {
  return (memberMeanings(holder).get(name) ?? memberMeaning(name, member, holder)).set !== undefined;
}

/** Whether the service sets the member itself, and ignores what clients send. */
export function isSetByService(name: string, member: Shape, holder: Holder): boolean {
  return memberMeaning(name, member, holder).set !== undefined;
}

/** Whether a member is a position among records, which moves when another record takes it, or a version. */
export function isPlace(name: string, member: Shape, shape: Shape): boolean {
  const { holds } = memberMeaning(name, member, { shape });
  return holds === 'place' || holds === 'version';
}

/** Whether a record need not show the sent value: a secret, or a member that the document says is changed or hidden. */
export function mayBeShownOtherwise(name: string, member: Shape, shape: Shape): boolean {
  const { hidden, adjusted, holds } = memberMeaning(name, member, { shape });
  return hidden === 'always' || adjusted === true || holds === 'secret';
}

/** Whether the document says that another value than the sent one may be stored. */
export function mayBeAdjusted(name: string, member: Shape, shape: Shape): boolean {
  return memberMeaning(name, member, { shape }).adjusted === true;
}

/** Whether lists may hide a member that reads show. */
export function mayBeHiddenInLists(name: string, member: Shape, shape: Shape): boolean {
  const { hidden, holds } = memberMeaning(name, member, { shape });
  return hidden === 'in lists' || holds === 'secret';
}
