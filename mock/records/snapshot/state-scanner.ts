/** A position in a file; lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What a state in JSON holds, in the order of the file. */
export interface StateHandlers {
  /** The list of records at a path begins. */
  list(path: string, position: Position): void;
  /** A record of the last list, as JSON text. */
  record(text: string, position: Position): void;
  /** Another member of the state, as JSON text. */
  member(name: string, text: string, position: Position): void;
}

export interface StateScanner {
  /** @throws ScanError where the text is no state in JSON. */
  write(chunk: string): void;
  end(): void;
}

export class ScanError extends Error {
  readonly position: Position;

  constructor(message: string, position: Position) {
    super(message);
    this.position = position;
  }
}

/**
 * Finds the records in the text of a state without ever holding more than one of them: files may be longer than
 * strings can be. Nothing within a record is checked; whoever parses it does that.
 */
export function createStateScanner(handlers: StateHandlers): StateScanner {
  const scan = scanState(handlers);
  scan.next();
  return { write: (chunk) => void scan.next(chunk), end: () => void scan.next(undefined) };
}

/** Pauses for each next chunk; undefined: the file has ended. */
type Scan<T> = Generator<undefined, T, string | undefined>;

function* scanState({ list, record, member }: StateHandlers): Scan<void> {
  /** What has not been passed yet. */
  let text = '';
  let position: Position = { line: 1, column: 1 };

  function fail(): never {
    throw new ScanError('this is no JSON of a state: {"records": {"/things": [...]}}', position);
  }

  function pass(length: number): string {
    const passed = text.slice(0, length);
    const lines = passed.split('\n');
    const column = (lines.length > 1 ? 1 : position.column) + (lines.at(-1) as string).length;
    position = { line: position.line + lines.length - 1, column };
    text = text.slice(length);
    return passed;
  }

  /** False: there is none. */
  function* readChunk(): Scan<boolean> {
    const chunk = yield;
    text += chunk ?? '';
    return chunk !== undefined;
  }

  /** The next character that is no white space; undefined at the end of the file. */
  function* peek(): Scan<string | undefined> {
    do {
      pass(text.length - text.trimStart().length);
    } while (text === '' && (yield* readChunk()));
    return text[0];
  }

  function* take(expected: string): Scan<void> {
    if ((yield* peek()) !== expected) fail();
    pass(1);
  }

  /** The text of the next value: up to the bracket or quote that closes it, else up to a comma, bracket or space. */
  function* value(): Scan<string> {
    if (',:]}'.includes((yield* peek()) ?? ',')) fail();
    let depth = 0;
    let isString = false;
    for (let end = 0; ; end++) {
      while (end >= text.length) {
        if (yield* readChunk()) continue;
        pass(text.length);
        fail();
      }
      const sign = text[end] as string;
      if (isString) {
        if (sign === '\\') end++;
        else if (sign === '"') isString = false;
        if (!isString && depth === 0) return pass(end + 1);
      } else if (sign === '"') {
        isString = true;
      } else if (sign === '{' || sign === '[') {
        depth++;
      } else if (sign === '}' || sign === ']') {
        if (depth === 0) return pass(end);
        if (--depth === 0) return pass(end + 1);
      } else if (depth === 0 && (sign === ',' || /\s/.test(sign))) {
        return pass(end);
      }
    }
  }

  function* items(open: string, close: string, readItem: () => Scan<void>): Scan<void> {
    yield* take(open);
    if ((yield* peek()) !== close) {
      yield* readItem();
      while ((yield* peek()) !== close) {
        yield* take(',');
        yield* readItem();
      }
    }
    pass(1);
  }

  function* members(readMember: (name: string) => Scan<void>): Scan<void> {
    yield* items('{', '}', function* () {
      if ((yield* peek()) !== '"') fail();
      const name = parseName(yield* value());
      yield* take(':');
      yield* readMember(name);
    });
  }

  function parseName(json: string): string {
    try {
      return JSON.parse(json);
    } catch {
      return fail();
    }
  }

  function* readList(path: string): Scan<void> {
    if ((yield* peek()) === '[') list(path, position);
    yield* items('[', ']', function* () {
      yield* peek();
      const begin = position;
      record(yield* value(), begin);
    });
  }

  yield* members(function* (name) {
    const first = yield* peek();
    if (name === 'records' && first === '{') return yield* members(readList);
    const begin = position;
    member(name, yield* value(), begin);
  });
  if ((yield* peek()) !== undefined) fail();
}
