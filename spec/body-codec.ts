import { decodeText } from './decode-parameter.ts';
import { compileFormValues, type FormField } from './form-values.ts';
import { stringifyJson } from './json/exact-json.ts';
import { isRecord } from './json/json-value.ts';
import { oncePer } from './json/once-per.ts';
import {
  type BodyFormat,
  beginningOf,
  charsetOf,
  essenceOf,
  formatOf,
  isOctets,
  type MediaType,
  sentType,
} from './media-type.ts';
import { fromLatin1, latin1, type Part, readParts, utf8, writeParts } from './multipart.ts';
import { listForm, type Pair, percentDecode, queryOf } from './parameter-style.ts';
import { compileXmlValues } from './xml/xml-values.ts';

/** The decoded value of a body, or why it cannot be decoded. */
export type DecodedBody =
  | { readonly value: unknown; readonly mistyped: readonly MistypedPart[] }
  | { readonly error: string; readonly charset?: boolean };

/** A part whose media type its Encoding Object does not list. */
interface MistypedPart {
  readonly name: string;
  readonly type: string;
  readonly expected: string;
}

export interface EncodedBody {
  readonly bytes: Uint8Array;
  /** The Content-Type, with its parameters. */
  readonly type: string;
}

/** Reads and writes the bodies of one media type. */
interface BodyCodec {
  decode(bytes: Uint8Array, contentType: string): DecodedBody;
  /** Undefined: the format cannot represent the value. */
  encode(value: unknown): EncodedBody | undefined;
}

type Format = Exclude<BodyFormat, 'json'>;

const codecsOf = oncePer((_: MediaType): Partial<Record<Format, BodyCodec>> => ({}));

/** Compiled once for each entry of a `content`, on first use. */
export function bodyCodec(media: MediaType, format: Format): BodyCodec {
  const codecs = codecsOf(media);
  codecs[format] ??= COMPILE[format](media);
  return codecs[format];
}

const COMPILE: Readonly<Record<Format, (media: MediaType) => BodyCodec>> = {
  form: compileForm,
  multipart: compileMultipart,
  xml: compileXml,
  text: compileText,
  bytes: compileBytes,
};

/** The body that a client sends for a value. If the media type cannot represent it, it is sent as JSON text. */
export function encodeBody(media: MediaType, value: unknown): EncodedBody {
  if (value instanceof Uint8Array) return { bytes: value, type: sentType(media) };
  const format = formatOf(sentType(media), media.shape);
  const encoded = format && format !== 'json' ? bodyCodec(media, format).encode(value) : undefined;
  return encoded ?? { bytes: utf8(stringifyJson(value)), type: sentType(media) };
}

/** The value of a body. Undefined: the media type is not supported here, or is JSON. */
export function decodeBody(
  media: MediaType,
  bytes: Uint8Array,
  contentType: string,
): DecodedBody | undefined {
  const format = formatOf(media.type, media.shape);
  return format && format !== 'json' ? bodyCodec(media, format).decode(bytes, contentType) : undefined;
}

/**
 * The value as a service reads it, since a form has neither null nor types. Undefined: the media type cannot represent
 * it.
 */
export function asReceived(media: MediaType, value: unknown): unknown {
  const format = isOctets(media.shape) ? 'bytes' : formatOf(sentType(media), media.shape);
  if (format === 'json') return value;
  const codec = format && bodyCodec(media, format);
  const encoded = codec?.encode(value);
  const decoded = encoded && codec?.decode(encoded.bytes, encoded.type);
  return decoded && 'value' in decoded ? decoded.value : undefined;
}

function compileForm(media: MediaType): BodyCodec {
  const values = compileFormValues(media, false);
  return {
    decode(bytes) {
      const text = decodeUtf8(bytes);
      if (text === undefined || !isUtf8Encoded(text)) return { error: 'must be a form in UTF-8' };
      return { value: values.decode(queryOf(text)), mistyped: [] };
    },
    encode(value) {
      if (!isRecord(value)) return undefined;
      const pairs = values.encode(value).map(({ name, text }) => `${encodeURIComponent(name)}=${text}`);
      return { bytes: utf8(pairs.join('&').replaceAll('%20', '+')), type: sentType(media) };
    },
  };
}

/** A `%` that encodes nothing stands for itself (WHATWG URL §5.1). */
function isUtf8Encoded(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}

function compileMultipart(media: MediaType): BodyCodec {
  const values = compileFormValues(media, true);

  function pairOf({ name, bytes }: Part): Pair {
    const text = decodeUtf8(bytes);
    if (values.fieldOf(name).isFile) return [name, text ?? latin1(bytes)];
    if (text === undefined) throw new Error(`the part "${name}" is not UTF-8`);
    return [name, text.replaceAll('%', '%25')];
  }

  function* mistypedOf(parts: readonly Part[]): Generator<MistypedPart> {
    for (const { name, type } of parts) {
      const { contentTypes } = values.fieldOf(name);
      if (type === undefined || contentTypes.length === 0) continue;
      if (!contentTypes.some((range) => isInRange(essenceOf(type), range)))
        yield { name, type, expected: contentTypes.join(' or ') };
    }
  }

  return {
    decode(bytes, contentType) {
      try {
        const parts = readParts(bytes, contentType);
        return { value: values.decode(parts.map(pairOf)), mistyped: [...mistypedOf(parts)] };
      } catch (error) {
        return { error: `must be multipart/form-data: ${(error as Error).message}` };
      }
    },
    encode(value) {
      if (!isRecord(value)) return undefined;
      const parts = values.encode(value).map(({ field, name, text }): Part => {
        const { isFile } = field;
        const type = partType(field);
        const begins = isFile ? beginningOf(type ?? '') : undefined;
        const isBytes = begins !== undefined && text.startsWith(begins);
        const bytes = isBytes ? fromLatin1(text) : utf8(isFile ? text : percentDecode(text));
        return { name, filename: isFile ? 'file' : undefined, type, bytes };
      });
      return writeParts(parts);
    },
  };
}

/** The media type of a part: that of its Encoding Object, else the default for its schema (OpenAPI 3.1 §4.8.14.4). */
export function partType({
  parameter: { shape },
  isFile,
  notation,
  contentTypes,
}: FormField): string | undefined {
  if (contentTypes[0] !== undefined) return concrete(contentTypes[0]);
  if (notation === 'json') return 'application/json';
  if (!isFile) return undefined;
  const described = (listForm(shape)?.items ?? shape).find('contentMediaType')?.value;
  return typeof described === 'string' ? described : 'application/octet-stream';
}

function isInRange(type: string, range: string): boolean {
  return range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
}

const IN_RANGE: Readonly<Record<string, string>> = { 'image/*': 'image/png', 'text/*': 'text/plain' };

function concrete(range: string): string {
  return range.includes('*') ? (IN_RANGE[range] ?? 'application/octet-stream') : range;
}

function compileXml(media: MediaType): BodyCodec {
  const values = compileXmlValues(media);
  return {
    decode(bytes, contentType) {
      const charset = charsetOf(contentType) ?? xmlCharset(bytes);
      const decoder = decoderOf(charset);
      if (!decoder) return { error: 'must be in UTF-8', charset: true };
      const text = decodeBytes(bytes, decoder);
      if (text === undefined) return { error: `must be XML in ${charset}` };
      try {
        return { value: values.decode(text), mistyped: [] };
      } catch (error) {
        return { error: `must be XML: ${(error as Error).message.replace(/\.$/, '')}` };
      }
    },
    encode(value) {
      const text = values.encode(value);
      return text === undefined ? undefined : { bytes: utf8(text), type: sentType(media) };
    },
  };
}

/** The encoding in an XML document's declaration, read from its first bytes (XML 1.0, appendix F). */
function xmlCharset(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  const head = latin1(bytes.subarray(0, 200));
  return /^(?:\xef\xbb\xbf)?<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ?? 'utf-8';
}

function compileText(media: MediaType): BodyCodec {
  return {
    decode(bytes, contentType) {
      const charset = charsetOf(contentType) ?? 'utf-8';
      const decoder = decoderOf(charset);
      if (!decoder) return { error: 'must be in UTF-8', charset: true };
      const text = decodeBytes(bytes, decoder);
      return text === undefined
        ? { error: `must be text in ${charset}` }
        : { value: decodeText(text, media.shape), mistyped: [] };
    },
    encode: (value) => encodeScalar(media, value),
  };
}

/** Bytes that are not UTF-8 become a string with a character for each byte. */
function compileBytes(media: MediaType): BodyCodec {
  return {
    decode: (bytes) => ({ value: decodeUtf8(bytes) ?? latin1(bytes), mistyped: [] }),
    encode: (value) => (typeof value === 'string' ? encodeScalar(media, value) : undefined),
  };
}

function encodeScalar(media: MediaType, value: unknown): EncodedBody | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined;
  return { bytes: utf8(String(value)), type: sentType(media) };
}

type Decoder = InstanceType<typeof TextDecoder>;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined if the bytes are not UTF-8. A byte-order mark is removed (RFC 8259 §8.1). */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return decodeBytes(bytes, UTF_8);
}

function decodeBytes(bytes: Uint8Array, decoder: Decoder): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined if there is no charset with this name. */
function decoderOf(charset: string): Decoder | undefined {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
}
