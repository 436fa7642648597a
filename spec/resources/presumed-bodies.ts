import { type Repair, rawChild, type Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { essenceOf, formatOf, type MediaType } from '../media-type.ts';
import type { Operation } from '../operation.ts';
import { collectionPath, itemOf, recordName } from './paths.ts';
import { answerShape, bodyShape, sharesMembers, unwrapped } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** The key that marks presumed media types. */
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
 * Request bodies that a document omits, as the mock presumes them: any members to create or change a record, if
 * the response is that record, and a form for a form body without fields.
 */
export function presumedBodies(operations: readonly Operation[]): Repair[] {
  const groups = Map.groupBy(operations, ({ path }) => collectionPath(path));
  const forgotten = [...groups].flatMap(([path, members]) => {
    const read = members.find(
      ({ method, path: readPath }) => method === 'GET' && itemOf(readPath)?.above === path,
    );
    const record = unwrapped(answerShape(read), recordName(path));
    return members.filter((member) => {
      const answer = unwrapped(answerShape(member), recordName(path));
      const isChange = member.method === 'POST' || member.method === 'PUT';
      return isChange && !member.body && record && answer && sharesMembers(answer, record);
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

/** Whether a body is presumed rather than documented. */
export function isPresumed(described: { readonly spot: Spot }): boolean {
  const content = rawChild(described.spot, 'content');
  const media = content && rawChild(content, 'application/json');
  return isRecord(media?.value) && PRESUMED in media.value;
}

/**
 * The place where a document describes a record; for one that only a presumed response has, in the body of a request.
 * Undefined: nowhere.
 */
export function recordSpot({ shape, actions }: Pick<Resource, 'shape' | 'actions'>): Spot | undefined {
  const { document, path } = shape.spot;
  let at: unknown = document.root.value;
  const around = path.map((key) => {
    at = isRecord(at) || Array.isArray(at) ? (at as Readonly<Record<string, unknown>>)[key] : undefined;
    return at;
  });
  if (!around.some((one) => isRecord(one) && PRESUMED in one)) return shape.spot;
  const bodies = Object.values(actions).flatMap((action) => bodyShape(action)?.spot ?? []);
  return bodies.find(({ value }) => shape.parts.some((part) => part.value === value));
}
