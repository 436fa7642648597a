import { children, rawChild, recordAt, type Spot } from './document/spot.ts';
import { Shape } from './schema/shape.ts';

/** A Media Type Object with its key in the `content` map (OpenAPI 3.1 §4.8.14). */
export interface MediaType {
  /** As the document writes it: a media type such as `application/json`, or a range such as `text/*`. */
  readonly type: string;
  readonly isJson: boolean;
  /** Undefined if the document has none. */
  readonly schema: Spot | undefined;
  readonly shape: Shape | undefined;
  /** By name; that of `example` is `example`. */
  readonly examples: ReadonlyMap<string, unknown>;
  readonly spot: Spot;
}

export function readContent(owner: Spot): MediaType[] {
  return children(recordAt(owner, 'content')).map(([type, spot]) => {
    const schema = rawChild(spot, 'schema');
    const shape = schema && Shape.of([schema]);
    return { type, isJson: isJsonType(type), schema, shape, examples: readExamples(spot), spot };
  });
}

/** The examples of a Media Type Object or a Header Object. */
export function readExamples(spot: Spot): ReadonlyMap<string, unknown> {
  const several = children(recordAt(spot, 'examples'));
  const values = several.map(([name, example]) => [name, rawChild(example, 'value')] as const);
  const all = [...values, ['example', rawChild(spot, 'example')] as const];
  return new Map(all.flatMap(([name, value]) => (value ? [[name, value.value]] : [])));
}

/** Whether a media type is JSON: RFC 8259, or the structured syntax suffix `+json` of RFC 6839. */
export function isJsonType(type: string): boolean {
  return /^[\w.*-]+\/(?:[\w.-]+\+)?json$/i.test(essenceOf(type));
}

/** A media type without its parameters, in lower case. */
export function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** The entry that describes a Content-Type: the most specific key (OpenAPI 3.1 §4.8.14), parameters ignored. */
export function mediaTypeFor(content: readonly MediaType[], contentType: string): MediaType | undefined {
  const essence = essenceOf(contentType);
  const keys = [essence, `${essence.split('/', 1)}/*`, '*/*'];
  return keys.map((key) => content.find(({ type }) => essenceOf(type) === key)).find(Boolean);
}
