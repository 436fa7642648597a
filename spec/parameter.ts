import { addWarning, flagAt, rawChild, type Spot, textAt } from './document/spot.ts';
import { type MediaType, readContent, readExamples } from './media-type.ts';
import { Shape } from './schema/shape.ts';

/** The location of a parameter (`in`). */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/** A Parameter Object (OpenAPI 3.1 §4.8.12). */
export interface Parameter {
  /** In lower case for a header. */
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  /** An empty text is valid, whatever the schema (`allowEmptyValue`). */
  readonly allowsEmpty?: true;
  /** A style of OpenAPI 3.1 §4.8.12.3; for a parameter with `content`, `json` or (for any other media type) `text`. */
  readonly style: string;
  readonly explode: boolean;
  /** The entry of its `content`; absent if a style defines the notation. */
  readonly content?: MediaType;
  readonly schema: Spot | undefined;
  /** The empty schema if the parameter has none. */
  readonly shape: Shape;
  readonly spot: Spot;
}

/** Header parameters with these names are ignored (OpenAPI 3.1 §4.8.12.2). */
const RESERVED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

/** The styles of each location, the default first (OpenAPI 3.1 §4.8.12.3). */
const STYLES: Readonly<Record<ParameterPlace, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

export function readParameter(spot: Spot): Parameter | undefined {
  const name = textAt(spot, 'name');
  const place = textAt(spot, 'in') as ParameterPlace | undefined;
  if (!name) return addWarning(spot, 'a parameter must have a name; it is ignored');
  if (!place || !Object.hasOwn(STYLES, place))
    return addWarning(spot, `${notIn(place, name)}; it is ignored`);
  if (place === 'header' && RESERVED_HEADERS.has(name.toLowerCase())) return undefined;
  const required = flagAt(spot, 'required');
  if (place === 'path' && !required)
    addWarning(spot, `the path parameter "${name}" must be required: true; it is read so`);
  return { ...readForm(spot, place, name), required: required || place === 'path' };
}

/** A Parameter Object, or a Header Object, which does not contain its name and place. */
function readForm(spot: Spot, place: ParameterPlace, name: string): Parameter {
  // There is exactly one entry (OpenAPI 3.1 §4.8.12.2).
  const [content] = readContent(spot);
  const style = content ? (content.isJson ? 'json' : 'text') : readStyle(spot, place);
  const explode = rawChild(spot, 'explode') ? flagAt(spot, 'explode') : style === 'form';
  const schema = content ? content.schema : rawChild(spot, 'schema');
  const shape = new Shape([schema ?? { ...spot, value: {} }]);
  // An object whose members are sent under their own names has no text that could be empty.
  const hasName = shape.mainType !== 'object' || !(explode || style === 'deepObject');
  const allowsEmpty = place === 'query' && hasName && flagAt(spot, 'allowEmptyValue');
  return {
    name: place === 'header' ? name.toLowerCase() : name,
    in: place,
    required: flagAt(spot, 'required'),
    style,
    explode,
    ...(allowsEmpty && { allowsEmpty }),
    ...(content && { content }),
    schema,
    shape,
    spot,
  };
}

/** A Header Object (OpenAPI 3.1 §4.8.21): a parameter in a header with the style `simple`. */
export interface Header extends Parameter {
  readonly in: 'header';
  /** By name; the name of `example` is `example`. */
  readonly examples: ReadonlyMap<string, unknown>;
}

export function readHeader(name: string, spot: Spot): Header {
  const form = readForm(spot, 'header', name);
  return { ...form, in: 'header', examples: examplesOf(form) };
}

function examplesOf({ spot, content }: Parameter): ReadonlyMap<string, unknown> {
  return new Map([...readExamples(spot), ...(content?.examples ?? [])]);
}

function notIn(place: string | undefined, name: string): string {
  // OpenAPI 3.2 §4.12.1.
  if (place === 'querystring') return `"querystring" is not supported, in which the parameter "${name}" is`;
  return `the parameter "${name}" must be in path, query, header or cookie`;
}

/**
 * The parameters that a request actually contains. An exploded object in a query (OpenAPI 3.1 §4.8.12.4, `form`) is
 * replaced by its members, as in springdoc's `pageable`.
 */
export function asSent(parameter: Parameter): readonly Parameter[] {
  const { shape, style, explode, spot } = parameter;
  const members = [...shape.properties];
  const isApart =
    parameter.in === 'query' &&
    style === 'form' &&
    explode &&
    shape.mainType === 'object' &&
    members.length > 0 &&
    !(shape.find('additionalProperties')?.value ?? false) &&
    shape.alternatives.length === 0 &&
    readExamples(spot).size === 0;
  if (!isApart || !members.every(([, member]) => isPlain(member))) return [parameter];
  return members.map(([name, member]) => ({
    ...parameter,
    name,
    required: parameter.required && shape.required.has(name),
    schema: member.spot,
    shape: member,
  }));
}

function isPlain({ mainType, items }: Shape): boolean {
  return mainType === 'array'
    ? items !== undefined && isPlain(items)
    : mainType !== 'object' && mainType !== undefined;
}

/** A path parameter that the document does not describe. */
export function assumeParameter(name: string, operation: Spot): Parameter {
  const schema = { ...operation, value: Object.freeze({ type: 'string' }) };
  return {
    name,
    in: 'path',
    required: true,
    style: 'simple',
    explode: false,
    schema,
    shape: Shape.of([schema]),
    spot: operation,
  };
}

function readStyle(spot: Spot, place: ParameterPlace): string {
  const styles = STYLES[place];
  const usual = styles[0] as string;
  const style = textAt(spot, 'style') ?? usual;
  if (styles.includes(style)) return style;
  const message = `the style of a ${place} parameter is one of: ${styles.join(', ')}; it is read as ${usual}`;
  addWarning(rawChild(spot, 'style') ?? spot, message);
  return usual;
}

/** The examples for a parameter: its own first, then those of its schema. */
export function parameterExamples(parameter: Parameter): readonly unknown[] {
  return [...examplesOf(parameter).values(), ...parameter.shape.ownExamples];
}
