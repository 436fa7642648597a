import { describeValue, rawChildren, type Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { nearest } from '../nearest.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The part of a document that a text names; `page`: a member or a header of a response. */
export type Named =
  | ('collection' | 'record' | 'body' | 'response' | 'page')
  | ('query' | 'path' | 'header' | 'status');

/** Receives the errors in a value, its oddities (warnings), and the names in it. */
export interface Reader {
  wrong(spot: Spot, message: string): void;
  odd(spot: Spot, message: string): void;
  name(kind: Named, name: string, spot: Spot): void;
}

/** A reader that ignores everything; callers override what they need. */
export const nameless: Reader = { wrong: () => {}, odd: () => {}, name: () => {} };

/** The form of a key's value: one description from which the reader, the JSON Schema, the documentation and the type follow. */
export interface Form<Value> {
  readonly schema: object;
  /** As error messages and documentation call it: `a member`. */
  readonly shown: string;
  read(spot: Spot, reader: Reader): void;
  /** The keys of an object; of a list or a map, those of each value. */
  readonly keys?: Keys;
  /** Only for the type system; never set. */
  readonly value?: Value;
}

/** A key with its form and one line of help. */
export type Key<Value = unknown> = readonly [form: Form<Value>, help: string];
export type Keys = Readonly<Record<string, Key>>;

export type ValueOf<Of> = Of extends Form<infer Value> ? Value : never;
export type ValuesOf<Of extends Keys> = { readonly [Name in keyof Of]?: ValueOf<Of[Name][0]> };

/** A form whose values satisfy a predicate; `readInner` then reads what they contain. */
function form<Value>(
  shown: string,
  schema: object,
  fits: (value: unknown) => boolean,
  readInner: (spot: Spot, reader: Reader) => void = () => {},
): Form<Value> {
  return {
    schema,
    shown,
    read: (spot, reader) =>
      fits(spot.value)
        ? readInner(spot, reader)
        : reader.wrong(spot, `must be ${shown}, not ${describeValue(spot.value)}`),
  };
}

const anyOf = (shown: string, words: readonly unknown[]) =>
  [...(shown ? [shown] : []), ...words.map((word) => `\`${word}\``)].join(', ');

export const flag = form<boolean>('`true`', { type: 'boolean' }, (value) => typeof value === 'boolean');

export const milliseconds = form<number>(
  'milliseconds',
  { type: 'integer', minimum: 0 },
  (value) => Number.isInteger(value) && Number(value) >= 0,
);

export const choice = <const Value extends Json>(...of: readonly Value[]): Form<Value> =>
  form(anyOf('', of), { enum: of }, (value) => of.includes(value as Value));

const isUnknownWord = (name: string, words: readonly string[]) =>
  name.startsWith('$') && words.length > 0 && !words.includes(name);

/**
 * A name of a part of the document, or one of these words.
 * @param kind undefined: nothing that the document has
 */
export function text<const Word extends string = never>(
  shown: string,
  kind?: Named,
  ...words: readonly Word[]
): Form<string | Word> {
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  return form(anyOf(shown, words), { type: 'string', minLength: 1 }, isText, (spot, reader) => {
    const name = String(spot.value);
    if (isUnknownWord(name, words))
      reader.wrong(spot, `cannot be ${describeValue(name)}; ${didYouMean(name, words)}`);
    else if (kind && !words.some((word) => word === name)) reader.name(kind, name, spot);
  });
}

/** Any value; a text may also be one of these words, or a path parameter in braces. */
export const json = (...words: readonly string[]): Form<Json> =>
  form(
    anyOf('a value', words),
    {},
    () => true,
    (spot, reader) => {
      const name = typeof spot.value === 'string' ? spot.value : '';
      const [, parameter] = /^\{(.+)\}$/.exec(name) ?? [];
      if (parameter !== undefined) reader.name('path', parameter, spot);
      else if (words.length > 0 && /\{[^{}]+\}/.test(name))
        reader.odd(
          spot,
          `${describeValue(name)} is taken as a text; a parameter stands alone, and query parameters alone can be bounds`,
        );
      else if (isUnknownWord(name, words))
        reader.odd(spot, `${describeValue(name)} is no word; ${didYouMean(name, words)}`);
    },
  );

export const list = <Value>(of: Form<Value>): Form<readonly Value[]> => ({
  ...form('a list', { type: 'array', items: of.schema }, Array.isArray, (spot, reader) => {
    for (const [, one] of rawChildren(spot)) of.read(one, reader);
  }),
  shown: `[${of.shown}]`,
  ...withKeys(of.keys),
});

/** @param kind of what the names stand for; undefined: nothing that the document has */
export const map = <Value>(
  kind: Named | undefined,
  of: Form<Value>,
): Form<Readonly<Record<string, Value>>> => ({
  ...form('an object', { type: 'object', additionalProperties: of.schema }, isRecord, (spot, reader) => {
    for (const [name, one] of rawChildren(spot)) {
      if (kind) reader.name(kind, name, one);
      of.read(one, reader);
    }
  }),
  shown: of.shown,
  ...withKeys(of.keys),
});

const withKeys = (keys: Keys | undefined) => (keys ? { keys } : {});

/** @param needed the keys that it must have */
export const object = <Of extends Keys, Needed extends keyof Of & string = never>(
  keys: Of,
  ...needed: readonly Needed[]
): Form<ValuesOf<Of> & { readonly [Name in Needed]: ValueOf<Of[Name][0]> }> => {
  const properties = Object.fromEntries(
    Object.entries(keys).map(([name, [{ schema }, description]]) => [name, { ...schema, description }]),
  );
  const schema = { type: 'object', additionalProperties: false, properties };
  const read = (spot: Spot, reader: Reader) => {
    const missing = needed.find((name) => !Object.hasOwn(spot.value as object, name));
    if (missing !== undefined) reader.wrong(spot, `must have "${missing}"`);
    for (const [name, one] of rawChildren(spot)) {
      const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
      if (key) key[0].read(one, reader);
      else reader.wrong(one, `is no key there; ${didYouMean(name, Object.keys(keys))}`);
    }
  };
  return {
    ...form('an object', needed.length > 0 ? { ...schema, required: needed } : schema, isRecord, read),
    keys,
    shown: `\`{ ${Object.keys(keys).join(', ')} }\``,
  };
};

/** The first of these forms that fits; if none does, the one whose only errors are in nested values. */
export function either<Of extends readonly Form<unknown>[]>(...forms: Of): Form<ValueOf<Of[number]>> {
  const wrongIn = (spot: Spot, one: Form<unknown>) => {
    const errors: Spot[] = [];
    one.read(spot, { ...nameless, wrong: (at) => errors.push(at) });
    return errors;
  };
  const formOf = (spot: Spot) =>
    forms.find((one) => wrongIn(spot, one).length === 0) ??
    forms.find((one) => wrongIn(spot, one).every(({ path }) => path.length > spot.path.length));
  const shown = forms.map((one) => one.shown).join(', ');
  const schema = { anyOf: forms.map((one) => one.schema) };
  return {
    shown,
    schema,
    ...withKeys(
      forms.some((one) => one.keys) ? Object.assign({}, ...forms.map((one) => one.keys)) : undefined,
    ),
    read: (spot, reader) => (formOf(spot) ?? form(shown, schema, () => false)).read(spot, reader),
  };
}

/** A suggestion for a misspelt name: the nearest one, else the names to choose from. */
export function didYouMean(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  if (meant) return `did you mean ${describeValue(meant)}?`;
  if (names.length < 2) return names.length === 0 ? 'there is none' : `there is only ${names[0]}`;
  const others = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} others` : '';
  return `there are ${names.slice(0, MOST_NAMED).join(', ')}${others}`;
}

/** How many names a suggestion lists: an operation may have hundreds of parameters. */
const MOST_NAMED = 20;
