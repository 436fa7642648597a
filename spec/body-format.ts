import type { JsonType } from './json/json-value.ts';
import { essenceOf, isJsonType, type MediaType } from './media-type.ts';
import type { Operation, RequestBody } from './operation.ts';
import type { Shape } from './schema/shape.ts';

/** How a body stands for a value of its schema, by its media type; `bytes` is any type without a meaning of its own here. */
export type BodyFormat = 'json' | 'form' | 'multipart' | 'text' | 'bytes';

/** The formats in the order in which a client chooses among them. */
const ORDER: readonly BodyFormat[] = ['json', 'form', 'multipart', 'text', 'bytes'];

/**
 * The format of a body with a media type and the schema for it. Undefined: it cannot be read, since the type is XML or
 * an unknown `multipart`, or no such body is a value of the schema.
 */
export function formatOf(type: string, shape: Shape | undefined): BodyFormat | undefined {
  const essence = essenceOf(type);
  if (isJsonType(essence)) return 'json';
  if (essence === 'application/x-www-form-urlencoded')
    return canBe(shape, 'object') ? 'form' : canBe(shape, 'string') ? 'text' : undefined;
  if (essence === 'multipart/form-data') return canBe(shape, 'object') ? 'multipart' : undefined;
  if (isXmlType(essence) || essence.startsWith('multipart/')) return undefined;
  if (essence.startsWith('text/')) return SCALARS.some((scalar) => canBe(shape, scalar)) ? 'text' : undefined;
  return canBe(shape, 'string') ? 'bytes' : undefined;
}

/** RFC 7303 §4: `text/xml`, `application/xml` and the structured syntax suffix `+xml`. */
function isXmlType(essence: string): boolean {
  return /[/+]xml$/.test(essence);
}

const SCALARS: readonly JsonType[] = ['string', 'integer', 'number', 'boolean'];

/** Whether a schema leaves room for values of a type; one without a type leaves room for all. */
function canBe(shape: Shape | undefined, type: JsonType): boolean {
  if (!shape) return true;
  if (shape.mainType !== undefined) return shape.types?.has(type) ?? shape.mainType === type;
  return shape.alternatives.length === 0 || shape.alternatives.some((branch) => canBe(branch, type));
}

/**
 * The entry of a request body's `content` that a client sends: JSON, else a form, `multipart/form-data`, text or bytes.
 * Undefined: there is no body, or none of its media types can be written.
 */
export function bodyMedia(body: RequestBody | undefined): MediaType | undefined {
  if (!body) return undefined;
  if (!CHOSEN.has(body)) CHOSEN.set(body, chooseMedia(body));
  return CHOSEN.get(body);
}

const CHOSEN = new WeakMap<RequestBody, MediaType | undefined>();

function chooseMedia({ content }: RequestBody): MediaType | undefined {
  const ranked = content.flatMap((media) => {
    const format = formatOf(sentType(media), media.shape);
    if (!format) return [];
    const isVague = !media.schema && format !== 'text' && format !== 'bytes';
    const rank = ORDER.indexOf(format) + (media.type.includes('*') ? 0.5 : 0) + (isVague ? ORDER.length : 0);
    return [{ media, rank }];
  });
  return ranked.toSorted((one, other) => one.rank - other.rank)[0]?.media;
}

/** The media types of request bodies that cannot be read, each with its operations. */
export function unreadBodies(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const pairs = operations.flatMap((operation) =>
    (operation.body?.content ?? [])
      .filter((media) => formatOf(sentType(media), media.shape) === undefined)
      .map(({ type }) => ({ type: essenceOf(type), operation })),
  );
  const byType = Map.groupBy(pairs, ({ type }) => type);
  return new Map([...byType].map(([type, group]) => [type, group.map(({ operation }) => operation)]));
}

/** The media type that a client names for a body: of a range such as `text/*` one in it, without parameters. */
export function sentType({ type, shape }: MediaType): string {
  const essence = essenceOf(type);
  if (!essence.includes('*')) return type;
  const isBinary = shape?.find('format')?.value === 'binary';
  const [kind = '*'] = essence.split('/');
  return (isBinary ? undefined : IN_RANGE[kind]) ?? BINARY_IN_RANGE[kind] ?? 'application/octet-stream';
}

const IN_RANGE: Readonly<Record<string, string>> = {
  '*': 'application/json',
  application: 'application/json',
};

const BINARY_IN_RANGE: Readonly<Record<string, string>> = {
  text: 'text/plain',
  image: 'image/png',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  multipart: 'multipart/form-data',
};
