import { exactNumber, parseJson } from './json/exact-json.ts';
import type { JsonType } from './json/json-value.ts';
import type { Parameter } from './parameter.ts';
import {
  hasNamedItems,
  isCompound,
  isExploded,
  isExplodedRecord,
  listForm,
  namedSeparators,
  percentDecode,
  prefixOf,
  recordForm,
  separatorsOf,
  splitPair,
} from './parameter-style.ts';
import { roughlyFits } from './schema/roughly-fits.ts';
import { formsOf, type Shape } from './schema/shape.ts';

/**
 * Decodes the value of a parameter from its texts as sent, one for each repetition of its name. They are split at
 * separators before they are percent-decoded. Text that is not a number where the schema requires one stays text, which
 * then violates the schema. Integers are as in JSON: no sign `+`, no leading zero, no exponent. Inverse of
 * `encodeParameter`.
 */
export function decodeParameter(parameter: Parameter, texts: readonly string[]): unknown {
  return compileDecoder(parameter)(texts);
}

/** Compiles {@link decodeParameter}. Fast path: most parameters are primitive, with a single text and no prefix. */
export function compileDecoder(parameter: Parameter): (texts: readonly string[]) => unknown {
  const { shape, style } = parameter;
  const open = parameter.in === 'header' ? trim : percentDecode;
  if (style === 'json') return ([text = '']) => decodeJson(open(text));
  if (isCompound(parameter)) return (texts) => decodeCompound(parameter, texts, open);
  if (prefixOf(parameter) === '') return ([text = '']) => decodeText(open(text), shape);
  return ([text = '']) => decodeText(open(bodyOf(parameter, text)), shape);
}

type Open = (text: string) => string;

function decodeCompound(parameter: Parameter, texts: readonly string[], open: Open): unknown {
  const { shape, style } = parameter;
  const [list, record] = [listForm(shape), recordForm(shape)];
  const isDeep = style === 'deepObject' && texts.every((text) => text.startsWith('['));
  if (record && isDeep) return decodeDeepObject(shape, texts, decodeText);
  if (isExplodedRecord(parameter) && style !== 'deepObject') return decodeMembers(parameter, texts, open);
  const tokens = isExploded(parameter) ? texts : tokensOf(parameter, texts.join());
  if (tokens.length <= 1) {
    const value = decodeText(
      open(isExploded(parameter) ? (tokens[0] ?? '') : bodyOf(parameter, texts.join())),
      shape,
    );
    const isScalar = typeof value !== 'object';
    if (isScalar && formsOf(shape).some((form) => form.types && form.allows(value))) return value;
  }
  if (list) return tokens.map((token) => decodeItem(parameter, list.items, token, open));
  return decodeMembers(parameter, tokens, open);
}

function decodeItem(parameter: Parameter, form: Shape | undefined, token: string, open: Open): unknown {
  const separators = namedSeparators(form, parameter);
  if (!separators) return decodeText(open(token), form);
  return splitAt(token, separators).map((inner) => decodeItem(parameter, form?.items, inner, open));
}

function decodeMembers(parameter: Parameter, tokens: readonly string[], open: Open): Record<string, unknown> {
  const names = tokens.filter((_, index) => index % 2 === 0);
  const pairs = parameter.explode
    ? tokens.map(splitPair)
    : names.map((name, index) => [name, tokens[index * 2 + 1] ?? ''] as const);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, text] = pair.map(open) as [string, string];
      return [name, decodeText(text, memberForm(parameter.shape, name))];
    }),
  );
}

function tokensOf(parameter: Parameter, text: string): string[] {
  const tokens = splitAt(bodyOf(parameter, text), separatorsOf(parameter));
  return hasNamedItems(parameter) ? tokens.map((token) => splitPair(token)[1]) : tokens;
}

function splitAt(text: string, [first, ...others]: ReturnType<typeof separatorsOf>): string[] {
  if (text === '') return [];
  return others.reduce((all, other) => all.replaceAll(other, first), text).split(first);
}

/** The text without its prefix, whose characters clients may have encoded (RFC 3986 §2.2). */
function bodyOf(parameter: Parameter, text: string): string {
  const prefix = prefixOf(parameter);
  if (prefix === '' || text.startsWith(prefix)) return text.slice(prefix.length);
  const decoded = percentDecode(text);
  return decoded.startsWith(prefix) ? decoded.slice(prefix.length) : text;
}

/** RFC 9110 §5.6.1: spaces and tabs may surround each item of a header. */
function trim(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
}

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The value of a text by the types of its schema; the text itself if it fits none of them. */
export function decodeText(text: string, shape: Shape | undefined): unknown {
  const types = shape && typesOf(shape);
  if (!types) return shape?.values?.find((value) => String(value) === text) ?? text;
  const isNumeric = types.has('integer') && INTEGER.test(text);
  if (isNumeric || (types.has('number') && NUMBER.test(text))) {
    const number = exactNumber(text);
    return number === undefined || isTextRather(shape, text, number) ? text : number;
  }
  // The notation of objects inside a list is unspecified; most services use JSON.
  if (/^[{[]/.test(text) && !types.has('string')) return decodeJson(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return types.has('null') && text === 'null' && !types.has('string') ? null : text;
}

/** Whether digits are valid as text in an alternative, and in none as a number. */
function isTextRather(shape: Shape, text: string, number: number | bigint): boolean {
  if (shape.alternatives.length === 0) return false;
  const forms = formsOf(shape);
  const fits = (value: unknown) => forms.some((form) => roughlyFits(form, value));
  return !fits(number) && fits(text);
}

function typesOf(shape: Shape): ReadonlySet<JsonType> | undefined {
  if (shape.alternatives.length === 0) return shape.types;
  return new Set(shape.alternatives.flatMap((branch) => [...(typesOf(branch) ?? [])]));
}

/** The value of a JSON text; any other text stays, and then violates the schema. */
export function decodeJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

type DecodeText = (text: string, shape: Shape | undefined) => unknown;

interface Leaf {
  /** The names in brackets on the way to the leaf. */
  readonly path: readonly string[];
  readonly text: string;
}

/** Deeper brackets are part of the name. */
const MAX_DEPTH = 16;

/**
 * An object from the texts of a `deepObject` parameter: `[R]=100`. Where OpenAPI leaves the notation open, that of most
 * libraries: `[a][b]=1` for nested objects, and `[a]=1` repeated, `[a][]=1` or `[a][0]=1` for arrays.
 */
export function decodeDeepObject(shape: Shape, texts: readonly string[], decode: DecodeText): unknown {
  return byForm(shape, (form) => buildWhole(form, texts, decode));
}

/**
 * Decodes by the alternative of a schema that the value fits, or that enumerates one of its members; else by the whole
 * schema.
 */
export function byForm<Value>(shape: Shape, decode: (form: Shape) => Value): Value {
  if (shape.alternatives.length === 0) return decode(shape);
  const values = formsOf(shape).map((form) => [form, decode(form)] as const);
  const best =
    values.find(([form, value]) => roughlyFits(form, value)) ??
    values.find(([{ properties }, value]) =>
      Object.entries(value ?? {}).some(([name, member]) => properties.get(name)?.values?.includes(member)),
    );
  return best ? best[1] : decode(shape);
}

function buildWhole(shape: Shape, texts: readonly string[], decode: DecodeText): unknown {
  const leaves = texts.map((text): Leaf => {
    const [, names = '', rest = ''] = /^((?:\[[^\]]*\])*)=?(.*)$/s.exec(text) ?? [];
    const path = names.slice(1, -1).split('][');
    const deepest = path.slice(MAX_DEPTH - 1);
    return {
      path: [...path.slice(0, MAX_DEPTH - 1), ...(deepest.length > 0 ? [deepest.join('][')] : [])],
      text: rest,
    };
  });
  return build(shape, leaves, decode);
}

/** The leaves of each item of `[][a]=1&[][b]=2&[][a]=3`: a repeated name starts the next item. */
function itemsOf(leaves: readonly Leaf[]): Leaf[][] {
  const items: Leaf[][] = [];
  let names = new Set<string>();
  for (const leaf of leaves) {
    const { path } = leaf;
    const name = path.join('][');
    const isNext = path.length === 0 || (names.has(name) && !path.includes(''));
    if (isNext || items.length === 0) {
      items.push([]);
      names = new Set();
    }
    items.at(-1)?.push(leaf);
    names.add(name);
  }
  return items;
}

function build(shape: Shape | undefined, leaves: readonly Leaf[], decode: DecodeText): unknown {
  const list = shape && listForm(shape);
  const ownLeaves = leaves.filter(({ path }) => path.length === 0);
  if (ownLeaves.length > 0) {
    const values = ownLeaves.map(({ text }) => decode(percentDecode(text), list ? list.items : shape));
    return list || values.length > 1 ? values : values[0];
  }
  const below = Map.groupBy(leaves, ({ path }) => path[0] as string);
  const inside = (group: readonly Leaf[]) => group.map(({ path, text }) => ({ path: path.slice(1), text }));
  if (list && [...below.keys()].every((name) => /^\d*$/.test(name)))
    return [...below].flatMap(([name, group]) =>
      name === ''
        ? itemsOf(inside(group)).map((item) => build(list.items, item, decode))
        : [build(list.items, inside(group), decode)],
    );
  return Object.fromEntries(
    [...below].map(([name, group]) => [name, build(shape && memberForm(shape, name), inside(group), decode)]),
  );
}

/** The schema of a member by its name, also in an alternative; else that of additional members. */
function memberForm(shape: Shape, name: string): Shape | undefined {
  return namedForm(shape, name) ?? shape.additional;
}

function namedForm(shape: Shape, name: string): Shape | undefined {
  return (
    shape.properties.get(name) ??
    shape.alternatives.map((branch) => memberForm(branch, name)).find((form) => form !== undefined)
  );
}
