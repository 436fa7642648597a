import { pointerTo } from './member-value.ts';

/** A place in a text; both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

type Read =
  | { readonly error: Place & { readonly message: string } }
  | {
      /** Where the value at a JSON Pointer begins; of one that is not there, where its parent does. */ readonly placeOf: (
        pointer: string,
      ) => Place;
    };

/** The syntax error of a JSON text. Undefined: it is valid. */
export function slipText(text: string): string | undefined {
  const read = readPlaces(text);
  if (!('error' in read)) return undefined;
  const { line, column, message } = read.error;
  const place = text.includes('\n') ? `line ${line}, column ${column}` : `column ${column}`;
  return `Invalid JSON at ${place}: ${message}`;
}

class Slip extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

/** Reads JSON with the places of values: browsers name syntax errors, but not always their place. */
export function readPlaces(text: string): Read {
  const places = new Map<string, number>();
  let at = 0;
  const placeAt = (offset: number): Place => {
    const lines = text.slice(0, offset).split('\n');
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  };

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const token = pattern.exec(text)?.[0];
    if (token !== undefined) at += token.length;
    return token;
  };
  const skip = () => void take(SPACE);
  const isNext = (character: string) => {
    skip();
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  const seen = () => (at >= text.length ? 'the end' : JSON.stringify(text[at]));
  const fail = (wanted: string): never => {
    skip();
    throw new Slip(at, `expected ${wanted}, not ${seen()}`);
  };

  function value(pointer: string): void {
    skip();
    places.set(pointer, at);
    if (text[at] === '{') members(pointer);
    else if (text[at] === '[') items(pointer);
    else if (text[at] === '"') string('a text');
    else if (take(WORD) === undefined && take(NUMBER) === undefined) fail('a value');
  }

  function string(what: string): string {
    skip();
    const start = at;
    const token = take(STRING);
    if (token !== undefined) return JSON.parse(token) as string;
    if (text[start] !== '"') return fail(what);
    throw new Slip(start, 'this text has no end, or a character that must be escaped');
  }

  function members(pointer: string): void {
    at++;
    if (isNext('}')) return;
    do {
      const name = string('a name in double quotes');
      if (!isNext(':')) fail('a colon');
      value(pointerTo(pointer, name));
    } while (isNext(','));
    if (!isNext('}')) fail('a comma or }');
  }

  function items(pointer: string): void {
    at++;
    if (isNext(']')) return;
    let index = 0;
    do value(`${pointer}/${index++}`);
    while (isNext(','));
    if (!isNext(']')) fail('a comma or ]');
  }

  try {
    value('');
    skip();
    if (at < text.length) fail('the end');
  } catch (error) {
    if (!(error instanceof Slip)) throw error;
    return { error: { ...placeAt(error.at), message: error.message } };
  }
  return {
    placeOf(pointer) {
      let ancestor = pointer;
      while (ancestor !== '' && !places.has(ancestor))
        ancestor = ancestor.slice(0, ancestor.lastIndexOf('/'));
      return placeAt(places.get(ancestor) ?? 0);
    },
  };
}
