import {
  bodyFields,
  essenceOf,
  isRecord,
  type MediaType,
  mayChange,
  mediaTypeFor,
  memberShape,
  type Shape,
  shapeAt,
  valueAt,
} from '#spec';
import type { Exchange } from '../send/response.ts';
import { headerOf } from '../send/wire.ts';
import type { Evidence } from './evidence.ts';
import { recordInBody } from './mark.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * The members of a request's body that may become members of the record: of a form all but its files, which services
 * return as a URL or not at all, and its empty fields, which may mean null; of a text or bytes none. Undefined: the body
 * is no record.
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
 * Of the members that were sent those that the record must have: a service ignores what is read-only in the body or in
 * the record (OpenAPI 3.1), and may ignore what the schema of the body does not describe, in any depth, and what the
 * description does not name among what is changed.
 */
export function owedMembers(evidence: Evidence): Data | undefined {
  const sent = sentMembers(evidence);
  const shape = shapeAt(sentMedia(evidence)?.shape, placeOf(evidence).path);
  const changed = Object.entries(sent ?? {}).filter(([name]) => mayChange(evidence.operation, name));
  return sent && owedOf(Object.fromEntries(changed), shape, evidence.role?.resource.shape);
}

const placeOf = ({ role, operation }: Evidence) => recordInBody(role?.resource, operation);

function owedOf(sent: Data, body: Shape | undefined, record: Shape | undefined): Data {
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      const member = body && memberShape(body, name);
      const shown = record && memberShape(record, name);
      if (member?.readOnly || shown?.readOnly || (!member && body && isClosed(body))) return [];
      return [[name, owedValue(value, member, shown)]];
    }),
  );
}

function owedValue(value: unknown, body: Shape | undefined, record: Shape | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => owedValue(item, body?.items, record?.items));
  return isRecord(value) ? owedOf(value, body, record) : value;
}

/** It names its members, and says nothing of others. */
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
