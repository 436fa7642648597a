import { parseJson } from '../json/exact-json.ts';
import { isRecord, ownEntry } from '../json/json-value.ts';
import { attributesIn, memberNames } from '../meaning/member-named.ts';
import {
  findNamed,
  ID_NAMES,
  idStem,
  idWord,
  NAMES_OF_RECORDS,
  namesIdOf,
  sameName,
  setOf,
  singularName,
  wordsOf,
} from '../meaning/names.ts';
import { upsertOf } from '../meaning/statuses.ts';
import { saidOfCollection, saidOfRecord } from '../meaning/x-paddock.ts';
import { type Operation, pathParameters } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import { percentDecode } from '../parameter-style.ts';
import { escapeText } from '../pattern/pattern.ts';
import { type ExpressionSource, parseRuntimeExpression } from '../runtime-expression.ts';
import type { Shape } from '../schema/shape.ts';
import { isSecretName } from '../secret-name.ts';
import { idParameter, itemOf, recordName } from './paths.ts';
import {
  answerShape,
  bodyShape,
  isObjectShape,
  memberShape,
  recordPath,
  successOf,
  valueAt,
} from './record-schema.ts';
import type { Identity, IdSign, Resource } from './resource.ts';

/** The id in a record; undefined: it has none. */
export function idIn({ property, inner }: Identity, record: Readonly<Record<string, unknown>>): unknown {
  return valueAt(record, inner === undefined ? [property] : [property, inner]);
}

/**
 * Whether an id in the body of a create is a placeholder, as clients that fill in every member send: the service makes the
 * id.
 */
export const isNoId = (id: unknown): boolean =>
  id === 0 || id === '' || id === '00000000-0000-0000-0000-000000000000';

/**
 * The member that identifies a record: as `x-paddock` or a Link says, else by the first name that fits; undefined: none
 * does.
 */
export function identify(
  shape: Shape,
  actions: Resource['actions'],
  path = '',
  asked?: string,
): Identity | undefined {
  const { create, read, replace, update, remove } = actions;
  const items = [read, replace, update, remove].filter((item) => item !== undefined);
  const named = items.flatMap((item) => saidParameter(item) ?? idParameter(item.path) ?? []);
  const parameter = named[0] ?? asked;
  const described = items.flatMap(({ parameters }) => parameters).find((one) => isIn(one, parameter));
  const said = saidOfCollection({ shape, actions });
  const [told, inner] = said.facts.id?.split('.') ?? [];
  const outer = told === undefined ? undefined : memberShape(shape, told);
  const saidMember = outer && inner !== undefined ? memberShape(outer, inner) : outer;
  if (told !== undefined && saidMember)
    return {
      property: told,
      inner,
      parameter,
      shape: saidMember,
      sign: 'said',
      because: said.at('id') ?? saidMember.spot,
    };
  for (const { link, source } of create ? linksTo(items, parameter, create) : []) {
    const property = source.from === 'body' ? (source.pointer.at(-1) ?? '') : '';
    const member = memberShape(shape, property);
    if (member && isScalar(member))
      return { property, parameter, shape: member, sign: 'link', because: link.spot };
  }
  for (const [name, sign] of namesOfId(parameter, items[0]?.path, isNamedByClient(shape, described))) {
    const property = findNamed(memberNames(shape), name) ?? '';
    if (sign === 'name of the parameter' && isContent(property, shape, replace ?? update)) continue;
    const member = memberShape(shape, property);
    // A parameter that takes numbers cannot be a member with texts.
    const isFit =
      property === name || described?.shape.mainType !== 'integer' || member?.mainType !== 'string';
    const { spot: because } = (sign === 'name id' ? undefined : described) ?? member ?? shape;
    if (member && isFit && isScalar(member)) return { property, parameter, shape: member, sign, because };
    const other = sign === 'end of the parameter' ? textCalled(name, shape, create, described) : undefined;
    if (other) return { ...other, parameter, sign: 'undeclared', because: other.shape.spot };
    // `{ "id": { "value": 1 } }`
    const [[only, value] = [], ...more] = [...(member?.properties ?? [])];
    if (only !== undefined && value && more.length === 0 && isScalar(value))
      return { property, inner: only, parameter, shape: value, sign, because };
  }
  // A name with the record's noun: the `petId` of a pet that no operation reads by its id.
  const nounId =
    parameter === undefined
      ? memberNames(shape).find((name) => namesIdOf(name, recordName(path)))
      : undefined;
  const member = nounId === undefined ? undefined : memberShape(shape, nounId);
  if (nounId !== undefined && member && isScalar(member))
    return { property: nounId, parameter, shape: member, sign: 'name id', because: member.spot };
  return (
    undeclared(shape, create, described, path) ??
    nameOf(shape, actions, described, path) ??
    ofSameSchema(shape, described)
  );
}

/** The only member with the named schema of the parameter: the `type` of `/rules/{rule}`. An `ownerId` is of another record. */
function ofSameSchema(shape: Shape, described: Parameter | undefined): Identity | undefined {
  if (described?.shape.spot.path[0] !== 'components') return undefined;
  const [twin, ...more] = memberNames(shape).flatMap((property) => {
    const member = memberShape(shape, property);
    const isSame = member?.spot.value === described.shape.spot.value && idStem(property) === undefined;
    return member && isSame && isScalar(member) ? [{ property, shape: member }] : [];
  });
  if (!twin || more.length > 0) return undefined;
  return { ...twin, parameter: described.name, sign: 'undeclared', because: described.spot };
}

/**
 * The name that identifies records without an id: for `{preset}`, `{presetName}` and `{presetId}` the `name` of a preset.
 */
function nameOf(
  shape: Shape,
  { list, replace }: Resource['actions'],
  described: Parameter | undefined,
  path: string,
): Identity | undefined {
  const [names, noun] = [memberNames(shape), recordName(path)];
  const isText = described?.shape.mainType === 'string' && !described.shape.find('format');
  // A parameter for an id that records lack is no name, unless clients choose it.
  const isName = described && (idWord(described.name) === undefined || (replace && upsertOf(replace)));
  // A secret identifies no record.
  const isOther = !described || isSecretName(described.name) || names.some((name) => namesIdOf(name, noun));
  if (!list || !isText || !isName || isOther) return undefined;
  for (const name of [`${noun}_name`, ...NAMES_OF_RECORDS]) {
    const property = findNamed(names, name) ?? '';
    const member = memberShape(shape, property);
    const [parameter, because] = [described.name, described.spot];
    if (member?.mainType === 'string')
      return { property, parameter, shape: member, sign: 'undeclared', because };
  }
  return undefined;
}

/**
 * A text with the parameter's name: an attribute of JSON:API, or what a client chooses and no response shows, as the `key`
 * of `/groups/{group_key}`.
 */
function textCalled(
  name: string,
  record: Shape,
  create: Operation | undefined,
  described: Parameter | undefined,
): Pick<Identity, 'property' | 'inner' | 'shape'> | undefined {
  const inside = idWord(name) === undefined ? attributesIn(record) : undefined;
  const inner = findNamed(inside?.properties.keys() ?? [], name);
  const attribute = inner === undefined ? undefined : inside?.properties.get(inner);
  if (attribute?.mainType === 'string') return { property: 'attributes', inner, shape: attribute };
  const sent = create && bodyShape(create)?.properties.get(name);
  const isText = sent?.mainType === 'string' && described?.shape.mainType === 'string';
  return isText && !sent.readOnly ? { property: name, shape: sent } : undefined;
}

/**
 * Whether a member is content and no id: the `comment` of `/comments/{comment}`, if it can be changed and there is an id.
 */
function isContent(property: string, shape: Shape, change: Operation | undefined): boolean {
  const isNoun = change !== undefined && recordName(change.path) === singularName(property);
  const hasId = ID_NAMES.some((name) => findNamed(memberNames(shape), name) !== undefined);
  return isNoun && hasId && bodyShape(change)?.properties.get(property)?.readOnly === false;
}

/**
 * Whether the name identifies the record: for `{database}` the `name`, if its `id` has a format that the parameter lacks.
 */
function isNamedByClient(shape: Shape, described: Parameter | undefined): boolean {
  if (!described || idWord(described.name) !== undefined) return false;
  const [name, id] = ['name', 'id'].map((member) => memberShape(shape, member));
  const isText = described.shape.mainType === 'string' && !described.shape.find('format');
  return (
    isText &&
    name?.mainType === 'string' &&
    (id?.mainType === 'integer' || id?.find('format')?.value === 'uuid')
  );
}

/** Possible names of the id, the likeliest first; for `/menuItems/{id}` also `menuItemId` and `itemId`. */
function namesOfId(parameter = '', path = '', isName = false): (readonly [string, IdSign])[] {
  const words = wordsOf(parameter);
  const end = words.at(-1) ?? '';
  const above = itemOf(path)?.above ?? '';
  // Of `/tables/{table_name}/{schema_name}` the record has the `name` of a table.
  const isSecond = above.endsWith('}');
  // `issue_number` -> `number`, `connectAppSid` -> `AppSid`, `Sid`; `petId` says no more than `id`.
  const ends = words.map((_, at) => words.slice(at + 1).join('_')).filter((one) => one !== 'id');
  const nouns = ID_NAMES.includes(end) ? wordsOf(above.split('/').at(-1) ?? '') : [];
  return [
    [parameter, 'name of the parameter'],
    ...[...ends, ...(isName ? ['name'] : [])].flatMap((name) =>
      isSecond ? [] : [[name, 'end of the parameter'] as const],
    ),
    ...ID_NAMES.map((name) => [name, 'name id'] as const),
    ...nouns.map((_, at) => [singularName(nouns.slice(at).join('-')) + end, 'name id'] as const),
  ];
}

/** The path parameter of which `x-paddock` says that it is the id. */
export function saidParameter({ said: { facts } }: Operation): string | undefined {
  return Object.entries(facts.path ?? {}).find(([, meaning]) => meaning === '$id')?.[0];
}

/**
 * The id where the record's schema has none: the path parameter is the id of what is created,
 * which responses show as an undeclared member, or only in `Location`. For an order it may be the `shopOrderId`.
 */
function undeclared(
  shape: Shape,
  create: Operation | undefined,
  described: Parameter | undefined,
  path: string,
): Identity | undefined {
  if (!described || !isObjectShape(shape)) return undefined;
  const { name: parameter, shape: idShape, spot: because } = described;
  const [longer, ...more] = memberNames(shape).filter((name) => isLongerId(name, path, shape, idShape));
  const whole = more.length === 0 ? longer : undefined;
  const property = whole ?? ID_NAMES.find((name) => name === wordsOf(parameter).at(-1));
  if (property === undefined || !(whole ?? create)) return undefined;
  return { property, parameter, shape: idShape, sign: 'undeclared', because };
}

/** Whether a name is the collection's noun with words before it that name no other record: `shopOrderId`. */
function isLongerId(name: string, path: string, shape: Shape, parameter: Shape): boolean {
  const stem = idStem(name);
  const isOther = wordsOf(name).some((word) => OTHERS.has(word));
  return (
    !isOther &&
    stem?.endsWith(recordName(path)) === true &&
    memberShape(shape, name)?.mainType === parameter.mainType
  );
}

const OTHERS = setOf('parent previous original next related source target root linked');

export const isIn = (parameter: Parameter, name: string | undefined) =>
  (parameter.in === 'path' || parameter.in === 'query') && parameter.name === name;

/** Whether a value can stand in a path: it is no object and no array. */
export const isScalar = ({ mainType }: Shape) => mainType !== 'object' && mainType !== 'array';

/** The member of a body that identifies the record: `id`, or `petId` for `/pets`. */
export function idInBody(
  { id, path }: Pick<Resource, 'id' | 'path'>,
  body: Shape | undefined,
): string | undefined {
  if (!id || !body) return undefined;
  const names = [...body.properties.keys()];
  return memberShape(body, id.property)
    ? id.property
    : names.find((name) => namesIdOf(name, recordName(path)));
}

/** A response to a create, with its request. */
export interface CreateResponse {
  /** The values of the request's path. */
  readonly path: Readonly<Record<string, unknown>> | undefined;
  readonly url: string;
  readonly body: unknown;
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined;
}

type Created = Pick<Resource, 'id' | 'actions' | 'shape' | 'path'>;

/**
 * Possible ids of the record that a create has made, the most certain first: by a Link, the path of a PUT, the id
 * of the record, a member with the name of the items' path parameter, both in the record, around it, or in the only object
 * beside others that has one; a `Location` of the same origin.
 */
export function* createdIds(
  resource: Created,
  operation: Operation,
  { path, url, body, header }: CreateResponse,
): Generator<unknown> {
  const { id, actions } = resource;
  if (!id) return;
  const withinOf = (value: unknown) =>
    id.inner !== undefined && isRecord(value) ? ownEntry(value, id.inner) : value;
  const said = operation.said.facts.in?.id;
  if (said !== undefined && said !== '$Location') yield valueAt(body, said.split('.'));
  for (const source of linkedIds(resource, operation)) {
    if (source.from === 'header') yield header(source.name);
    if (source.from === 'body') yield valueAt(body, source.pointer);
  }
  if (operation === actions.replace || isAtItem(resource, operation)) yield path?.[id.parameter ?? ''];
  const record = valueAt(body, recordPath(resource, operation));
  for (const wanted of [id.property, id.parameter ?? id.property, `${recordName(resource.path)}_id`]) {
    yield withinOf(memberNamed(record, wanted));
    if (wanted === id.parameter) yield memberNamed(body, wanted);
    const around = isRecord(body) ? Object.values(body) : [];
    const [only, ...more] = around.flatMap((one) => memberNamed(one, wanted) ?? []);
    if (more.length === 0) yield withinOf(only);
  }
  yield locatedId(resource, header('location'), url);
  if (isIdAlone(body)) yield body;
}

/** Whether the path of an operation ends in the id of the record that it reads, writes or creates. */
export function isAtItem({ id }: Pick<Resource, 'id'>, { path }: Operation): boolean {
  return id?.parameter !== undefined && path.endsWith(`{${id.parameter}}`);
}

/** Whether a body can only be an id: a UUID (RFC 9562), or at least 24 hexadecimal digits. A number may be a count. */
function isIdAlone(body: unknown): boolean {
  return typeof body === 'string' && ID_ALONE.test(body);
}

const ID_ALONE = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{24,64})$/i;

function memberNamed(value: unknown, wanted: string): unknown {
  const name = isRecord(value) ? findNamed(Object.keys(value), wanted) : undefined;
  return isRecord(value) && name !== undefined ? value[name] : undefined;
}

/** The ids of a created record according to Links (Link Object, OpenAPI 3.1 §4.8.20). */
function linkedIds(
  { id, actions }: Pick<Created, 'id' | 'actions'>,
  operation: Operation,
): ExpressionSource[] {
  return linksTo(Object.values(actions), id?.parameter, operation).map(({ source }) => source);
}

/** The expressions that Links of a success give for a path parameter of these operations. */
export function linksTo(items: readonly Operation[], parameter: string | undefined, operation: Operation) {
  return (successOf(operation)?.links ?? []).flatMap((link) => {
    if (!items.some(({ id }) => id === link.operationId) || !isRecord(link.parameters)) return [];
    const expression = link.parameters[parameter ?? ''] ?? link.parameters[`path.${parameter}`];
    const source = parseRuntimeExpression(String(expression));
    return source && 'of' in source && source.of === 'response' ? [{ link, source }] : [];
  });
}

/**
 * Other names of the id in a response: those that a Link names, that of the items'
 * path parameter, and those with the collection's noun.
 * @param shown the schema of that record
 */
export function idMembers(resource: Created, operation: Operation, { properties }: Shape): string[] {
  const { id, shape, path } = resource;
  const linked = linkedIds(resource, operation).map((linkedId) =>
    linkedId.from === 'body' ? linkedId.pointer.at(-1) : '',
  );
  // `request_id` of `/requests`, whose items have the path parameter `id`.
  const called = [...properties.keys()].filter((name) => namesIdOf(name, recordName(path)));
  const names = [...linked, findNamed(properties.keys(), id?.parameter ?? ''), ...called];
  return [...new Set(names)].filter(
    (name): name is string =>
      name !== undefined && name !== id?.property && properties.has(name) && !shape.properties.has(name),
  );
}

/**
 * Whether the response to a write is nothing but the id of the record: `"3011aa95-c6a2-4562-9dc2-12c06bb0424b"`. A number
 * may be a count of changes, and a text without a format may be anything.
 */
export function showsIdAlone({ id, actions }: Created, operation: Operation): boolean {
  const answer = answerShape(operation);
  if (!answer || id?.inner !== undefined || answer.mainType !== id?.shape.mainType) return false;
  if (answer.mainType === 'integer') return operation === actions.create;
  return answer.find('format')?.value === 'uuid';
}

/** The id in a `Location` with the origin of the request and a path that the document has for items. */
function locatedId({ id, actions }: Created, location: string | undefined, from: string): unknown {
  const { read, remove, replace, update } = actions;
  const { path } = read ?? remove ?? replace ?? update ?? {};
  const url = location === undefined ? undefined : URL.parse(location, from);
  if (!url || path === undefined || id?.parameter === undefined || url.origin !== new URL(from).origin)
    return undefined;
  const parts = path.replace(/\/$/, '').split(/\{[^{}]+\}/);
  const match = new RegExp(`${parts.map(escapeText).join('([^/]+)')}/?$`).exec(url.pathname);
  const text = match?.[pathParameters(path).indexOf(id.parameter) + 1];
  const decoded = text === undefined ? undefined : percentDecode(text);
  return id.shape.mainType === 'integer' && /^-?\d+$/.test(decoded ?? '')
    ? parseJson(decoded as string)
    : decoded;
}

/**
 * The members that the service derives a new id from, as a slug from a title; the first that is present counts. Empty:
 * none.
 */
export function idSources({ id, shape }: Pick<Resource, 'id' | 'shape'>): readonly string[] {
  if (id?.shape.mainType !== 'string') return [];
  const { idFrom } = saidOfRecord(shape).facts;
  if (idFrom !== undefined) return [idFrom];
  return sameName(id.property, 'slug') ? ['title', 'name', 'headline'] : [];
}
