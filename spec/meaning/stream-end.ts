import type { MediaType } from '../media-type.ts';
import type { Operation } from '../operation.ts';
import { formsOf } from '../schema/shape.ts';
import { textOf } from './words.ts';

/** Descriptions write the message in quotes or behind `data:`. */
const SENTINEL = /(?:data:\s*|["'`])(\[[A-Z][A-Z_ ]*\])/;

/** The last message of a stream, as a description says: `data: [DONE]`. */
export function endMessageOf({ body, spot, responses }: Operation, media: MediaType): string | undefined {
  const asked = (body?.content ?? []).flatMap(({ shape }) => (shape ? formsOf(shape) : []));
  const members = asked.flatMap(({ properties }) => [...properties.values()].flatMap(formsOf));
  const within = members.flatMap(({ properties }) => [...properties.values()]);
  const shapes = [...(media.shape ? [media.shape] : []), ...members, ...within].flatMap(({ parts }) => parts);
  const texts = [spot, media.spot, ...responses.map((response) => response.spot), ...shapes].map(textOf);
  return texts.map((text) => SENTINEL.exec(text)?.[1]).find((message) => message !== undefined);
}
