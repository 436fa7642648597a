import { decodeDeepObject } from './deep-object.ts';
import { exactNumber, parseJson } from './json/exact-json.ts';
import { hasType, type JsonType } from './json/json-type.ts';
import { memberForm } from './member-form.ts';
import type { Parameter } from './parameter.ts';
import {
  hasNamedItems,
  isCompound,
  isExploded,
  isExplodedRecord,
  listForm,
  prefixOf,
  recordForm,
  separatorsOf,
  splitPair,
} from './parameter-style.ts';
import { percentDecode } from './percent-coding.ts';
import type { Shape } from './schema/shape.ts';

/**
 * The value of a parameter from its texts as they were sent, one for each repetition of its name: they are split at
 * their separators before they are decoded. Text that is no number where the schema wants one stays text, which then
 * breaks the schema. Integers are as in JSON: no sign `+`, no leading zero, no exponent. Inverse of `encodeParameter`.
 */
export function decodeParameter(parameter: Parameter, texts: readonly string[]): unknown {
  return compileDecoder(parameter)(texts);
}

/** Compiles {@link decodeParameter}. Fast path: most parameters are primitive and have one text without prefix. */
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
    if (scalarTypes(shape).some((type) => hasType(value, type))) return value;
  }
  if (list) return tokens.map((token) => decodeText(open(token), list.items));
  return decodeMembers(parameter, tokens, open);
}

/** The types of the alternatives that are neither array nor object. */
function scalarTypes(shape: Shape): readonly JsonType[] {
  if (shape.alternatives.length > 0) return shape.alternatives.flatMap(scalarTypes);
  return [...(shape.types ?? [])].filter((type) => type !== 'array' && type !== 'object');
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

/** RFC 9110 §5.6.1: spaces and tabs may surround each item of a header. */
function trim(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
}

/** The value of a JSON text; any other text is itself, which then breaks its schema. */
export function decodeJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Without the prefix, whose signs a client may have encoded (RFC 3986 §2.2). */
function bodyOf(parameter: Parameter, text: string): string {
  const prefix = prefixOf(parameter);
  if (prefix === '' || text.startsWith(prefix)) return text.slice(prefix.length);
  const decoded = percentDecode(text);
  return decoded.startsWith(prefix) ? decoded.slice(prefix.length) : text;
}

function tokensOf(parameter: Parameter, text: string): string[] {
  const body = bodyOf(parameter, text);
  if (body === '') return [];
  const [first, ...others] = separatorsOf(parameter);
  const tokens = others.reduce((all, other) => all.replaceAll(other, first), body).split(first);
  return hasNamedItems(parameter) ? tokens.map((token) => splitPair(token)[1]) : tokens;
}

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The value of a text by the types of its schema; where it fits none of them, the text. */
export function decodeText(text: string, shape: Shape | undefined): unknown {
  const types = shape && typesOf(shape);
  if (!types) return shape?.values?.find((value) => String(value) === text) ?? text;
  if (types.has('integer') && INTEGER.test(text)) return exactNumber(text);
  if (types.has('number') && NUMBER.test(text)) return exactNumber(text);
  // How objects inside of a list are written is not specified: JSON, as in most places.
  if (/^[{[]/.test(text) && !types.has('string')) return decodeJson(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return types.has('null') && text === 'null' && !types.has('string') ? null : text;
}

function typesOf(shape: Shape): ReadonlySet<JsonType> | undefined {
  if (shape.alternatives.length === 0) return shape.types;
  return new Set(shape.alternatives.flatMap((branch) => [...(typesOf(branch) ?? [])]));
}
