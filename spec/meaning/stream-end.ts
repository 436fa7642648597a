import { textAt } from '../document/spot.ts';
import type { MediaType } from '../media-type.ts';
import type { Operation } from '../operation.ts';
import { formsOf, type Shape } from '../schema/shape.ts';

/** How descriptions name it: in quotes or behind `data:`. */
const SENTINEL = /(?:data:\s*|["'`])(\[[A-Z][A-Z_ ]*\])/;

/** The message that a description of the document says a stream ends with, such as `data: [DONE]`. */
export function endMessageOf({ body, spot, responses }: Operation, media: MediaType): string | undefined {
  const asked = (body?.content ?? []).flatMap(({ shape }) => (shape ? describedOptions(shape) : []));
  const own = [spot, media.spot, ...responses.map((one) => one.spot)].map((one) =>
    textAt(one, 'description'),
  );
  const texts = [...own, media.shape?.find('description')?.value, ...asked];
  for (const text of texts) {
    const [, found] = typeof text === 'string' ? (SENTINEL.exec(text) ?? []) : [];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a document says of the members of a request that are about its stream: `stream`, `stream_options`. */
function describedOptions(shape: Shape): readonly unknown[] {
  const named = formsOf(shape).flatMap(({ properties }) =>
    [...properties].filter(([name]) => /^stream/i.test(name)),
  );
  const options = named.flatMap(([, member]) => [member, ...formsOf(member)]);
  const within = options.flatMap(({ properties }) => [...properties.values()]);
  return [...options, ...within].map((one) => one.find('description')?.value);
}
