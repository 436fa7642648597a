/** An element of `log.entries`, as bytes. */
export interface ScannedEntry {
  /** Counted from 1. */
  readonly index: number;
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** JSON, if the file is in order; undefined: it is larger than the limit. */
  readonly bytes: Buffer | undefined;
  /** The file ends within it. */
  readonly isCut: boolean;
}

export interface EntryScanner {
  /** The entries that end within this chunk. */
  write(chunk: Buffer): Iterable<ScannedEntry>;
  /** The entry in which the file ends. */
  end(): Iterable<ScannedEntry>;
  /** Whether there was a list at `log.entries`. */
  readonly found: boolean;
  /** Whether all brackets and strings are closed. */
  readonly isComplete: boolean;
  /** The line that was read last, from 1. */
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
/** In bytes. The two names that count are shorter. */
const LONGEST_NAME = 16;

/**
 * Finds the elements of `log.entries` by brackets and strings alone, and never holds more than one of them: what is
 * longer than `limit` bytes is passed, and what is broken within one says who parses it. So one broken entry does not
 * hide those behind it.
 */
export function createEntryScanner(limit: number): EntryScanner {
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  let line = 1;
  let found = false;
  let inEntries = false;
  let index = 0;
  /** The last string outside of the entries, which is a name once a colon follows. */
  let text = '';
  /** The names on the way to the current depth. */
  let names: (string | undefined)[] = [];
  let entry: { readonly line: number; pieces: Buffer[]; size: number } | undefined;

  function keep(piece: Buffer): void {
    if (!entry) return;
    entry.size += piece.length;
    if (entry.size > limit) entry.pieces = [];
    // A copy: the chunk belongs to its stream.
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
      found = true;
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
    get found() {
      return found;
    },
    get isComplete() {
      return depth === 0 && !isString;
    },
    get line() {
      return line;
    },
  };
}
