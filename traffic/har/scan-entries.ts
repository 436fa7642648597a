import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createUnzip } from 'node:zlib';

/** An element of `log.entries`, as bytes. */
export interface ScannedEntry {
  /** Counted from 1. */
  readonly index: number;
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** JSON, unless it is malformed; undefined: it exceeds the limit. */
  readonly bytes: Buffer | undefined;
  /** Whether the file ends within it. */
  readonly isCut: boolean;
}

interface EntryScanner {
  /** The entries that end within this chunk. */
  write(chunk: Buffer): Iterable<ScannedEntry>;
  /** The entry in which the file ends. */
  end(): Iterable<ScannedEntry>;
  /** Whether there was a list at `log.entries`. */
  readonly hasEntries: boolean;
  /** Whether all brackets and strings are closed. */
  readonly isComplete: boolean;
  /** The current line, from 1. */
  readonly line: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** The depth within `{"log": {"entries": [`. */
const ENTRIES_DEPTH = 3;

/** In bytes. The two relevant names are shorter. */
const LONGEST_NAME = 16;

/**
 * Finds the elements of `log.entries` by brackets and strings alone, holding one of them at a time: longer ones than
 * `limit` bytes are skipped, and malformed ones are left to the parser. So one malformed entry does not hide later ones.
 */
export function createEntryScanner(limit: number): EntryScanner {
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  let line = 1;
  let hasEntries = false;
  let inEntries = false;
  let index = 0;
  /** The last string outside of the entries: it is a name if a colon follows. */
  let text = '';
  /** The names on the path to the current depth. */
  let names: (string | undefined)[] = [];
  let entry: { readonly line: number; pieces: Buffer[]; size: number } | undefined;

  function keep(piece: Buffer): void {
    if (!entry) return;
    entry.size += piece.length;
    if (entry.size > limit) entry.pieces = [];
    // Copied: the chunk belongs to its stream.
    else if (piece.length > 0) entry.pieces.push(Buffer.from(piece));
  }

  function take(isCut: boolean): ScannedEntry {
    const { line: begin, pieces, size } = entry as NonNullable<typeof entry>;
    entry = undefined;
    const bytes = size > limit ? undefined : Buffer.concat(pieces);
    return { index: ++index, line: begin, bytes, isCut };
  }

  function open(byte: number): void {
    depth++;
    if (inEntries || depth > ENTRIES_DEPTH) return;
    const isAtEntries = depth === ENTRIES_DEPTH && byte === OPEN_LIST;
    if (isAtEntries && names[0] === 'log' && names[1] === 'entries') {
      hasEntries = true;
      inEntries = true;
    }
  }

  function* write(chunk: Buffer): Iterable<ScannedEntry> {
    /** Where the current entry begins in this chunk. */
    let begin = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === LINE_FEED) line++;
      if (isEscaped) {
        isEscaped = false;
      } else if (isString) {
        if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isString = false;
        else if (depth < ENTRIES_DEPTH && text.length <= LONGEST_NAME) text += String.fromCharCode(byte);
      } else if (byte > SPACE) {
        const isBetween = inEntries && depth === ENTRIES_DEPTH;
        if (isBetween && (byte === COMMA || byte === CLOSE_LIST)) {
          if (entry) {
            keep(chunk.subarray(begin, at));
            yield take(false);
          }
        } else if (isBetween && !entry) {
          entry = { line, pieces: [], size: 0 };
          begin = at;
        }
        if (byte === QUOTE) {
          isString = true;
          text = '';
        } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
          open(byte);
        } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
          depth = Math.max(0, depth - 1);
          if (depth < ENTRIES_DEPTH) inEntries = false;
          names = names.slice(0, depth);
        } else if (byte === COLON && depth < ENTRIES_DEPTH) {
          names = [...names.slice(0, depth - 1), text];
        }
      }
    }
    if (entry) keep(chunk.subarray(begin));
  }

  return {
    write,
    *end() {
      if (entry) yield take(true);
    },
    get hasEntries() {
      return hasEntries;
    },
    get isComplete() {
      return depth === 0 && !isString;
    },
    get line() {
      return line;
    },
  };
}

/** A file is no HAR, or cannot be read. The message has the file, the reason, and a remedy. */
export class HarError extends Error {
  override readonly name = 'HarError';
}

const CHUNK_BYTES = 2 ** 18;

const EXPORT_IT =
  'export one with "Save all as HAR" of a browser, recordHar of Playwright, or hardump of mitmproxy';

/** Other file types by their first bytes, and what to do. */
const OTHER_FILES: readonly (readonly [begin: RegExp, what: string])[] = [
  [/^PK/, 'it is a zip archive: unpack it, and give the .har in it, with the files beside it as they are'],
  [
    /^\d+:\d+:/,
    'it is a flow file of mitmproxy: mitmdump -nr FILE --set hardump=traffic.har makes a HAR of it',
  ],
  [/^(?:\xff\xfe|\xfe\xff)/, 'it is UTF-16: save it as UTF-8, which JSON is'],
  [/^\s*</, `it is HTML or XML, no JSON: ${EXPORT_IT}`],
];

/** The bytes of a HAR, decompressed if they are gzip or deflate (`.zhar` of mitmproxy), without a byte order mark. */
export async function* openSource(
  source: string | AsyncIterable<Uint8Array | string>,
  name: string,
): AsyncIterable<Buffer> {
  let isFirst = true;
  for await (const chunk of unpacked(chunksOf(source), name)) {
    if (!isFirst) {
      yield chunk;
      continue;
    }
    isFirst = false;
    const start = chunk.subarray(0, 64).toString('latin1');
    const isMarked = start.startsWith('\xef\xbb\xbf');
    const text = isMarked ? start.slice(3) : start;
    const other = OTHER_FILES.find(([begin]) => begin.test(text));
    if (other) throw new HarError(`${name} is no HAR: ${other[1]}`);
    if (/^\s*[^\s{]/.test(text))
      throw new HarError(`${name} is no HAR, which is a JSON object: ${EXPORT_IT}`);
    yield isMarked ? chunk.subarray(3) : chunk;
  }
  if (isFirst) throw new HarError(`${name} is no HAR: it is empty; ${EXPORT_IT}`);
}

/** The error for a JSON object without `log.entries`. */
export function noEntries(name: string): HarError {
  return new HarError(`${name} is no HAR: it has no list of entries at log.entries; ${EXPORT_IT}`);
}

function chunksOf(source: string | AsyncIterable<Uint8Array | string>): AsyncIterable<Uint8Array | string> {
  return typeof source === 'string' ? createReadStream(source, { highWaterMark: CHUNK_BYTES }) : source;
}

async function* unpacked(source: AsyncIterable<Uint8Array | string>, name: string): AsyncIterable<Buffer> {
  try {
    const chunks = buffersOf(source);
    const { value: first } = await chunks.next();
    if (!first) return;
    const all = (async function* () {
      yield first;
      yield* chunks;
    })();
    yield* isPacked(first) ? pipeline(all, createUnzip({ chunkSize: CHUNK_BYTES }), () => {}) : all;
  } catch (error) {
    if (error instanceof HarError) throw error;
    throw new HarError(`${name} cannot be read: ${(error as Error).message}`);
  }
}

/** gzip (RFC 1952) or zlib (RFC 1950); JSON starts with neither. */
function isPacked([first, second]: Buffer): boolean {
  return (first === 0x1f && second === 0x8b) || (first === 0x78 && (0x7800 + (second ?? 0)) % 31 === 0);
}

/** Without empty chunks. */
async function* buffersOf(source: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of source)
    if (chunk.length > 0)
      yield typeof chunk === 'string'
        ? Buffer.from(chunk)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
