import { children, rawChild, recordAt, type Spot } from './document/spot.ts';
import { Shape } from './schema/shape.ts';

/** One entry of a `content` map (Media Type Object, OpenAPI 3.1 §4.8.14). */
export interface MediaType {
  /** As the document writes it, e.g. `application/json` or `text/*`. */
  readonly type: string;
  readonly isJson: boolean;
  /** Undefined where the document gives no schema. */
  readonly schema: Spot | undefined;
  readonly shape: Shape | undefined;
  /** Named examples; a lone `example` goes by the name `example`. */
  readonly examples: ReadonlyMap<string, unknown>;
  readonly spot: Spot;
}

export function readContent(owner: Spot): MediaType[] {
  const content = recordAt(owner, 'content');
  return content ? children(content).map(([type, spot]) => readMediaType(type, spot)) : [];
}

function readMediaType(type: string, spot: Spot): MediaType {
  const schema = rawChild(spot, 'schema');
  return {
    type,
    isJson: isJsonType(type),
    schema,
    shape: schema && new Shape([schema]),
    examples: readExamples(spot),
    spot,
  };
}

/** The examples of a Media Type Object, or of a Header Object. */
export function readExamples(spot: Spot): ReadonlyMap<string, unknown> {
  const named = recordAt(spot, 'examples');
  const examples = (named ? children(named) : []).flatMap(([name, example]): [string, unknown][] => {
    const value = rawChild(example, 'value');
    return value ? [[name, value.value]] : [];
  });
  const single = rawChild(spot, 'example');
  return new Map(single ? [...examples, ['example', single.value]] : examples);
}

/** RFC 8259 and the structured suffix `+json` of RFC 6839. */
export function isJsonType(type: string): boolean {
  return /^[\w.*-]+\/(?:[\w.-]+\+)?json$/i.test(essenceOf(type));
}

/** A media type without its parameters, in lower case. */
export function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** The entry that describes a Content-Type: the exact one before a range such as `text/*`. */
export function mediaTypeFor(content: readonly MediaType[], contentType: string): MediaType | undefined {
  const essence = essenceOf(contentType);
  const [family] = essence.split('/');
  const wanted = [essence, `${family}/*`, '*/*'];
  return wanted.map((name) => content.find(({ type }) => essenceOf(type) === name)).find(Boolean);
}
