import { type Repair, rawChild, type Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { plainName } from '../meaning/member-named.ts';
import type { Method, Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { isSecretName } from '../secret-name.ts';
import { pathVerbs } from './path-verb.ts';
import { collectionPath, itemOf, recordName, withoutSuffix } from './paths.ts';
import { bodyShape, successOf } from './record-schema.ts';

/** Marks the media types that are presumed. */
const PRESUMED = 'x-paddock-presumed';

const CHANGES: ReadonlySet<Method> = new Set<Method>(['PUT', 'PATCH', 'POST']);

/**
 * What a mock may respond with where a document describes the bodies of requests alone, as frameworks do that read no
 * types of results: of a collection none of whose operations has a response with content, the record is what a create takes,
 * and an id.
 */
export function presumedResponses(operations: readonly Operation[]): Repair[] {
  const verbs = pathVerbs(operations);
  const groups = Map.groupBy(operations, (one) => verbs.get(one)?.collection ?? collectionPath(one.path));
  return [...groups].flatMap(([path, members]) => ofCollection(path, members));
}

function ofCollection(path: string, members: readonly Operation[]): Repair[] {
  const items = members.filter((one) => itemOf(one.path)?.above === path);
  const [first] = items;
  const { parameter } = (first && itemOf(first.path)) ?? {};
  if (!first || parameter === undefined || members.some(hasContent)) return [];
  const changes = items.filter(({ method }) => CHANGES.has(method));
  const creates = members.filter(({ method, path: own }) => method === 'POST' && !own.endsWith('}'));
  const changed = changes.map(membersSent).find((shape) => shape !== undefined);
  const create = creates.find((one) => isOfRecords(membersSent(one), changed));
  const shape = (create && membersSent(create)) ?? changed;
  if (!shape) return [];
  const record = recordSchema(shape, idNameOf(shape, path, parameter), first);
  const list = members.filter(({ method, path: own }) => method === 'GET' && withoutSuffix(own) === path);
  const shown = [...(create ? [create] : []), ...items.filter(({ method }) => method !== 'DELETE')];
  return [
    ...list.flatMap((operation) => respondWith(operation, { type: 'array', items: record })),
    ...shown.flatMap((operation) => respondWith(operation, record)),
  ];
}

function hasContent({ responses }: Operation): boolean {
  return responses.some(({ key, content }) => key.startsWith('2') && content.length > 0);
}

function membersSent(operation: Operation): Shape | undefined {
  const shape = bodyShape(operation);
  return shape && shape.properties.size > 0 ? shape : undefined;
}

/** Whether a body is of the records that another one changes: it has most of their members. */
function isOfRecords(body: Shape | undefined, changed: Shape | undefined): boolean {
  if (!body || !changed) return body !== undefined;
  const shared = [...changed.properties.keys()].filter((name) => body.properties.has(name));
  return shared.length * 2 >= changed.properties.size;
}

/** `menuId` of `/menus/{id}`, where the body has it; else as the path says, and `id` for `{menuId}`. */
function idNameOf({ properties }: Shape, path: string, parameter: string): string {
  const own = plainName(`${recordName(path)}id`);
  const names = [parameter, ...[...properties.keys()].filter((name) => plainName(name) === own)];
  const known = names.find((name) => properties.has(name));
  return known ?? (/id$/i.test(parameter) ? 'id' : parameter);
}

function recordSchema({ spot, properties }: Shape, name: string, item: Operation): object {
  const isOwn = properties.has(name);
  const own = isOwn ? undefined : item.parameters.find(({ in: place }) => place === 'path')?.shape;
  const isNumber = own?.mainType === 'number' || own?.mainType === 'integer';
  const secrets = [...properties.keys()].filter(isSecretName);
  return {
    allOf: [spot.value],
    type: 'object',
    required: [name],
    properties: {
      ...(!isOwn && { [name]: { type: isNumber ? 'integer' : 'string', readOnly: true } }),
      ...Object.fromEntries(secrets.map((secret) => [secret, { writeOnly: true }])),
    },
  };
}

function respondWith(operation: Operation, schema: object): Repair[] {
  const key = successOf(operation)?.key;
  const responses = rawChild(operation.spot, 'responses');
  // Any other success has no body, or one of its own (RFC 9110 §15.3).
  const isUsable = key !== undefined && /^2(?:0[0-2]|XX)$/.test(key);
  const spot = isUsable ? responses && rawChild(responses, key) : undefined;
  if (!spot) return [];
  const described = isRecord(spot.value) && '$ref' in spot.value ? { description: '' } : spot.value;
  return [
    {
      spot,
      value: { ...(described as object), content: { 'application/json': { schema, [PRESUMED]: true } } },
    },
  ];
}

/** Where it is presumed that a response has the schema of a request. */
export function isPresumed(response: { readonly spot: Spot }): boolean {
  const content = rawChild(response.spot, 'content');
  const media = content && rawChild(content, 'application/json');
  return isRecord(media?.value) && PRESUMED in media.value;
}
