import { stringifyJson } from './json/exact-json.ts';
import { isRecord } from './json/json-type.ts';
import type { Parameter } from './parameter.ts';
import {
  hasNamedItems,
  isExploded,
  isExplodedRecord,
  prefixOf,
  recordForm,
  separatorsOf,
  splitPair,
} from './parameter-style.ts';
import { percentEncode } from './percent-coding.ts';

/**
 * The texts of a value by the parameter's style (OpenAPI 3.1 §4.8.12.3), one for each repetition of its name, as they are
 * sent: percent-encoded except in a header. A separator stands as it is, the same character in an item is encoded.
 */
export function encodeParameter(parameter: Parameter, value: unknown): string[] {
  const spell = parameter.in === 'header' ? (text: string) => text : percentEncode;
  if (parameter.style === 'json') return [spell(stringifyJson(value))];
  if (parameter.style === 'text') return [spell(textOf(value))];
  if (Array.isArray(value)) {
    const items = value.map((item) => spell(textOf(item)));
    return isExploded(parameter) ? items : [join(parameter, items)];
  }
  if (!isRecord(value) || !recordForm(parameter.shape)) return [join(parameter, [spell(textOf(value))])];
  if (parameter.style === 'deepObject') return [...deepTexts(value, '')];
  const members = Object.entries(value).map((pair) => pair.map((part) => spell(textOf(part))));
  const pairs = members.map((pair) => pair.join('='));
  if (isExploded(parameter)) return pairs;
  return [join(parameter, parameter.explode ? pairs : members.flat())];
}

/** The pairs of a query parameter as they are sent: an exploded object has one for each member. */
export function queryPairs(parameter: Parameter, value: unknown): [name: string, text: string][] {
  const texts = encodeParameter(parameter, value);
  const name = percentEncode(parameter.name);
  if (!isExplodedRecord(parameter) || !isRecord(value)) return texts.map((text) => [name, text]);
  return texts.map((text) => {
    const [member, rest] = splitPair(text);
    return [parameter.style === 'deepObject' ? name + member : member, rest];
  });
}

/** OpenAPI leaves open how objects and arrays in an object are written; this is how most libraries do. */
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

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? stringifyJson(value) : String(value);
}
