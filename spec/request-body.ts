import { placeOf } from './document/spot.ts';
import { parseJson } from './json/exact-json.ts';
import { essenceOf, isJsonType, mediaTypeFor } from './media-type.ts';
import type { Operation } from './operation.ts';
import type { RawRequest, RequestViolation } from './request.ts';
import type { Validators } from './schema/validator.ts';

/** The value of a body and its violations. */
export interface ReadBody {
  readonly value: unknown;
  readonly violations: readonly RequestViolation[];
}

const NO_BODY: ReadBody = { value: undefined, violations: [] };

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

  return ({ headers, body: bytes }) => {
    if (!bytes || bytes.length === 0)
      return body.required ? problem('schema', 'required', 'is required', undefined) : NO_BODY;
    const type = String(headers['content-type'] ?? '');
    const media = mediaTypeFor(body.content, type);
    if (!media) {
      const expected = `must be ${body.content.map((entry) => entry.type).join(' or ')}`;
      return problem('media type', 'content', expected, type === '' ? 'no Content-Type' : type);
    }
    const text = decode(bytes);
    if (!isJsonType(type)) return { value: text ?? bytes, violations: [] };
    if (!isUtf8(type)) return problem('media type', 'content', `must be ${essenceOf(type)} in UTF-8`, type);
    const parsed = text === undefined ? { error: 'it is not UTF-8' } : tryParse(text);
    if ('error' in parsed) return problem('syntax', 'content', `must be JSON: ${parsed.error}`, text);
    const { value } = parsed;
    const violations = media.schema ? validators.compile(media.schema, 'request')(value) : [];
    return {
      value,
      violations: violations.map((violation) => ({ ...violation, in: 'body', name: '', kind: 'schema' })),
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
