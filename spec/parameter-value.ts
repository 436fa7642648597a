import { exactNumber, parseJson, stringifyJson } from './json/exact-json.ts';
import type { JsonType } from './json/json-type.ts';
import type { Parameter } from './parameter.ts';
import type { Shape } from './schema/shape.ts';

/**
 * The value of a parameter from its texts, one for each repetition of its name, percent-decoded. Text that is no number
 * where the schema wants one stays text, which then breaks the schema. Integers are as in JSON: no sign `+`, no leading
 * zero, no exponent. Inverse of {@link encodeParameter}.
 */
export function decodeParameter(parameter: Parameter, texts: readonly string[]): unknown {
  const { shape, style } = parameter;
  const [text = ''] = texts;
  if (style === 'json') return decodeJson(text);
  const tokens = isExploded(parameter) ? texts : tokensOf(parameter, text);
  if (shape.mainType === 'array') return tokens.map((token) => decodeText(token, shape.items));
  if (shape.mainType === 'object') return Object.fromEntries(decodeMembers(parameter, tokens));
  return decodeText(tokens.join(separatorOf(parameter)), shape);
}

/** Compiles {@link decodeParameter}. Fast path: most parameters are primitive and have one text without prefix. */
export function compileDecoder(parameter: Parameter): (texts: readonly string[]) => unknown {
  const { shape, style } = parameter;
  if (style === 'json' || isCompound(parameter) || prefixOf(parameter) !== '')
    return (texts) => decodeParameter(parameter, texts);
  return ([text = '']) => decodeText(text, shape);
}

/**
 * The texts of a value by the parameter's style (OpenAPI 3.1 §4.8.12.3), one for each repetition of its name, not yet
 * percent-encoded.
 */
export function encodeParameter(parameter: Parameter, value: unknown): string[] {
  if (parameter.style === 'json') return [stringifyJson(value)];
  if (Array.isArray(value)) {
    const items = value.map(encodeText);
    return isExploded(parameter) ? items : [join(parameter, items)];
  }
  if (typeof value === 'object' && value !== null && parameter.shape.mainType === 'object') {
    const members = Object.entries(value).map(([name, member]) => [name, encodeText(member)]);
    const pairs = members.map((pair) => pair.join('='));
    if (isExploded(parameter)) return pairs;
    return [join(parameter, parameter.explode ? pairs : members.flat())];
  }
  return [join(parameter, [encodeText(value)])];
}

/** The pairs of a query parameter, not yet percent-encoded: an exploded object has one for each member. */
export function queryPairs(parameter: Parameter, value: unknown): [name: string, text: string][] {
  const texts = encodeParameter(parameter, value);
  if (!isExplodedObject(parameter)) return texts.map((text) => [parameter.name, text]);
  return texts.map((text) => {
    const [member, rest] = splitPair(text);
    return [parameter.style === 'deepObject' ? `${parameter.name}[${member}]` : member, rest];
  });
}

/** The texts of a query parameter; the inverse of {@link queryPairs}. */
export function queryTexts(parameter: Parameter, query: URLSearchParams): string[] {
  const { name, style, shape } = parameter;
  if (!isExplodedObject(parameter)) return query.getAll(name);
  return [...query].flatMap(([key, text]) => {
    if (style !== 'deepObject') return shape.properties.has(key) ? [`${key}=${text}`] : [];
    if (!key.startsWith(`${name}[`) || !key.endsWith(']')) return [];
    return [`${key.slice(name.length + 1, -1)}=${text}`];
  });
}

/** Whether a value has several texts: one for each item or member. */
export function isExploded(parameter: Parameter): boolean {
  const { in: place, style, explode } = parameter;
  const hasPairs = place === 'query' || place === 'cookie';
  return hasPairs && isCompound(parameter) && style !== 'json' && (explode || style === 'deepObject');
}

function isExplodedObject(parameter: Parameter): boolean {
  return parameter.shape.mainType === 'object' && isExploded(parameter);
}

function isCompound({ shape }: Parameter): boolean {
  return shape.mainType === 'array' || shape.mainType === 'object';
}

function decodeJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function separatorOf({ style, explode }: Parameter): string {
  if (style === 'spaceDelimited') return ' ';
  if (style === 'pipeDelimited') return '|';
  if (explode && style === 'label') return '.';
  return explode && style === 'matrix' ? ';' : ',';
}

/** RFC 6570 §3.2.5 and §3.2.7: labels begin with a dot, matrix parameters with a semicolon and their name. */
function prefixOf(parameter: Parameter): string {
  const { style, explode, name } = parameter;
  if (style === 'label') return '.';
  if (style !== 'matrix') return '';
  return explode && isCompound(parameter) ? ';' : `;${name}=`;
}

/** Whether each item has the parameter's name before it: `;id=3;id=4`. */
function hasNamedItems({ style, explode, shape }: Parameter): boolean {
  return style === 'matrix' && explode && shape.mainType === 'array';
}

function join(parameter: Parameter, tokens: readonly string[]): string {
  const named = hasNamedItems(parameter) ? tokens.map((token) => `${parameter.name}=${token}`) : tokens;
  return prefixOf(parameter) + named.join(separatorOf(parameter));
}

function tokensOf(parameter: Parameter, text: string): string[] {
  const prefix = prefixOf(parameter);
  const body = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (body === '') return [];
  const tokens = body.split(separatorOf(parameter));
  return hasNamedItems(parameter) ? tokens.map((token) => splitPair(token)[1]) : tokens;
}

function decodeMembers(parameter: Parameter, tokens: readonly string[]): [string, unknown][] {
  const hasPairs = parameter.explode || isExploded(parameter);
  const names = tokens.filter((_, index) => index % 2 === 0);
  const pairs = hasPairs
    ? tokens.map(splitPair)
    : names.map((name, index) => [name, tokens[index * 2 + 1] ?? ''] as const);
  return pairs.map(([name, text]) => [name, decodeText(text, parameter.shape.properties.get(name))]);
}

function splitPair(text: string): [name: string, rest: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function decodeText(text: string, shape: Shape | undefined): unknown {
  const types = shape && typesOf(shape);
  if (!types) return shape?.values?.find((value) => encodeText(value) === text) ?? text;
  if (types.has('integer') && INTEGER.test(text)) return exactNumber(text);
  if (types.has('number') && NUMBER.test(text)) return exactNumber(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return types.has('null') && text === 'null' && !types.has('string') ? null : text;
}

function typesOf(shape: Shape): ReadonlySet<JsonType> | undefined {
  if (shape.alternatives.length === 0) return shape.types;
  return new Set(shape.alternatives.flatMap((branch) => [...(typesOf(branch) ?? [])]));
}

function encodeText(value: unknown): string {
  return typeof value === 'object' && value !== null ? stringifyJson(value) : String(value);
}
