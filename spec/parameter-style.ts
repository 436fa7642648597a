import { stringifyJson } from './json/exact-json.ts';
import { isRecord } from './json/json-value.ts';
import type { Parameter } from './parameter.ts';
import type { Shape } from './schema/shape.ts';

/** The array form of a schema: the schema itself, or one of its alternatives. */
export function listForm(shape: Shape): Shape | undefined {
  return formOf(shape, 'array');
}

/** The object form of a schema: the schema itself, or one of its alternatives. */
export function recordForm(shape: Shape): Shape | undefined {
  return formOf(shape, 'object');
}

function formOf(shape: Shape, type: 'array' | 'object'): Shape | undefined {
  if (shape.mainType === type) return shape;
  // A type of the schema itself applies to all its alternatives.
  if (shape.mainType !== undefined) return undefined;
  return shape.alternatives.map((branch) => formOf(branch, type)).find((form) => form !== undefined);
}

/** Whether a value may be an array or an object, which styles write in parts. */
export function isCompound({ shape, style }: Parameter): boolean {
  if (style === 'json' || style === 'text') return false;
  return listForm(shape) !== undefined || recordForm(shape) !== undefined;
}

/** Whether items are objects, for which styles are undefined (OpenAPI 3.1.1 §4.8.12.4): any text may be one. */
export function isStyleless(parameter: Parameter): boolean {
  const items = isCompound(parameter) ? listForm(parameter.shape)?.items : undefined;
  return parameter.style !== 'deepObject' && items?.mainType === 'object';
}

/** Whether a value has several texts, one for each item or member. */
export function isExploded(parameter: Parameter): boolean {
  const { in: place, style, explode } = parameter;
  const hasPairs = place === 'query' || place === 'cookie';
  return hasPairs && isCompound(parameter) && (explode || style === 'deepObject');
}

/** Whether each member has its own name and text: `R=100&G=200`, `color[R]=100`. */
export function isExplodedRecord(parameter: Parameter): boolean {
  const { shape, style } = parameter;
  if (recordForm(shape) === undefined || !isExploded(parameter)) return false;
  // A value of another alternative is sent under the parameter's own name.
  return style === 'deepObject' || shape.alternatives.every(isObjectOrNull);
}

function isObjectOrNull({ mainType, alternatives }: Shape): boolean {
  return mainType === 'object' || mainType === 'null' || (!mainType && alternatives.every(isObjectOrNull));
}

/** The separators as sent; the first is used for writing (OpenAPI 3.1.1 §4.8.12.4). */
export function separatorsOf(parameter: Parameter): Separators {
  const { style, explode, shape } = parameter;
  const named = namedSeparators(listForm(shape), parameter);
  if (named) return named;
  // URLs may contain neither unencoded (RFC 3986 §2), but clients often send an unencoded pipe.
  if (style === 'spaceDelimited') return ['%20', ' '];
  if (style === 'pipeDelimited') return ['%7C', '%7c', '|'];
  if (explode && style === 'label') return ['.'];
  return explode && style === 'matrix' ? [';'] : [','];
}

type Separators = readonly [string, ...string[]];

const SEPARATORS: ReadonlyMap<unknown, Separators> = new Map<unknown, Separators>([
  ['csv', [',']],
  ['ssv', ['%20', ' ']],
  ['tsv', ['%09', '\t']],
  ['pipes', ['%7C', '%7c', '|']],
]);

/** The separators of Swagger 2.0's `collectionFormat` for a list, also for a list inside another. */
export function namedSeparators(list: Shape | undefined, { in: place }: Parameter): Separators | undefined {
  const separators = SEPARATORS.get(list?.find('collectionFormat')?.value);
  return separators && place === 'header' ? [separators.at(-1) as string] : separators;
}

/** RFC 6570 §3.2.5 and §3.2.7: a label starts with a dot, a matrix parameter with a semicolon and its name. */
export function prefixOf(parameter: Parameter): string {
  const { style, explode, name } = parameter;
  if (style === 'label') return '.';
  if (style !== 'matrix') return '';
  return explode && isCompound(parameter) ? ';' : `;${name}=`;
}

/** Whether each item is preceded by the parameter's name: `;id=3;id=4`. */
export function hasNamedItems({ style, explode, shape }: Parameter): boolean {
  return style === 'matrix' && explode && listForm(shape) !== undefined;
}

/** Splits `R=100` into name and text. */
export function splitPair(text: string): [name: string, rest: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Encodes a value by the parameter's style (OpenAPI 3.1 §4.8.12.3), with a text for each repetition of the name. Texts
 * are percent-encoded except in a header; a separator is not encoded, but the same character in an item is.
 */
export function encodeParameter(parameter: Parameter, value: unknown): string[] {
  const spell = parameter.in === 'header' ? (text: string) => text : percentEncode;
  if (parameter.style === 'json') return [spell(stringifyJson(value))];
  if (parameter.style === 'text') return [spell(textOf(value))];
  if (Array.isArray(value)) {
    const form = listForm(parameter.shape)?.items;
    const items = value.map((item) => itemText(parameter, form, item, spell));
    return isExploded(parameter) ? items : [join(parameter, items)];
  }
  if (!isRecord(value) || !recordForm(parameter.shape)) return [join(parameter, [spell(textOf(value))])];
  if (parameter.style === 'deepObject') return [...deepTexts(value, '')];
  const members = Object.entries(value).map((pair) => pair.map((part) => spell(textOf(part))));
  const pairs = members.map((pair) => pair.join('='));
  if (isExploded(parameter)) return pairs;
  return [join(parameter, parameter.explode ? pairs : members.flat())];
}

function itemText(
  parameter: Parameter,
  form: Shape | undefined,
  item: unknown,
  spell: (text: string) => string,
): string {
  const separators = namedSeparators(form, parameter);
  if (!separators || !Array.isArray(item)) return spell(textOf(item));
  return item.map((one) => itemText(parameter, form?.items, one, spell)).join(separators[0]);
}

/** The pairs of a query parameter as sent; an exploded object has one for each member. */
export function queryPairs(parameter: Parameter, value: unknown): [name: string, text: string][] {
  const texts = encodeParameter(parameter, value);
  const name = percentEncode(parameter.name);
  if (!isExplodedRecord(parameter) || !isRecord(value)) return texts.map((text) => [name, text]);
  return texts.map((text) => {
    const [member, rest] = splitPair(text);
    return [parameter.style === 'deepObject' ? name + member : member, rest];
  });
}

/** OpenAPI does not define how objects and arrays in an object are written; this is the notation of most libraries. */
function* deepTexts(value: unknown, path: string): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield `${path}=${percentEncode(textOf(item))}`;
  else if (isRecord(value))
    for (const [name, member] of Object.entries(value))
      yield* deepTexts(member, `${path}${percentEncode(`[${name}]`)}`);
  else yield `${path}=${percentEncode(textOf(value))}`;
}

function join(parameter: Parameter, tokens: readonly string[]): string {
  const named = hasNamedItems(parameter)
    ? tokens.map((token) => `${percentEncode(parameter.name)}=${token}`)
    : tokens;
  return prefixOf(parameter) + named.join(separatorsOf(parameter)[0]);
}

/** A value as plain text; objects and arrays as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? stringifyJson(value) : String(value);
}

/** Encodes all but unreserved characters; a lone surrogate, which cannot be encoded, is replaced. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Decodes percent-encoding (RFC 3986 §2.1); returns an invalid text unchanged. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A pair of a query or of cookies: the decoded name, and the text as sent. */
export type Pair = readonly [name: string, text: string];

/** The pairs of a query (without `?`); a `+` is a space, as in a form. */
export function queryOf(text: string): Pair[] {
  if (text === '') return [];
  return text.split('&').flatMap((part): Pair[] => {
    if (part === '') return [];
    const spaced = part.includes('+') ? part.replaceAll('+', '%20') : part;
    const at = spaced.indexOf('=');
    return at < 0
      ? [[percentDecode(spaced), '']]
      : [[percentDecode(spaced.slice(0, at)), spaced.slice(at + 1)]];
  });
}

/** The cookies of a `Cookie` header (RFC 6265 §4.2.1), with values as sent. */
export function cookiesOf(header: string | readonly string[] | undefined): URLSearchParams {
  const pairs = [header ?? []].flat().join('; ').split(/;\s*/);
  const cookies = new URLSearchParams();
  for (const pair of pairs) {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (name !== undefined && value !== undefined) cookies.append(name.trim(), value.trim());
  }
  return cookies;
}

/**
 * The texts of a parameter in a query or in cookies as sent: `member=text` for an exploded object, `[member]=text` for
 * a `deepObject`. The inverse of `queryPairs`.
 * @param others the other parameters' names, which an exploded object with `additionalProperties` does not take
 */
export function queryTexts(
  parameter: Parameter,
  pairs: readonly Pair[],
  others?: ReadonlySet<string>,
): string[] {
  const { name, style, shape } = parameter;
  const plain = () => pairs.flatMap(([key, text]) => (key === name ? [text] : []));
  if (!isExplodedRecord(parameter)) return plain();
  if (style !== 'deepObject') {
    const isMember = (key: string) => isNamed(shape, key) || (isOpen(shape) && others?.has(key) === false);
    return pairs.flatMap(([key, text]) => (isMember(key) ? [`${percentEncode(key)}=${text}`] : []));
  }
  const deep = pairs.flatMap(([key, text]) =>
    key.startsWith(`${name}[`) && key.endsWith(']') ? [`${key.slice(name.length)}=${text}`] : [],
  );
  return deep.length > 0 || shape.mainType === 'object' ? deep : plain();
}

function isNamed(shape: Shape, key: string): boolean {
  return shape.properties.has(key) || shape.alternatives.some((branch) => isNamed(branch, key));
}

/** Only if the document says so, since every other pair of the query would become a member. */
function isOpen(shape: Shape): boolean {
  const unnamed = shape.find('additionalProperties')?.value;
  return unnamed === true || (typeof unnamed === 'object' && unnamed !== null);
}
