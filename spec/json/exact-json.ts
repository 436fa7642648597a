/**
 * JSON with exact integers (RFC 8259 §6 leaves precision to the implementation). An integer that a double holds safely
 * is a `number`, any other a `bigint`, so equal integers are `===`. A fraction is the double that every JSON reader
 * rounds it to, so a `number` beyond 2^53 was a fraction. A number that would take seconds to read, such as `1e999999`,
 * is rejected.
 */

import { inBrief } from './in-brief.ts';

/** Fast path: without a run of 16 digits, a fraction, an exponent or `-0`, a double holds every number exactly. */
const NEEDS_CARE = /\d{16}|\d[.eE]|(?:^|[\s:,[])-0/;

/** The value of a JSON text, parsed by {@link parseJson}; undefined if it is not JSON. */
export function tryJson(text: string | Uint8Array): unknown {
  try {
    return parseJson(
      typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text),
    );
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON with exact integers.
 * @throws SyntaxError if the text is not JSON, nested more than 512 levels deep, or has a number that is too large
 */
export function parseJson(text: string): unknown {
  if (text.length > 2 * MAX_DEPTH && mayBeTooDeep(text) && isTooDeep(text))
    throw new SyntaxError('nested too deeply');
  if (!NEEDS_CARE.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, context?: { source?: string }) => {
    if (typeof value !== 'number' || context?.source === undefined) return value;
    const number = exactNumber(context.source);
    if (number === undefined)
      throw new SyntaxError(`the number ${inBrief(context.source, 30)} is too large to be read`);
    return number;
  });
}

/** The place of a syntax error: `column 15`, or `line 3, column 2`. Undefined if the engine does not report it. */
export function placeOfSlip(text: string, { message }: Error): string | undefined {
  const offset = offsetOfSlip(text, message);
  if (offset === undefined) return undefined;
  const lines = text.slice(0, offset).split('\n');
  const column = `column ${(lines.at(-1)?.length ?? 0) + 1}`;
  return text.trimEnd().includes('\n') ? `line ${lines.length}, ${column}` : column;
}

/** V8 reports no position for an unexpected end or token; it is found as the shortest start of the text with that error. */
function offsetOfSlip(text: string, message: string): number | undefined {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  if (message.startsWith('Unexpected end')) return text.length;
  if (!message.startsWith('Unexpected token')) return undefined;
  let [from, to] = [0, text.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (hasBadToken(text.slice(0, middle + 1))) to = middle;
    else from = middle + 1;
  }
  return from;
}

function hasBadToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as Error).message.startsWith('Unexpected token');
  }
}

/** Deeper values would exhaust the stack of recursive code: validators, JSON.stringify, revivers. */
const MAX_DEPTH = 512;

/** Whether there are enough brackets at all; engines count them much faster than a scan. */
function mayBeTooDeep(text: string): boolean {
  let count = 0;
  for (const sign of '[{')
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1))
      if (++count > MAX_DEPTH) return true;
  return false;
}

/** Brackets in strings do not count. Unbalanced quotes end the scan early, and the parser reports them. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at += 1;
      for (
        let inside = text.charCodeAt(at);
        inside !== QUOTE && at < text.length;
        inside = text.charCodeAt(++at)
      )
        if (inside === BACKSLASH) at += 1;
    } else if (code === OPEN_LIST || code === OPEN_RECORD) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_RECORD) depth -= 1;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = Array.from('"\\[]{}', (sign) =>
  sign.charCodeAt(0),
);

/** The JSON text of a value from `parseJson`, with all digits of a bigint; compact without `indent` (in spaces). */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // JSON.stringify throws for a bigint, which is rare; a replacer is slow.
    return JSON.stringify(value, rawBigint, indent);
  }
}

function rawBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(value.toString()) : value;
}

/** TC39 "JSON.parse source text access", in V8 since Node 21; not yet in TypeScript's libraries. */
const rawJSON = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Fast path: a double holds 15 digits exactly; `-0` plus 0 is 0. */
const SHORT_INTEGER = /^-?\d{1,15}$/;

/** Integers with a larger exponent would take too much memory. */
const MAX_EXPONENT = 400;

/** Parsing an integer takes time that grows with the square of its digits. */
const MAX_LENGTH = 20_000;

/**
 * The value of a JSON number's text; undefined for any other text, and for a number that is too large: an integer of more
 * than 20,000 characters or with an exponent above 400.
 */
export function exactNumber(source: string): number | bigint | undefined {
  if (SHORT_INTEGER.test(source)) return Number(source) + 0;
  const match = NUMBER.exec(source);
  if (!match) return undefined;
  const double = Number(source) + 0;
  if (source.length > MAX_LENGTH) return Number.isFinite(double) ? double : undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = withoutZerosAtEnd(whole + fraction);
  const power = Number(exponent) - fraction.length + (whole.length + fraction.length - digits.length);
  if (Number.isSafeInteger(double) || (power < 0 && Number.isFinite(double))) return double;
  if (power > MAX_EXPONENT) return undefined;
  return BigInt(sign + (power < 0 ? digits.slice(0, power) : digits + '0'.repeat(power)));
}

/** A finite double as {@link parseJson} would return its text: beyond 2^53 an integer. */
export function canonicalNumber(double: number): number | bigint {
  return Number.isSafeInteger(double) ? double : (exactNumber(String(double)) ?? double);
}

/** A regular expression would take quadratic time. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}

/** An integer in the form that {@link parseJson} returns: a number if it is safe, else a bigint. */
export function canonicalInteger(value: bigint): number | bigint {
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
}

/** True for a bigint, and a number without fraction; one beyond 2^53 was a fraction in its text. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** True for a bigint, and a finite number. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isFinite(value);
}
