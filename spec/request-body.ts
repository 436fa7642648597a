import { bodyCodec, type DecodedBody } from './body-codec.ts';
import { type BodyFormat, formatOf } from './body-format.ts';
import { placeOf, type Spot } from './document/spot.ts';
import { parseJson } from './json/exact-json.ts';
import { toPointer } from './json/json-pointer.ts';
import { essenceOf, isJsonType, type MediaType, mediaTypeFor } from './media-type.ts';
import type { Operation } from './operation.ts';
import { inRequest, type RawRequest, type RequestViolation } from './request.ts';
import type { Validators } from './schema/validator.ts';

/** The value of a body and its violations. */
export interface ReadBody {
  readonly value: unknown;
  readonly violations: readonly RequestViolation[];
}

const NO_BODY: ReadBody = { value: undefined, violations: [] };
const NO_BYTES = new Uint8Array();

/** Compiles the Request Body Object of an operation. */
export function compileBodyReader(
  { body }: Operation,
  validators: Validators,
): (request: RawRequest) => ReadBody {
  if (!body) return () => NO_BODY;
  const problem = (kind: RequestViolation['kind'], keyword: string, expected: string, received: unknown) =>
    refused(body.spot, kind, keyword, expected, received);

  const formOf = compileForms(body.content);

  return ({ headers, body: bytes }) => {
    const type = String(headers['content-type'] ?? '');
    const isEmpty = !bytes || bytes.length === 0;
    // A form without any field has no bytes.
    if (isEmpty && !isEmptyForm(type, body.content))
      return body.required ? problem('schema', 'required', 'is required', undefined) : NO_BODY;
    const { media, isJson, isUtf8 } = formOf(type);
    if (!media) {
      const expected = `must be ${body.content.map((entry) => entry.type).join(' or ')}`;
      return problem('media type', 'content', expected, type === '' ? 'no Content-Type' : type);
    }
    if (!isJson) return readOther(formatOf(type, media.shape), media, bytes ?? NO_BYTES, type);
    if (!isUtf8) return problem('media type', 'content', `must be ${essenceOf(type)} in UTF-8`, type);
    const text = decode(bytes as Uint8Array);
    const parsed = text === undefined ? { error: 'it is not UTF-8' } : tryParse(text);
    if ('error' in parsed) return problem('syntax', 'content', `must be JSON: ${parsed.error}`, text);
    return validated(media, parsed.value);
  };

  function readOther(
    format: BodyFormat | undefined,
    media: MediaType,
    bytes: Uint8Array,
    type: string,
  ): ReadBody {
    if (format === undefined || format === 'json') {
      const readable = body?.content.filter((entry) => formatOf(entry.type, entry.shape));
      const others = readable?.map((entry) => entry.type).join(' or ');
      const expected = others ? `must be ${others}` : `of the type ${essenceOf(type)} cannot be read here`;
      return problem('media type', 'content', expected, type);
    }
    const decoded: DecodedBody = bodyCodec(media, format).decode(bytes, type);
    if ('error' in decoded)
      return problem(decoded.charset ? 'media type' : 'syntax', 'content', decoded.error, type);
    const { value, violations } = validated(media, decoded.value);
    const mistyped = decoded.mistyped.flatMap(({ name, type: received, expected }) =>
      refused(media.spot, 'schema', 'contentType', `must be of type ${expected}`, received).violations.map(
        (violation) => ({ ...violation, pointer: toPointer([name]) }),
      ),
    );
    return { value, violations: [...violations, ...mistyped] };
  }

  function validated({ schema }: MediaType, value: unknown): ReadBody {
    const violations = schema ? validators.compile(schema, 'request')(value) : [];
    return {
      value,
      violations: violations.map((violation) => inRequest(violation, 'body', '')),
    };
  }
}

function refused(
  spot: Spot,
  kind: RequestViolation['kind'],
  keyword: string,
  expected: string,
  received: unknown,
): ReadBody {
  const at = placeOf(spot);
  const violation = { in: 'body', name: '', kind, pointer: '', keyword, expected, received, at } as const;
  return { value: undefined, violations: [violation] };
}

function isEmptyForm(type: string, content: readonly MediaType[]): boolean {
  const media = mediaTypeFor(content, type);
  return media !== undefined && formatOf(type, media.shape) === 'form';
}

/** What a Content-Type says. */
interface Form {
  /** Undefined: the document does not describe it. */
  readonly media: MediaType | undefined;
  readonly isJson: boolean;
  readonly isUtf8: boolean;
}

/** Bounds of the cache of what clients send as Content-Type. */
const MAX_TYPES = 64;
const MAX_TYPE_LENGTH = 256;

function compileForms(content: readonly MediaType[]): (type: string) => Form {
  const known = new Map<string, Form>();
  return (type) => {
    const form = known.get(type);
    if (form) return form;
    const read = { media: mediaTypeFor(content, type), isJson: isJsonType(type), isUtf8: isUtf8(type) };
    if (known.size >= MAX_TYPES) known.clear();
    if (type.length <= MAX_TYPE_LENGTH) known.set(type, read);
    return read;
  };
}

/** RFC 8259 §8.1: JSON between systems is UTF-8; another `charset` is refused. */
function isUtf8(contentType: string): boolean {
  const [, charset] =
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType.slice(essenceOf(contentType).length)) ?? [];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined if the bytes are not UTF-8. A byte-order mark is dropped (RFC 8259 §8.1). */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}

function tryParse(text: string): { value: unknown } | { error: string } {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
