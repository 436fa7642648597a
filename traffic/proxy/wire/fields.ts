/** Bytes that are no HTTP/1.1 message, or one that two readers may understand in two ways. */
export class MalformedMessage extends Error {
  override name = 'MalformedMessage';
  /** What a client is answered whose request it was. */
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** A field line of a head. */
export interface Field {
  readonly name: string;
  /** The name in lower case. */
  readonly key: string;
  /** Without the white space around it. */
  readonly value: string;
  /** As it came, without the line end. */
  readonly line: string;
}

/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The field lines of a head, from the end of its first line on.
 * @throws MalformedMessage for what two readers may understand in two ways (RFC 9112 §5, §11.2)
 */
export function parseFields(head: string, from: number): readonly Field[] {
  const fields: Field[] = [];
  for (let start = from; ; ) {
    const end = head.indexOf('\r\n', start);
    if (end <= start) return fields;
    fields.push(parseField(head.slice(start, end)));
    start = end + 2;
  }
}

function parseField(line: string): Field {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon));
  if (!TOKEN.test(name)) throw new MalformedMessage(`a field line has no valid name before its colon`);
  if (/[\r\n\0]/.test(line)) throw new MalformedMessage(`the field ${name} holds CR, LF or NUL`);
  return { name, key: name.toLowerCase(), value: trim(line.slice(colon + 1)), line };
}

/** Only space and tab: `String.trim` takes away more, such as a no-break space. */
function trim(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
}

/** Whether a line of a trailer section is a field that all readers read as one. */
export function isFieldLine(line: string): boolean {
  const colon = line.indexOf(':');
  return TOKEN.test(line.slice(0, Math.max(0, colon))) && !/[\r\n\0]/.test(line);
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The members of a list-based field, in lower case, all its lines together (RFC 9110 §5.6.1). */
export function listOf(fields: readonly Field[], key: string): string[] {
  return fields
    .filter((field) => field.key === key)
    .flatMap(({ value }) => value.split(','))
    .map((member) => trim(member).toLowerCase())
    .filter((member) => member !== '');
}

/**
 * What the two connections of a pair have in common: they live and end together, and bodies pass with their framing.
 * So these options, and the fields that they name, are as true on the one as on the other.
 */
const SHARED_OPTIONS = new Set(['close', 'keep-alive', 'te', 'upgrade']);

/** Fields that mean something only if Connection names them (RFC 9110 §7.6.1). */
const NAMED_ONLY = new Set(['te', 'upgrade', 'keep-alive']);

/** What no option can take away: without it, another reader would find another message in the same bytes. */
const FRAMING = new Set(['host', 'content-length', 'transfer-encoding']);

/**
 * The field lines that are sent on, as they came and in their order. Left out are the fields that are about the
 * connection they came on only (RFC 9110 §7.6.1); Connection keeps the options that are true on the other one, too.
 * @param change gives another line for a field, or none (undefined)
 */
export function forwardedLines(
  fields: readonly Field[],
  change: (field: Field) => string | undefined,
): readonly string[] {
  const options = listOf(fields, 'connection');
  const dropped = new Set(options.filter((option) => !SHARED_OPTIONS.has(option) && !FRAMING.has(option)));
  const isKept = ({ key }: Field) =>
    key !== 'proxy-connection' && !dropped.has(key) && (!NAMED_ONLY.has(key) || options.includes(key));
  return fields.filter(isKept).flatMap((field) => {
    const line = field.key === 'connection' ? sharedOptions(field) : change(field);
    return line === undefined ? [] : [line];
  });
}

function sharedOptions({ name, value, line }: Field): string | undefined {
  const options = value.split(',').map((option) => option.trim());
  const kept = options.filter((option) => SHARED_OPTIONS.has(option.toLowerCase()));
  if (kept.length === options.length) return line;
  return kept.length > 0 ? `${name}: ${kept.join(', ')}` : undefined;
}

/** How a body is delimited: by a number of bytes, by chunks, or by the end of the connection (RFC 9112 §6). */
export type BodyLength = number | 'chunked' | 'until close';

/** @throws MalformedMessage where the length is unclear: what follows could be read as another request */
export function requestBodyLength(fields: readonly Field[], version: string): BodyLength {
  const codings = listOf(fields, 'transfer-encoding');
  const length = contentLength(fields);
  if (codings.length === 0 && !has(fields, 'transfer-encoding')) return length ?? 0;
  if (length !== undefined)
    throw new MalformedMessage('a request must not have both Content-Length and Transfer-Encoding');
  if (version === 'HTTP/1.0') throw new MalformedMessage('HTTP/1.0 has no Transfer-Encoding');
  if (!isChunked(codings)) throw new MalformedMessage('the last coding of Transfer-Encoding must be chunked');
  return 'chunked';
}

/**
 * @param method of the request
 * @throws MalformedMessage likewise
 */
export function responseBodyLength(fields: readonly Field[], status: number, method: string): BodyLength {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 0;
  const codings = listOf(fields, 'transfer-encoding');
  if (isChunked(codings)) return 'chunked';
  const names = codings.map((coding) => coding.replace(/[ \t]*;.*$/, ''));
  if (names.includes('chunked') || !names.every(isToken))
    throw new MalformedMessage('Transfer-Encoding may be taken for chunked, and is not');
  if (codings.length > 0) return 'until close';
  if (has(fields, 'transfer-encoding')) throw new MalformedMessage('Transfer-Encoding names no coding');
  return contentLength(fields) ?? 'until close';
}

function has(fields: readonly Field[], key: string): boolean {
  return fields.some((field) => field.key === key);
}

function isChunked(codings: readonly string[]): boolean {
  return codings.length > 0 && codings.indexOf('chunked') === codings.length - 1;
}

function contentLength(fields: readonly Field[]): number | undefined {
  const lengths = fields.filter(({ key }) => key === 'content-length');
  if (lengths.length > 1) throw new MalformedMessage('Content-Length is there more than once');
  const [length] = lengths;
  if (length === undefined) return undefined;
  if (!/^\d{1,15}$/.test(length.value)) throw new MalformedMessage('Content-Length is not a number of bytes');
  return Number(length.value);
}
