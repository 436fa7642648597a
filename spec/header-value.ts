import { decodeBody, decodeUtf8, encodeBody } from './body-codec.ts';
import { compileDecoder, decodeJson } from './decode-parameter.ts';
import { wordsOf } from './meaning/names.ts';
import { utf8 } from './multipart.ts';
import type { Header } from './parameter.ts';
import { encodeParameter, isCompound, listForm, recordForm } from './parameter-style.ts';
import { formsOf, type Shape } from './schema/shape.ts';

/**
 * A value as the text of a response header: by its media type, else in the style `simple` (RFC 6570 §3.2.2). Characters
 * that a field cannot contain (RFC 9110 §5.5) are escaped in JSON, and replaced by `?` otherwise.
 */
export function encodeHeader(header: Header, value: unknown): string {
  const { content } = header;
  const text = content ? decodeUtf8(encodeBody(content, value).bytes) : encodeParameter(header, value).join();
  return (text ?? '').replace(/[^\x20-\x7e]/g, (unit) =>
    content?.isJson ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : '?',
  );
}

/**
 * The possible values of the lines of a response header; several lines are one list (RFC 9110 §5.3). There are two
 * values if percent-decoding changes the text, since the specification leaves open whether `simple` encodes headers
 * (OpenAPI 3.1.1, appendix D). Undefined: the notation of such a value is unspecified.
 */
export function decodeHeader(header: Header, lines: readonly string[]): unknown[] | undefined {
  const { content, shape } = header;
  const text = lines.join(', ');
  if (content?.isJson) return [decodeJson(text)];
  if (content) {
    const decoded = decodeBody(content, utf8(text), content.type);
    return decoded && ['value' in decoded ? decoded.value : text];
  }
  if (formsOf(shape).some(isNested)) return undefined;
  const list = isCompound(header) ? text.replace(/[ \t]*,[ \t]*/g, ',') : text;
  const inPath = text.includes('%') ? [compileDecoder({ ...header, in: 'path' })([list])] : [];
  return [...inPath, compileDecoder(header)([text])];
}

/** `simple` has no notation for anything below the items of an array or the members of an object. */
function isNested({ items, additional, properties }: Shape): boolean {
  return [items, additional, ...properties.values()].some(
    (part) => part && !part.find('collectionFormat') && (listForm(part) ?? recordForm(part)) !== undefined,
  );
}

/**
 * Whether a header, by its lower-case name, must not have a sample as its value: a location, a limit, or the next page,
 * which clients would request forever.
 */
export function isCaused(name: string): boolean {
  return (
    CAUSED.has(name) ||
    FAMILIES.some((start) => name.startsWith(start)) ||
    wordsOf(name).some((word) => OTHER_PAGE.has(word))
  );
}

const CAUSED: ReadonlySet<string> = new Set(
  'age allow cache-control deprecation expires last-modified link location preference-applied retry-after server set-cookie strict-transport-security sunset vary via warning www-authenticate'.split(
    ' ',
  ),
);
const FAMILIES = [
  'accept',
  'access-control-',
  'content-',
  'trace',
  'ratelimit',
  'x-ratelimit',
  'x-rate-limit',
];
const OTHER_PAGE: ReadonlySet<string> = new Set(
  'next prev previous cursor continue continuation token last more'.split(' '),
);
