import { placeOf } from './document/spot.ts';
import { parseJson } from './json/exact-json.ts';
import { essenceOf, isJsonType, type MediaType, mediaTypeFor } from './media-type.ts';
import type { Operation } from './operation.ts';
import type { RawRequest, RequestViolation } from './request.ts';
import type { Validate, Validators } from './schema/validator.ts';

/** The value of a body, and all that is wrong with it. */
export interface ReadBody {
  readonly value: unknown;
  readonly violations: readonly RequestViolation[];
}

const NO_BODY: ReadBody = { value: undefined, violations: [] };

/** What a Content-Type means for an operation. */
interface ContentTypeInfo {
  /** Undefined if the operation does not document this type. */
  readonly media: MediaType | undefined;
  readonly isJson: boolean;
  readonly isUtf8: boolean;
  readonly validate: Validate | undefined;
}

/** Bound of the cache of Content-Types: a client may send any number of them. */
const MAX_TYPES = 64;

/** Compiles the Request Body Object of an operation. */
export function compileBodyReader(
  { body }: Operation,
  validators: Validators,
): (request: RawRequest) => ReadBody {
  if (!body) return () => NO_BODY;
  const problem = (kind: RequestViolation['kind'], keyword: string, expected: string, received: unknown) => {
    const at = placeOf(body.spot);
    const violation = { in: 'body', name: '', kind, pointer: '', keyword, expected, received, at } as const;
    return { value: undefined, violations: [violation] };
  };

  const infos = new Map<string, ContentTypeInfo>();

  function infoOf(type: string): ContentTypeInfo {
    const known = infos.get(type);
    if (known) return known;
    const media = mediaTypeFor(body?.content ?? [], type);
    const validate = media?.schema && validators.compile(media.schema, 'request');
    const info = { media, isJson: isJsonType(type), isUtf8: isUtf8(type), validate };
    if (infos.size >= MAX_TYPES) infos.clear();
    infos.set(type, info);
    return info;
  }

  return ({ headers, body: bytes }) => {
    if (!bytes || bytes.length === 0) {
      return body.required ? problem('schema', 'required', 'is required', undefined) : NO_BODY;
    }
    const type = String(headers['content-type'] ?? '');
    const { media, isJson, isUtf8, validate } = infoOf(type);
    if (!media) {
      const wanted = body.content.map((entry) => entry.type).join(' or ');
      return problem('media type', 'content', `must be ${wanted}`, type === '' ? 'no Content-Type' : type);
    }
    const text = decode(bytes);
    if (!isJson) return { value: text ?? bytes, violations: [] };
    if (!isUtf8) return problem('media type', 'content', `must be ${essenceOf(type)} in UTF-8`, type);
    const parsed = text === undefined ? { error: 'it is not UTF-8' } : tryParse(text);
    if ('error' in parsed) return problem('syntax', 'content', `must be JSON: ${parsed.error}`, text);
    const broken = validate?.(parsed.value) ?? [];
    return {
      value: parsed.value,
      violations: broken.map((violation) => ({ ...violation, in: 'body', name: '', kind: 'schema' })),
    };
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
