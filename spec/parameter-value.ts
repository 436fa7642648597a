import { exactNumber, parseJson, stringifyJson } from './json/exact-json.ts';
import type { JsonType } from './json/json-type.ts';
import type { Parameter } from './parameter.ts';
import type { Shape } from './schema/shape.ts';

/**
 * The value that a parameter's texts stand for (one text for each repetition of its name). Text that is no number
 * where a number is meant stays text, which then breaks the schema. Integers are written as JSON writes them: no
 * sign `+`, no leading zero, no exponent.
 */
export function decodeParameter(parameter: Parameter, texts: readonly string[]): unknown {
  const { shape } = parameter;
  const [text = ''] = texts;
  if (parameter.style === 'json') return decodeJson(text);
  const tokens = isExploded(parameter) ? texts : tokensOf(parameter, text);
  if (shape.mainType === 'array') return tokens.map((token) => decodeText(token, shape.items));
  if (shape.mainType === 'object') return Object.fromEntries(decodeMembers(parameter, tokens));
  return decodeText(tokens.join(separatorOf(parameter)), shape);
}

/** Compiles {@link decodeParameter}: most parameters are one value with nothing around it, and have one text. */
export function compileDecoder(parameter: Parameter): (texts: readonly string[]) => unknown {
  const { shape, style } = parameter;
  const isCompound = shape.mainType === 'array' || shape.mainType === 'object';
  if (style === 'json' || isCompound || prefixOf(parameter) !== '')
    return (texts) => decodeParameter(parameter, texts);
  return ([text = '']) => decodeText(text, shape);
}

/** The texts of a value, one for each repetition of the parameter's name; the inverse of {@link decodeParameter}. */
export function encodeParameter(parameter: Parameter, value: unknown): string[] {
  if (parameter.style === 'json') return [stringifyJson(value)];
  if (Array.isArray(value)) {
    const items = value.map(encodeText);
    return isExploded(parameter) ? items : [joined(parameter, items)];
  }
  if (typeof value === 'object' && value !== null && parameter.shape.mainType === 'object') {
    const members = Object.entries(value).map(([name, member]) => [name, encodeText(member)] as const);
    if (isExploded(parameter)) return members.map(([name, text]) => `${name}=${text}`);
    return [joined(parameter, parameter.explode ? members.map((pair) => pair.join('=')) : members.flat())];
  }
  return [joined(parameter, [encodeText(value)])];
}

/** What a query parameter's value puts into the query: an object's members have names of their own there. */
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
  if (!isExplodedObject(parameter)) return query.getAll(parameter.name);
  const deep = parameter.style === 'deepObject';
  return [...query].flatMap(([name, text]) => {
    const member = deep ? memberInBrackets(name, parameter.name) : name;
    return member !== undefined && (deep || parameter.shape.properties.has(member))
      ? [`${member}=${text}`]
      : [];
  });
}

/** Whether several texts of one name make up one value. */
export function isExploded({ in: place, style, explode, shape }: Parameter): boolean {
  const inPairs = place === 'query' || place === 'cookie';
  const compound = shape.mainType === 'array' || shape.mainType === 'object';
  return inPairs && compound && style !== 'json' && (explode || style === 'deepObject');
}

function isExplodedObject(parameter: Parameter): boolean {
  return parameter.shape.mainType === 'object' && isExploded(parameter);
}

function memberInBrackets(name: string, parameter: string): string | undefined {
  const inside = name.startsWith(`${parameter}[`) && name.endsWith(']');
  return inside ? name.slice(parameter.length + 1, -1) : undefined;
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
function prefixOf({ style, explode, name, shape }: Parameter): string {
  if (style === 'label') return '.';
  if (style !== 'matrix') return '';
  return explode && (shape.mainType === 'array' || shape.mainType === 'object') ? ';' : `;${name}=`;
}

const isNamedEach = ({ style, explode, shape }: Parameter) =>
  style === 'matrix' && explode && shape.mainType === 'array';

function joined(parameter: Parameter, tokens: readonly string[]): string {
  const each = isNamedEach(parameter) ? tokens.map((token) => `${parameter.name}=${token}`) : tokens;
  return prefixOf(parameter) + each.join(separatorOf(parameter));
}

function tokensOf(parameter: Parameter, text: string): string[] {
  const prefix = prefixOf(parameter);
  const body = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (body === '') return [];
  const tokens = body.split(separatorOf(parameter));
  return isNamedEach(parameter) ? tokens.map((token) => splitPair(token)[1]) : tokens;
}

function decodeMembers(parameter: Parameter, tokens: readonly string[]): [string, unknown][] {
  const pairs =
    parameter.explode || isExploded(parameter)
      ? tokens.map(splitPair)
      : tokens.flatMap((name, index) =>
          index % 2 === 0 ? [[name, tokens[index + 1] ?? ''] as [string, string]] : [],
        );
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
  if (types?.has('integer') && INTEGER.test(text)) return exactNumber(text);
  if (types?.has('number') && NUMBER.test(text)) return exactNumber(text);
  if (types?.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types?.has('null') && text === 'null' && !types.has('string')) return null;
  if (!types) return shape?.values?.find((value) => encodeText(value) === text) ?? text;
  return text;
}

function typesOf(shape: Shape): ReadonlySet<JsonType> | undefined {
  if (shape.alternatives.length === 0) return shape.types;
  return new Set(shape.alternatives.flatMap((branch) => [...(typesOf(branch) ?? [])]));
}

function encodeText(value: unknown): string {
  return typeof value === 'object' && value !== null ? stringifyJson(value) : String(value);
}
