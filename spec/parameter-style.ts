import type { Parameter } from './parameter.ts';
import type { Shape } from './schema/shape.ts';

/** The form of a schema that is an array: itself, or one of its alternatives. */
export function listForm(shape: Shape): Shape | undefined {
  return formOf(shape, 'array');
}

/** The form of a schema that is an object: itself, or one of its alternatives. */
export function recordForm(shape: Shape): Shape | undefined {
  return formOf(shape, 'object');
}

function formOf(shape: Shape, type: 'array' | 'object'): Shape | undefined {
  if (shape.mainType === type) return shape;
  // A type that the schema names itself is that of all its alternatives.
  if (shape.mainType !== undefined) return undefined;
  return shape.alternatives.map((branch) => formOf(branch, type)).find((found) => found !== undefined);
}

/** Whether a value may be an array or an object, which styles write in parts. */
export function isCompound({ shape, style }: Parameter): boolean {
  if (style === 'json' || style === 'text') return false;
  return listForm(shape) !== undefined || recordForm(shape) !== undefined;
}

/** Whether a value has several texts: one for each item or member. */
export function isExploded(parameter: Parameter): boolean {
  const { in: place, style, explode } = parameter;
  const hasPairs = place === 'query' || place === 'cookie';
  return hasPairs && isCompound(parameter) && (explode || style === 'deepObject');
}

/** Whether each member has a text with a name of its own: `R=100&G=200`, `color[R]=100`. */
export function isExplodedRecord(parameter: Parameter): boolean {
  const { shape, style } = parameter;
  if (recordForm(shape) === undefined || !isExploded(parameter)) return false;
  return style === 'deepObject' || listForm(shape) === undefined;
}

/** The separators as they are on the wire, the one that is written first (OpenAPI 3.1.1 §4.8.12.4). */
export function separatorsOf({ style, explode }: Parameter): readonly [string, ...string[]] {
  // Neither stands in a URL as it is (RFC 3986 §2), and a pipe often does all the same.
  if (style === 'spaceDelimited') return ['%20', ' '];
  if (style === 'pipeDelimited') return ['%7C', '%7c', '|'];
  if (explode && style === 'label') return ['.'];
  return explode && style === 'matrix' ? [';'] : [','];
}

/** RFC 6570 §3.2.5 and §3.2.7: labels begin with a dot, matrix parameters with a semicolon and their name. */
export function prefixOf(parameter: Parameter): string {
  const { style, explode, name } = parameter;
  if (style === 'label') return '.';
  if (style !== 'matrix') return '';
  return explode && isCompound(parameter) ? ';' : `;${name}=`;
}

/** Whether each item has the parameter's name before it: `;id=3;id=4`. */
export function hasNamedItems({ style, explode, shape }: Parameter): boolean {
  return style === 'matrix' && explode && listForm(shape) !== undefined;
}

/** The name and the text of `R=100`. */
export function splitPair(text: string): [name: string, rest: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
