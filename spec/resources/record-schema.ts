import type { Spot } from '../document/spot.ts';
import { isRecord, ownEntry } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { attributesIn } from '../meaning/member-named.ts';
import { foldedName, singularName, withoutRequest } from '../meaning/names.ts';
import { isXml, type MediaType, mediaTypeFor } from '../media-type.ts';
import type { Operation } from '../operation.ts';
import { type DocumentedResponse, explicitStatuses, responseFor } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { itemOf, recordName, withoutSuffix } from './paths.ts';
import type { Resource } from './resource.ts';

/** The documented success: the lowest 2xx, else `2XX` or `default`. */
export function successOf({ responses }: Operation): DocumentedResponse | undefined {
  const status = explicitStatuses(responses).find((code) => code >= 200 && code < 300);
  if (status !== undefined) return responseFor(responses, status);
  return responses.find(({ key }) => key === '2XX' || key === 'default');
}

/** The JSON body of the response of success, else the XML body. */
export function answerMedia(operation: Operation | undefined): MediaType | undefined {
  const { content = [] } = (operation && successOf(operation)) ?? {};
  return (
    mediaTypeFor(content, 'application/json') ?? content.find(({ isJson }) => isJson) ?? content.find(isXml)
  );
}

/** The schema of the JSON body of the response of success. */
export function answerShape(operation: Operation | undefined): Shape | undefined {
  return answerMedia(operation)?.shape;
}

/** The schema of a request's body: of JSON, else of a form. */
export function bodyShape({ body }: Operation): Shape | undefined {
  const content = body?.content ?? [];
  return (content.find(({ isJson }) => isJson) ?? content.find(({ shape }) => shape))?.shape;
}

/** Whether values of a schema are objects: also where only the branches of `oneOf` or `anyOf` say so. */
export function isObjectShape(shape: Shape | undefined): shape is Shape {
  return shape?.mainType === 'object' || (shape?.alternatives.length ?? 0) > 0;
}

/** The schema of a member, also of one that only branches of `oneOf` or `anyOf` have. */
export function memberShape(shape: Shape, name: string): Shape | undefined {
  const direct =
    shape.properties.get(name) ??
    shape.alternatives.map((branch) => memberShape(branch, name)).find((member) => member !== undefined);
  const [outer = '', ...inner] = direct ? [] : name.split('.');
  const inside = inner.length > 0 ? shape.properties.get(outer) : undefined;
  return inside ? memberShape(inside, inner.join('.')) : direct;
}

/** In a path of members: the only item of a list. */
export const ONLY = '0';

/** The schema at a path of members. */
export function shapeAt(answer: Shape | undefined, path: readonly string[]): Shape | undefined {
  return path.reduce<Shape | undefined>(
    (shape, name) => shape?.properties.get(name) ?? (name === ONLY ? shape?.items : undefined),
    answer,
  );
}

/** The value at a path of members; undefined: there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (inner, name) =>
      isRecord(inner) ? inner[name] : name === ONLY && Array.isArray(inner) ? inner[0] : undefined,
    value,
  );
}

/** A copy of a value with another value at a path of members, which need not exist yet. */
export function withValueAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  edit: (value: unknown) => unknown,
): unknown {
  if (name === undefined) return edit(value);
  if (name === ONLY && !isRecord(value)) return [withValueAt(valueAt(value, [name]), rest, edit)];
  const around = isRecord(value) ? value : {};
  return { ...around, [name]: withValueAt(ownEntry(around, name), rest, edit) };
}

/** The Schema Object that a shape stands for, behind references: equal for all uses of one component. */
export function schemaKey(shape: Shape): unknown {
  return shape.parts
    .map(({ value }) => value)
    .find((value) => isRecord(value) && DESCRIBES.some((key) => key in value));
}

export function hasSameSchema(one: Shape, other: Shape): boolean {
  const key = schemaKey(one);
  return key !== undefined && key === schemaKey(other);
}

/** Keywords of which a schema that describes its values has at least one. */
const DESCRIBES = ['properties', 'allOf', 'oneOf', 'anyOf'];

/** Whether two schemas have members that are written at the same place of the document. */
export function sharesMembers(left: Shape, right: Shape): boolean {
  const values = new Set(writtenIn(left));
  return writtenIn(right).some((value) => values.has(value));
}

const writtenIn = ({ parts }: Shape): unknown[] =>
  parts
    .map(({ value }) => value)
    .filter((value) => isRecord(value) && ('properties' in value || 'oneOf' in value));

/** The name of the first member that satisfies a predicate; undefined: none does. */
export const memberWith = (shape: Shape | undefined, isSuch: (name: string, member: Shape) => boolean) =>
  [...(shape?.properties ?? [])].find(([name, member]) => isSuch(name, member))?.[0];

/** The member whose value is the record; undefined: there is none, or the schema is that of the record itself. */
export function memberLike(shape: Shape, record: Shape): string | undefined {
  if (sharesMembers(shape, record)) return undefined;
  return memberWith(shape, (_, member) => sharesMembers(member, record));
}

/** Usual names of members around a single record. */
const USUAL_WRAPPER = /^(?:data|item|result|record|entity|payload|response|value)$/i;

/** How deep a record may be nested in a response. */
const DEEPEST = 2;

/**
 * The record in the schema of a response: the schema itself, or the object in it with a usual name or with that of the
 * collection.
 * @param name of the collection, in the singular
 */
export function unwrapped(answer: Shape | undefined, name?: string): Shape | undefined {
  return shapeAt(answer, wrapperPath(answer, name));
}

/** The path of the object with a usual name, or with the collection's noun; empty: there is none. */
function wrapperPath(outer: Shape | undefined, name?: string, depth = DEEPEST): string[] {
  if (!isObjectShape(outer) || depth === 0 || outer.properties.has('id')) return [];
  const [only, ...more] = [...outer.properties].filter(
    ([member, inner]) =>
      (USUAL_WRAPPER.test(member) || singularName(withoutRequest(member)) === name) &&
      inner.mainType === 'object',
  );
  return only && more.length === 0 ? [only[0], ...wrapperPath(only[1], name, depth - 1)] : [];
}

/**
 * The path of the record in an operation's response: `['data']` for `{ "data": { "id": 1 } }`; empty: the response is the
 * record itself.
 */
export function recordPath(resource: RecordPlace, operation: Operation): readonly string[] {
  const said = operation.said.facts.in?.record;
  if (said !== undefined) return said.split('.');
  const outer = answerShape(operation);
  const path = pathWithin(resource, outer);
  const plain = withoutSuffix(operation.path);
  const isOfOne = plain === resource.path ? makesOne(operation) : itemOf(plain)?.above === resource.path;
  return path.length === 0 && isOfOne ? inListOfOne(resource, outer) : path;
}

/** Whether a POST creates one record: its body is no list. */
function makesOne(operation: Operation): boolean {
  const body = bodyShape(operation);
  const isMany = body?.items ?? memberWith(body, (_, { items }) => isObjectShape(items));
  return operation.method === 'POST' && isMany === undefined;
}

/** The path of a single record that is shown as a list: `{ "accounts": [{}] }`. */
function inListOfOne({ shape }: RecordPlace, outer: Shape | undefined): readonly string[] {
  const isOne = (list: Shape | undefined) => list?.items !== undefined && sharesMembers(list.items, shape);
  if (!outer || sharesMembers(outer, shape)) return [];
  if (isOne(outer)) return [ONLY];
  const member = memberWith(outer, (_, list) => isOne(list));
  return member === undefined ? [] : [member, ONLY];
}

/** The record in an operation's request body. */
export const sentShape = (
  resource: RecordPlace & Pick<Resource, 'actions'>,
  operation: Operation,
): Shape | undefined => shapeAt(bodyShape(operation), bodyPath(resource, operation));

/** The path of the record in an operation's request body, which may have the same envelope as the response. */
export function bodyPath(
  resource: RecordPlace & Pick<Resource, 'actions'>,
  operation: Operation,
): readonly string[] {
  const said = operation.said.facts.in?.body;
  if (said !== undefined) return said.split('.');
  const body = bodyShape(operation);
  const shower = answerShape(operation) ? operation : resource.actions.read;
  const path = shower ? recordPath(resource, shower) : [];
  if (!body || sharesMembers(body, resource.shape)) return [];
  if (path.length > 0 && shapeAt(body, path)?.mainType === 'object') return path;
  // An envelope of the request alone, if its members are those of the record: `{ "pet": {} }` answered by `{ "data": {} }`.
  const usual = wrapperPath(body, recordName(resource.path));
  const around = usual.length > 0 ? usual : soleWrapper(body, resource.shape);
  const beside = [...body.properties.keys()].filter((name) => name !== around[0]);
  const inside = attributesIn(resource.shape);
  if (path.length > 0 && beside.length > 0 && !inside) return [];
  const names = [...(shapeAt(body, around)?.properties.keys() ?? [])];
  // An object with the record's noun is the record whatever its members are: `{ "post": { "content": "" } }` for a `body`.
  const isCalled = usual.length > 0 && singularName(usual[0] ?? '') === recordName(resource.path);
  return isCalled || names.some((name) => memberShape(inside ?? resource.shape, name)) ? around : [];
}

/** The only member of a body, if the record has all of its members and not the member itself: `user` for `/me`. */
function soleWrapper({ properties }: Shape, record: Shape): string[] {
  const [[name, inner] = [], ...more] = [...properties];
  if (name === undefined || inner?.mainType !== 'object' || more.length > 0) return [];
  const isWithin = [...inner.properties.keys()].every((key) => memberShape(record, key));
  return isWithin && !memberShape(record, name) ? [name] : [];
}

type RecordPlace = Pick<Resource, 'path' | 'shape' | 'id'>;

function pathWithin({ path, shape, id }: RecordPlace, outer: Shape | undefined): readonly string[] {
  if (outer?.mainType !== 'object' || sharesMembers(outer, shape)) return [];
  const [like] = pathsTo(outer, (member) => sharesMembers(member, shape));
  const isRecord = id === undefined || memberShape(outer, id.property) !== undefined;
  return like ?? (isRecord ? [] : wrapperPath(outer, recordName(path)));
}

/** The paths of the members that fit; nested ones only if none fits at the top. */
function pathsTo(shape: Shape, fits: (member: Shape) => boolean): string[][] {
  const objects = [...shape.properties].filter(([, { mainType }]) => mainType !== 'array');
  const direct = objects.filter(([, member]) => fits(member)).map(([name]) => [name]);
  if (direct.length > 0) return direct;
  return objects.flatMap(([name, outer]) =>
    [...outer.properties].flatMap(([inner, member]) =>
      member.mainType !== 'array' && fits(member) ? [[name, inner]] : [],
    ),
  );
}

/** The schema without null, if only one alternative remains. */
export function withoutNull(shape: Shape): Shape {
  if (shape.mainType !== undefined && shape.mainType !== 'null') return shape;
  const [only, ...others] = shape.alternatives.filter(({ mainType }) => mainType !== 'null');
  return only && others.length === 0 ? only : shape;
}

type Names = ReadonlySet<string>;

const MOST = 2 / 3;

/**
 * Whether two schemas are of one record: they are written in one place, or most members of the smaller one are in both. A
 * member that many schemas have, such as `name` or `createdAt`, says little: whoever asks has to know that both have one
 * path or one name, as there are records that have nothing else.
 */
export function sameRecord(one: Shape, other: Shape): boolean {
  const names = [one, other].map((shape): Names => new Set([...shape.properties.keys()].map(foldedName)));
  const [smaller, larger] = names.toSorted((a, b) => a.size - b.size) as [Names, Names];
  const common = smaller.intersection(larger);
  const counts = countsOf(one.spot.document.root);
  // Weight of members by rarity: two or three schemas describe one record, to read, create and change it.
  const weigh = (its: Names) =>
    [...its].reduce((sum, name) => sum + Math.min(1, (3 / (counts.get(name) ?? 1)) ** 2), 0);
  const isAlike = common.size > 1 && weigh(common) >= MOST * weigh(smaller);
  return isAlike || sharesMembers(one, other);
}

/** The number of components of a document that have a member, by its folded name. */
const countsOf = oncePer((root: Spot): ReadonlyMap<string, number> => {
  const { components, definitions } = root.value as {
    components?: { schemas?: object };
    definitions?: object;
  };
  const all = Object.values({ ...components?.schemas, ...definitions }).flatMap((schema) =>
    isRecord(schema) && isRecord(schema.properties) ? Object.keys(schema.properties).map(foldedName) : [],
  );
  return new Map([...Map.groupBy(all, (name) => name)].map(([name, its]) => [name, its.length]));
});

/** The member of an object in a record that a name has in full: `buildingName` of `{ "building": { "name": "" } }`. */
export function innerNamed(
  { properties }: Shape,
  name: string,
): { property: string; inner: string } | undefined {
  const whole = foldedName(name);
  for (const [property, member] of properties) {
    const object = withoutNull(member);
    const noun = singularName(property);
    const inner =
      object.mainType === 'object' &&
      whole.startsWith(noun) &&
      [...object.properties.keys()].find((key) => noun + foldedName(key) === whole);
    if (inner) return { property, inner };
  }
  return undefined;
}

/** What a Schema Object is called, folded, without the package that generators put before it: `dto.Category`. */
export const schemaName = ({ spot }: Shape): string =>
  foldedName(String(spot.path.at(-1)).split('.').at(-1) ?? '');
