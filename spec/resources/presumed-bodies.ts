import { type Repair, rawChild, type Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { essenceOf, formatOf, type MediaType } from '../media-type.ts';
import type { Operation } from '../operation.ts';
import { collectionPath, itemOf, recordName } from './paths.ts';
import { answerShape, sharesMembers, unwrapped } from './record-schema.ts';

/** Marks the media types that are presumed. */
export const PRESUMED = 'x-paddock-presumed';

const FORM = 'multipart/form-data';

export const ANY_BODY = {
  content: {
    'application/json': { schema: {}, [PRESUMED]: true },
    'application/x-www-form-urlencoded': { schema: { type: 'object' } },
    [FORM]: { schema: { additionalProperties: { type: 'string', format: 'binary' } } },
    '*/*': {},
  },
};

/**
 * What a mock may take where a document forgets the body of a request: whatever is sent to create or to change a record, if
 * the response is that record, and a form for what is described as one without fields.
 */
export function presumedBodies(operations: readonly Operation[]): Repair[] {
  const groups = Map.groupBy(operations, ({ path }) => collectionPath(path));
  const forgotten = [...groups].flatMap(([path, members]) => {
    const read = members.find(({ method, path: own }) => method === 'GET' && itemOf(own)?.above === path);
    const record = unwrapped(answerShape(read), recordName(path));
    return members.filter((one) => {
      const answer = unwrapped(answerShape(one), recordName(path));
      const isChange = one.method === 'POST' || one.method === 'PUT';
      return isChange && !one.body && record && answer && sharesMembers(answer, record);
    });
  });
  return [
    ...forgotten.map(({ spot }) => ({
      spot,
      value: { ...(spot.value as object), requestBody: ANY_BODY },
    })),
    ...operations.flatMap(({ body }) => (body?.content ?? []).flatMap(asForm)),
  ];
}

function asForm({ type, shape, spot }: MediaType): Repair[] {
  if (essenceOf(type) !== FORM || formatOf(type, shape)) return [];
  return [{ spot, value: { ...(spot.value as object), ...ANY_BODY.content[FORM] } }];
}

/** Whether a response is presumed to have the schema of a request, or a request to have a body at all. */
export function isPresumed(described: { readonly spot: Spot }): boolean {
  const content = rawChild(described.spot, 'content');
  const media = content && rawChild(content, 'application/json');
  return isRecord(media?.value) && PRESUMED in media.value;
}
