import { isInteger, isNumber } from './exact-json.ts';

/** The types of JSON Schema (2020-12 validation §6.1.1); an integer of any size is an `integer`. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

const CHECKS: Readonly<Record<JsonType, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  integer: isInteger,
  number: isNumber,
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  object: isRecord,
};

export const JSON_TYPES = Object.keys(CHECKS) as readonly JsonType[];

export function hasType(value: unknown, type: JsonType): boolean {
  return CHECKS[type](value);
}

/** A JSON object. */
export type Data = Readonly<Record<string, unknown>>;

/** True for a JSON object: neither `null` nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entry of a table for a name from a document or client; inherited names such as `constructor` have none. */
export function ownEntry<Entry>(table: Readonly<Record<string, Entry>>, name: unknown): Entry | undefined {
  const key = String(name);
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/**
 * An empty object without a prototype, for names from a document or client such as `__proto__`. V8 stores the result of
 * `Object.create(null)` as a hash table, which takes longer than reading a whole request.
 */
export function createTable<Entry>(): Record<string, Entry> {
  return new (Table as unknown as new () => Record<string, Entry>)();
}

function Table(): void {}
Table.prototype = Object.freeze(Object.create(null));

/** Sets a member of any name; an assignment to `__proto__` would set the prototype. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * Instance equality of JSON Schema (2020-12 core §4.2.2) for values from `parseJson`: objects without order, integers
 * exactly, and fractions beyond 2^53 as rounded.
 */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left === 'bigint') return isRounded(right) && right === Number(left);
  if (typeof right === 'bigint') return isRounded(left) && left === Number(right);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const others = right as Record<string, unknown>;
  const members = Object.entries(left);
  return (
    members.length === Object.keys(right).length &&
    members.every(([key, value]) => Object.hasOwn(right, key) && isEqual(value, others[key]))
  );
}

const isRounded = (value: unknown) => isNumber(value) && !isInteger(value);

/** A set of values by {@link isEqual}, with constant lookup time. */
export class EqualValues {
  readonly #alike = new Map<unknown, unknown[]>();

  constructor(values: Iterable<unknown> = []) {
    for (const value of values) this.add(value);
  }

  /** @returns whether it is new */
  add(value: unknown): boolean {
    const key = likeness(value);
    const alike = this.#alike.get(key);
    if (!alike) this.#alike.set(key, [value]);
    else if (alike.some((one) => isEqual(one, value))) return false;
    else alike.push(value);
    return true;
  }

  has(value: unknown): boolean {
    return this.#alike.get(likeness(value))?.some((one) => isEqual(one, value)) ?? false;
  }
}

/** A key that equal values share, and few others. */
function likeness(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  return JSON.stringify(value, (_, member) => {
    if (typeof member === 'bigint') return Number(member);
    if (!isRecord(member)) return member;
    return Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1));
  });
}

/** The JSON Pointer (RFC 6901) of a path of member names and array indices. */
export function toPointer(path: readonly string[]): string {
  return path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The path of a JSON Pointer (RFC 6901 §4). */
export function pointerTokens(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeToken);
}

/** A path for messages: `[0].name`; `items[].pages`, where `[]` stands for any item. */
export function pathText(path: readonly string[]): string {
  return path.reduce((text, step) => {
    if (/^\d+$/.test(step)) return `${text}[${step}]`;
    return text === '' || step.startsWith('[') ? text + step : `${text}.${step}`;
  }, '');
}

/** A JSON Pointer for messages: `[0].name`, or `whole` for the empty one. */
export function pointerText(pointer: string, whole = 'the body'): string {
  return pathText(pointerTokens(pointer)) || whole;
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The pointer of a path as a URI fragment, percent-encoded (RFC 6901 §6), without its `#`. */
export function toFragment(path: readonly string[]): string {
  return toPointer(path).split('/').map(encodeURIComponent).join('/');
}

/** The path of a pointer in a URI fragment, percent-encoded (RFC 6901 §6); undefined if it is no pointer. */
export function parseFragment(fragment: string): string[] | undefined {
  if (fragment !== '' && !fragment.startsWith('/')) return undefined;
  try {
    return fragment.split('/').slice(1).map(decodeURIComponent).map(unescapeToken);
  } catch {
    return undefined;
  }
}

/** Whether a pointer equals another one or leads further down from it. */
export function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** The JSONPath (RFC 9535) of a single location: `$.paths['/pets'].get`. */
export function jsonPath(path: readonly string[], root: unknown): string {
  let here: unknown = root;
  let text = '$';
  for (const step of path) {
    const isItem = Array.isArray(here);
    text += isItem ? `[${step}]` : /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${quoted(step)}]`;
    here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[step] : undefined;
  }
  return text;
}

/** A string literal of JSONPath. */
export function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
