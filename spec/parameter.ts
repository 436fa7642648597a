import { childAt, complain, flagAt, rawChild, type Spot, textAt } from './document/spot.ts';
import { exactNumber } from './exact-json.ts';
import { Shape } from './schema/shape.ts';

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/** A Parameter Object (OpenAPI 3.1 §4.8.12). */
export interface Parameter {
  /** Header names in lower case. */
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly schema: Spot | undefined;
  readonly shape: Shape;
  readonly spot: Spot;
}

const DEFAULT_STYLE = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

/** Headers that OpenAPI 3.1 §4.8.12.2 takes from other parts of the document. */
const RESERVED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

export function readParameter(spot: Spot): Parameter | undefined {
  const name = textAt(spot, 'name');
  const place = textAt(spot, 'in') as ParameterPlace | undefined;
  if (!name) return complain(spot, 'a parameter must have a name');
  if (!place || !(place in DEFAULT_STYLE))
    return complain(spot, `the parameter "${name}" must be in path, query, header or cookie`);
  if (place === 'header' && RESERVED_HEADERS.has(name.toLowerCase())) return undefined;
  const required = flagAt(spot, 'required');
  if (place === 'path' && !required) complain(spot, `the path parameter "${name}" must be required: true`);
  const style = textAt(spot, 'style') ?? DEFAULT_STYLE[place];
  const schema = rawChild(spot, 'schema') ?? childAt(spot, 'content', 'application/json', 'schema');
  return {
    name: place === 'header' ? name.toLowerCase() : name,
    in: place,
    required,
    style,
    explode: rawChild(spot, 'explode') ? flagAt(spot, 'explode') : style === 'form',
    schema,
    shape: new Shape([schema ?? { ...spot, value: {} }]),
    spot,
  };
}

/**
 * The value that a parameter's text stands for. Text that is no number where a number is meant stays text,
 * which then breaks the schema. Integers are written as JSON writes them: no sign `+`, no leading zero, no exponent.
 */
export function decodeParameter(parameter: Parameter, texts: readonly string[]): unknown {
  const shape = parameter.shape;
  if (shape.mainType !== 'array') return decodeText(texts[0] ?? '', shape);
  const items =
    parameter.explode && parameter.in === 'query' ? texts : splitList(texts[0] ?? '', parameter.style);
  return items.map((item) => decodeText(item, shape.items));
}

/** The texts of a value, one for each repetition of the parameter's name; the inverse of {@link decodeParameter}. */
export function encodeParameter(parameter: Parameter, value: unknown): string[] {
  if (!Array.isArray(value)) return [encodeText(value)];
  const items = value.map(encodeText);
  return parameter.explode && parameter.in === 'query'
    ? items
    : [items.join(SEPARATORS[parameter.style] ?? ',')];
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function splitList(text: string, style: string): string[] {
  return text === '' ? [] : text.split(SEPARATORS[style] ?? ',');
}

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function decodeText(text: string, shape: Shape | undefined): unknown {
  const types = shape?.alternatives.length
    ? new Set(shape.alternatives.flatMap((branch) => [...(branch.types ?? [])]))
    : shape?.types;
  if (types?.has('integer') && INTEGER.test(text)) return exactNumber(text);
  if (types?.has('number') && NUMBER.test(text)) return exactNumber(text);
  if (types?.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function encodeText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
