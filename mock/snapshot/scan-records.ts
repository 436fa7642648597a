/** Where something begins in a file; lines and columns count from 1. */
export interface At {
  readonly line: number;
  readonly column: number;
}

/** What a state in JSON holds, piece by piece as it comes. */
export interface Pieces {
  /** The list at a path begins. */
  list(path: string, at: At): void;
  /** A record of the last list, as JSON text. */
  record(text: string, at: At): void;
  /** Another member of the state, as JSON text. */
  member(name: string, text: string, at: At): void;
}

export interface Scanner {
  /** @throws ScanError where the text is no state in JSON. */
  write(chunk: string): void;
  end(): void;
}

export class ScanError extends Error {
  readonly at: At;

  constructor(message: string, at: At) {
    super(message);
    this.at = at;
  }
}

/** How deep the scanner stands: before the state, in it, in its records by path, in a list. */
type Level = 'start' | 'state' | 'records' | 'list' | 'end';
type Awaits = 'key' | 'first key' | 'colon' | 'value' | 'first value' | 'comma';

const SPACE = /\s/;

/**
 * Finds the records in the text of a state without ever holding more than one of them: files may be longer than
 * texts can be. Within a record nothing is judged; whoever parses it will.
 */
export function createScanner(pieces: Pieces): Scanner {
  let text = '';
  let level: Level = 'start';
  let awaits: Awaits = 'value';
  let key = '';
  let line = 1;
  let column = 1;
  // A value that is being passed over, from where it begins in the text.
  let start = -1;
  let begun: At = { line, column };
  let depth = 0;
  let isText = false;
  let isEscaped = false;

  function fail(): never {
    throw new ScanError('this is no JSON of a state: {"records": {"/things": [...]}}', { line, column });
  }

  function keyOf(value: string): string {
    try {
      return JSON.parse(value);
    } catch {
      return fail();
    }
  }

  function finish(value: string): void {
    if (awaits === 'key' || awaits === 'first key') {
      key = keyOf(value);
      awaits = 'colon';
      return;
    }
    awaits = 'comma';
    if (level === 'list') pieces.record(value, begun);
    else pieces.member(key, value, begun);
  }

  /** Within a value. Gives where it ends, or -1. */
  function passOver(sign: string, at: number): number {
    if (isText) {
      if (isEscaped) isEscaped = false;
      else if (sign === '\\') isEscaped = true;
      else if (sign === '"') {
        isText = false;
        if (depth === 0) return at + 1;
      }
      return -1;
    }
    if (sign === '"') isText = true;
    else if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') {
      // It closes what the value stands in.
      if (depth === 0) return at;
      depth--;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (sign === ',' || SPACE.test(sign))) return at;
    return -1;
  }

  function begin(sign: string, at: number): void {
    start = at;
    begun = { line, column };
    depth = sign === '{' || sign === '[' ? 1 : 0;
    isText = sign === '"';
  }

  function enter(next: Level, first: Awaits): void {
    level = next;
    awaits = first;
  }

  /** Between values. */
  function step(sign: string, at: number): void {
    if (SPACE.test(sign)) return;
    if (level === 'start' ? sign !== '{' : level === 'end') fail();
    if (level === 'start') {
      enter('state', 'first key');
    } else if (awaits === 'colon') {
      if (sign !== ':') fail();
      awaits = 'value';
    } else if (awaits === 'comma' && sign === ',') {
      awaits = level === 'list' ? 'value' : 'key';
    } else if (sign === ']' && level === 'list' && (awaits === 'comma' || awaits === 'first value')) {
      enter('records', 'comma');
    } else if (sign === '}' && level !== 'list' && (awaits === 'comma' || awaits === 'first key')) {
      enter(level === 'records' ? 'state' : 'end', 'comma');
    } else if (awaits === 'key' || awaits === 'first key') {
      if (sign !== '"') fail();
      begin(sign, at);
    } else if (awaits === 'comma') {
      fail();
    } else if (level === 'state' && key === 'records' && sign === '{') {
      enter('records', 'first key');
    } else if (level === 'records') {
      if (sign !== '[') fail();
      pieces.list(key, { line, column });
      enter('list', 'first value');
    } else {
      if (',:]}'.includes(sign)) fail();
      begin(sign, at);
    }
  }

  return {
    write(chunk) {
      const from = start < 0 ? 0 : text.length;
      text = start < 0 ? chunk : text + chunk;
      for (let at = from; at < text.length; at++) {
        const sign = text[at] as string;
        const end = start < 0 ? -1 : passOver(sign, at);
        if (end >= 0) {
          const value = text.slice(start, end);
          start = -1;
          finish(value);
        }
        // A value that ended before this sign leaves the sign to be read.
        if (start < 0 && end !== at + 1) step(sign, at);
        if (sign === '\n') {
          line++;
          column = 1;
        } else column++;
      }
      // What is done with is let go of, and with it the chunk that it came in.
      text = start < 0 ? '' : text.slice(start);
      if (start > 0) start = 0;
    },
    end() {
      if (level !== 'end' || start >= 0) fail();
    },
  };
}
