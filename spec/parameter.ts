import { children, complain, flagAt, rawChild, recordAt, type Spot, textAt } from './document/spot.ts';
import { isJsonType } from './media-type.ts';
import { Shape } from './schema/shape.ts';

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/** A Parameter Object (OpenAPI 3.1 §4.8.12). */
export interface Parameter {
  /** Header names in lower case. */
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  /** A style of OpenAPI, or `json` where the text is a JSON document (`content`). */
  readonly style: string;
  readonly explode: boolean;
  readonly schema: Spot | undefined;
  readonly shape: Shape;
  readonly spot: Spot;
}

/** Headers that OpenAPI 3.1 §4.8.12.2 takes from other parts of the document. */
const RESERVED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

export function readParameter(spot: Spot): Parameter | undefined {
  const name = textAt(spot, 'name');
  const place = textAt(spot, 'in') as ParameterPlace | undefined;
  if (!name) return complain(spot, 'a parameter must have a name');
  if (!place || !Object.hasOwn(STYLES, place))
    return complain(spot, `the parameter "${name}" must be in path, query, header or cookie`);
  if (place === 'header' && RESERVED_HEADERS.has(name.toLowerCase())) return undefined;
  const required = flagAt(spot, 'required');
  if (place === 'path' && !required) complain(spot, `the path parameter "${name}" must be required: true`);
  const json = jsonContent(spot);
  const style = json ? 'json' : readStyle(spot, place);
  const schema = rawChild(json ?? spot, 'schema');
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

/** The styles that OpenAPI 3.1 §4.8.12.3 has for each place. */
const STYLES: Readonly<Record<ParameterPlace, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

function readStyle(spot: Spot, place: ParameterPlace): string {
  const style = textAt(spot, 'style');
  if (style === undefined) return STYLES[place][0] as string;
  if (!STYLES[place].includes(style)) {
    const styles = STYLES[place].join(', ');
    complain(rawChild(spot, 'style') ?? spot, `the style of a ${place} parameter is one of: ${styles}`);
  }
  return style;
}

/** A parameter may be described by one media type instead of a style: its text is then a document of that type. */
function jsonContent(spot: Spot): Spot | undefined {
  const content = recordAt(spot, 'content');
  const [, media] = (content && children(content).find(([type]) => isJsonType(type))) ?? [];
  return media;
}
