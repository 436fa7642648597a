import { addWarning, children, flagAt, isReference, rawChild, recordAt, type Spot } from './document/spot.ts';
import { tryJson } from './json/exact-json.ts';
import type { JsonType } from './json/json-value.ts';
import { oncePer } from './json/once-per.ts';
import { Shape } from './schema/shape.ts';

/** A Media Type Object with its key in the `content` map (OpenAPI 3.1 §4.8.14). */
export interface MediaType {
  /** As in the document: a media type such as `application/json`, or a range such as `text/*`. */
  readonly type: string;
  /** Whether its bodies are JSON. */
  readonly isJson: boolean;
  /** Undefined if the document has none. */
  readonly schema: Spot | undefined;
  readonly shape: Shape | undefined;
  /** The schema of each message of a stream (OpenAPI 3.2 §4.14.3). Absent if the document has none. */
  readonly itemSchema?: Spot;
  /** By name; the name of `example` is `example`. */
  readonly examples: ReadonlyMap<string, unknown>;
  readonly spot: Spot;
}

/** A Request Body Object (OpenAPI 3.1 §4.8.13). */
export interface RequestBody {
  readonly required: boolean;
  readonly content: readonly MediaType[];
  readonly spot: Spot;
}

export function readContent(owner: Spot): MediaType[] {
  return children(recordAt(owner, 'content')).map(([type, spot]) => {
    const schema = rawChild(spot, 'schema');
    const shape = schema && Shape.of([schema]);
    const itemSchema = rawChild(spot, 'itemSchema');
    const item = itemSchema && { itemSchema };
    const isJson = isJsonType(type) && !isOctets(shape);
    const written = [...readExamples(spot, serializedAs(type, shape))];
    const examples = new Map(written.map(([name, value]) => [name, isJson ? fromText(value, shape) : value]));
    return { type, isJson, schema, shape, ...item, examples, spot };
  });
}

/** Parses an example that is written as text, unless its schema describes a text. */
function fromText(value: unknown, shape: Shape | undefined): unknown {
  if (typeof value !== 'string' || shape?.mainType === 'string' || !/^\s*[[{]/.test(value)) return value;
  return tryJson(value) ?? value;
}

/** Reads an example from its text (`serializedValue` of OpenAPI 3.2 §4.19, `externalValue`); undefined if it is invalid. */
type ReadSerialized = (text: string | Uint8Array, isData: boolean) => unknown;

/**
 * The examples of a Media Type Object, a Header Object or a Parameter Object.
 * @param read reads their texts; an invalid example is omitted with a warning
 */
export function readExamples(spot: Spot, read: ReadSerialized = asData): ReadonlyMap<string, unknown> {
  const several = children(recordAt(spot, 'examples'));
  const values = several.flatMap(([name, example]) => {
    const result = exampleIn(example, read);
    return result ? [[name, result.value] as const] : [];
  });
  const one = rawChild(spot, 'example');
  return new Map([...values, ...(one ? [['example', withoutReference(one).value] as const] : [])]);
}

/** Some authors write a `$ref` to another example's value, although `value` does not allow one. */
function withoutReference(value: Spot): Spot {
  const isMeant = isReference(value.value) && Object.keys(value.value).length === 1;
  return (isMeant && value.document.resolve(value)) || value;
}

const asData: ReadSerialized = (text, isData) => (isData ? undefined : text);

/** OpenAPI 3.2 allows examples as data, or as the text that is sent. */
function exampleIn(example: Spot, read: ReadSerialized): { readonly value: unknown } | undefined {
  const data = rawChild(example, 'value') ?? rawChild(example, 'dataValue');
  const serialized = rawChild(example, 'serializedValue');
  const external = rawChild(example, 'externalValue');
  const text = serialized?.value ?? (data ? undefined : external && example.document.external(external));
  const at = serialized ?? external;
  if (at && (typeof text === 'string' || text instanceof Uint8Array)) {
    const value = read(text, data !== undefined);
    if (value !== undefined) return { value };
    if (!data) addWarning(at, 'the example cannot be read as its media type; it is ignored');
  }
  return data && withoutReference(data);
}

/** Examples other than JSON, forms and XML stay text, or bytes if they are not UTF-8. */
function serializedAs(type: string, shape: Shape | undefined): ReadSerialized {
  const format = formatOf(type, shape);
  const isStructured = format === 'form' || format === 'multipart' || format === 'xml';
  return (text, isData) => {
    if (format !== 'json') return isData && isStructured ? undefined : text;
    return isData || typeof text !== 'string' ? undefined : tryJson(text);
  };
}

export function readRequestBody(operation: Spot, method: string): RequestBody | undefined {
  const spot = recordAt(operation, 'requestBody');
  if (!spot) return undefined;
  const isRequired = flagAt(spot, 'required');
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRequired && isRead)
    addWarning(spot, `browsers send no body with ${method} (RFC 9110 §9.3.1); it may be left out`);
  return { required: isRequired && !isRead, content: readContent(spot), spot };
}

/** A media type without parameters, in lower case. */
export function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** The `charset` of a Content-Type; undefined if it has none. */
export function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
}

/** Whether a media type is JSON (RFC 8259), or has the structured syntax suffix `+json` (RFC 6839). */
export function isJsonType(type: string): boolean {
  return /^[\w.*-]+\/(?:[\w.-]+\+)?json$/i.test(essenceOf(type));
}

/** RFC 7303 §4: `text/xml`, `application/xml` and the structured syntax suffix `+xml`. */
function isXmlType(essence: string): boolean {
  return /[/+]xml$/.test(essence);
}

/** The entry that describes a Content-Type: that with the most specific key (OpenAPI 3.1 §4.8.14), ignoring parameters. */
export function mediaTypeFor(content: readonly MediaType[], contentType: string): MediaType | undefined {
  const essence = essenceOf(contentType);
  const [, kind, suffix] = /^([^/]*)\/[^+]+\+(.+)$/.exec(essence) ?? [];
  // Generators write `application/*+json`, although RFC 9110 has no such range.
  const suffixed = suffix === undefined ? [] : [`${kind}/*+${suffix}`];
  const keys = [essence, ...suffixed, `${essence.split('/', 1)}/*`, '*/*'];
  return keys.map((key) => content.find(({ type }) => essenceOf(type) === key)).find(Boolean);
}

/** How a body encodes a value of its schema, by media type; `bytes` is any type without its own support. */
export type BodyFormat = 'json' | 'form' | 'multipart' | 'xml' | 'text' | 'bytes';

/**
 * The format of a body by media type and schema. Undefined: it cannot be read, because the type is an unknown
 * `multipart`, or no such body is valid for the schema.
 */
export function formatOf(type: string, shape: Shape | undefined): BodyFormat | undefined {
  const essence = essenceOf(type);
  if (isJsonType(essence)) return 'json';
  if (isOctets(shape)) return 'bytes';
  if (essence === 'application/x-www-form-urlencoded')
    return canBe(shape, 'object') ? 'form' : canBe(shape, 'string') ? 'text' : undefined;
  if (essence === 'multipart/form-data') return canBe(shape, 'object') ? 'multipart' : undefined;
  if (isXmlType(essence)) return isXmlShape(shape) ? 'xml' : undefined;
  if (essence.startsWith('multipart/')) return undefined;
  if (essence.startsWith('text/')) return SCALARS.some((scalar) => canBe(shape, scalar)) ? 'text' : undefined;
  return canBe(shape, 'string') ? 'bytes' : undefined;
}

/** Whether a body is arbitrary bytes, whatever its media type (OpenAPI 3.0 §4.7.24.1: `format: binary`). */
export function isOctets(shape: Shape | undefined): boolean {
  return shape?.mainType === 'string' && shape.find('format')?.value === 'binary';
}

/** Whether bodies of a media type are XML documents described by its schema. */
export function isXml({ type, shape }: MediaType): boolean {
  return formatOf(type, shape) === 'xml';
}

/** For XML, a text schema stands for the whole document, which it does not describe, unless it names the element. */
function isXmlShape(shape: Shape | undefined): boolean {
  if (!shape) return false;
  return shape.mainType === undefined || SCALARS.includes(shape.mainType)
    ? shape.find('xml') !== undefined || shape.alternatives.some(isXmlShape)
    : true;
}

const SCALARS: readonly JsonType[] = ['string', 'integer', 'number', 'boolean'];

/** Whether a schema allows values of a type; a schema without a type allows all. */
function canBe(shape: Shape | undefined, type: JsonType): boolean {
  if (!shape) return true;
  if (shape.mainType !== undefined) return shape.types?.has(type) ?? shape.mainType === type;
  return shape.alternatives.length === 0 || shape.alternatives.some((branch) => canBe(branch, type));
}

/**
 * The entry of a request body's `content` that a client sends: JSON, else a form, `multipart/form-data`, XML, text or
 * bytes. Undefined: there is no body, or none of its media types can be written.
 */
export function bodyMedia(body: RequestBody | undefined): MediaType | undefined {
  return body && chosenOf(body);
}

/** RFC 6902. */
export const JSON_PATCH = 'application/json-patch+json';

const chosenOf = oncePer(chooseMedia);

/** The formats in order of preference for clients. */
const ORDER: readonly BodyFormat[] = ['json', 'form', 'multipart', 'xml', 'text', 'bytes'];

function chooseMedia({ content }: RequestBody): MediaType | undefined {
  const ranked = content.flatMap((media) => {
    const format = formatOf(sentType(media), media.shape);
    if (!format) return [];
    const isVague = !media.schema && format !== 'text' && format !== 'bytes';
    // A JSON Patch depends on the record, while a merge patch fits any record.
    const isLast = media.type.includes('*') || essenceOf(media.type) === JSON_PATCH;
    const rank = ORDER.indexOf(format) + (isLast ? 0.5 : 0) + (isVague ? ORDER.length : 0);
    return [{ media, rank }];
  });
  return ranked.toSorted((left, right) => left.rank - right.rank)[0]?.media;
}

/** The media types of request bodies that cannot be read, each with its operations. */
export function unreadBodies<Owner extends { readonly body: RequestBody | undefined }>(
  owners: readonly Owner[],
): ReadonlyMap<string, readonly Owner[]> {
  const pairs = owners.flatMap((owner) =>
    (owner.body?.content ?? [])
      .filter((media) => formatOf(sentType(media), media.shape) === undefined)
      .map(({ type }) => ({ type: essenceOf(type), owner })),
  );
  const byType = Map.groupBy(pairs, ({ type }) => type);
  return new Map([...byType].map(([type, group]) => [type, group.map(({ owner }) => owner)]));
}

/** The media type that a client sends for a body: without parameters, and for a range such as `text/*` one within it. */
export function sentType({ type, shape }: Pick<MediaType, 'type' | 'shape'>): string {
  const essence = essenceOf(type);
  if (!essence.includes('*')) return type;
  if (essence.includes('/*+')) return essence.replace('*', 'x');
  const [kind = '*'] = essence.split('/');
  return (
    (isOctets(shape) ? undefined : IN_RANGE[kind]) ?? BINARY_IN_RANGE[kind] ?? 'application/octet-stream'
  );
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

const BEGINNINGS: Readonly<Record<string, string>> = {
  'application/pdf': '%PDF-',
  'image/png': '\u0089PNG\r\n\u001a\n',
  'image/jpeg': '\u00ff\u00d8\u00ff',
  'image/gif': 'GIF8',
  'application/zip': 'PK',
  'application/gzip': '\u001f\u008b',
};

/** The first bytes of files of a media type, a character for each byte; undefined if unknown. */
export const beginningOf = (type: string): string | undefined =>
  Object.hasOwn(BEGINNINGS, type) ? BEGINNINGS[type] : undefined;
