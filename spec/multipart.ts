import { multipartParser } from '#libraries';

/** A part of `multipart/form-data` (RFC 7578). */
export interface Part {
  readonly name: string;
  /** Undefined: it is not a file. */
  readonly filename: string | undefined;
  /** As sent; undefined: the part has no type, which means text (RFC 7578 §4.4). */
  readonly type: string | undefined;
  readonly bytes: Uint8Array;
}

const MAX_PARTS = 1000;
/** In bytes, for each part. */
const MAX_HEADER = 8192;

/**
 * The parts of a body, at most 1000.
 * @throws Error with the reason, if it is malformed
 */
export function readParts(body: Uint8Array, contentType: string): Part[] {
  const boundary = boundaryOf(contentType);
  if (!boundary)
    throw new Error('its Content-Type names no boundary of 1 to 70 characters (RFC 2046 §5.1.1)');
  const options = { boundary, maxParts: MAX_PARTS, maxHeaderSize: MAX_HEADER };
  const sizes = { maxFileSize: body.length, maxTotalSize: body.length };
  return [...multipartParser().parseMultipart(withoutLineBreak(body), { ...options, ...sizes })].map(
    (part) => {
      const { name, filename, headers } = part;
      if (name === undefined) throw new Error('a part has no name in its Content-Disposition');
      return { name, filename, type: headers['content-type'], bytes: part.bytes };
    },
  );
}

/** RFC 2046 §5.1.1. */
function boundaryOf(contentType: string): string | undefined {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token ?? '';
  return /^[\x20-\x7e]{1,70}$/.test(boundary) ? boundary : undefined;
}

/** Removes the line break that some clients send before the first boundary. */
function withoutLineBreak(body: Uint8Array): Uint8Array {
  return body[0] === 13 && body[1] === 10 ? body.subarray(2) : body;
}

/** Encodes parts as a body; the result is deterministic. */
export function writeParts(parts: readonly Part[]): { readonly bytes: Uint8Array; readonly type: string } {
  const contents = parts.map(({ bytes }) => latin1(bytes));
  let boundary = 'form-data-boundary';
  while (contents.some((content) => content.includes(boundary))) boundary += '-';
  const chunks = parts.flatMap((part) => [
    utf8(`--${boundary}\r\n${headersOf(part)}\r\n`),
    part.bytes,
    utf8('\r\n'),
  ]);
  const bytes = concat([...chunks, utf8(`--${boundary}--\r\n`)]);
  return { bytes, type: `multipart/form-data; boundary=${boundary}` };
}

function headersOf({ name, filename, type }: Part): string {
  const file = filename === undefined ? '' : `; filename="${quote(filename)}"`;
  const contentType = type === undefined ? '' : `Content-Type: ${type}\r\n`;
  return `Content-Disposition: form-data; name="${quote(name)}"${file}\r\n${contentType}`;
}

const ENCODER = new TextEncoder();

export function utf8(text: string): Uint8Array {
  return ENCODER.encode(text);
}

/** Every engine accepts this number of arguments in a call. */
const STEP = 8192;

/** A string with a character for each byte. (`latin1` in the Encoding Standard is windows-1252.) */
export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += STEP)
    text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return text;
}

/** The bytes of such a string. */
export const fromLatin1 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (sign) => sign.charCodeAt(0));

/** Concatenates arrays of bytes. */
export function concat(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Escapes a name as browsers do (HTML §4.10.21.8). */
function quote(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
