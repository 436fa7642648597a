import { isRecord } from '../json/json-value.ts';
import { memberNames } from '../meaning/member-named.ts';
import {
  findNamed,
  foldedName,
  ID_NAMES,
  idStem,
  namesIdOf,
  singularName,
  wordsOf,
} from '../meaning/names.ts';
import { saidOfCollection } from '../meaning/x-paddock.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { linksTo } from './created-id.ts';
import { idParameter, itemOf } from './paths.ts';
import { isObjectShape, memberShape } from './record-schema.ts';
import type { Identity, IdSign, Parent, Resource } from './resource.ts';

/** The id that a record shows; undefined: it shows none. */
export function idIn({ property, inner }: Identity, record: Readonly<Record<string, unknown>>): unknown {
  const { [property]: value } = record;
  return inner === undefined ? value : isRecord(value) ? value[inner] : undefined;
}

/** The member that identifies a record, or that of an object in it; undefined: nothing says which. */
export function identify(shape: Shape, actions: Resource['actions']): Identity | undefined {
  const { create, read, replace, update, remove } = actions;
  const items = [read, replace, update, remove].flatMap((item) => item ?? []);
  const [parameter] = items.flatMap((item) => saidParameter(item, '$id') ?? idParameter(item.path) ?? []);
  const said = saidId(shape, actions, parameter);
  if (said) return said;
  const [above = ''] = items.flatMap(({ path }) => itemOf(path)?.above ?? []);
  const reads = new Set(read ? [read.id] : []);
  for (const { link, source } of create && parameter ? linksTo(reads, parameter, create) : []) {
    const property = source.from === 'body' ? source.pointer.at(-1) : undefined;
    const found = property === undefined ? undefined : memberShape(shape, property);
    if (property !== undefined && found && !isCompound(found))
      return { property, parameter, shape: found, sign: 'link', because: link.spot };
  }
  for (const [name, sign] of namesOfId(parameter, above)) {
    const property = findNamed(memberNames(shape), name);
    const found = property === undefined ? undefined : memberShape(shape, property);
    if (property === undefined || !found || isCompound(found)) continue;
    const isFit = property === parameter || ID_NAMES.includes(name) || mayBeEqual(found, read, parameter);
    const described = sign === 'name id' ? undefined : read?.parameters.find((one) => one.name === parameter);
    if (isFit) return { property, parameter, shape: found, sign, because: (described ?? found).spot };
  }
  if (parameter === undefined) return undefined;
  return idInside(shape, actions, parameter) ?? undeclared(shape, create, items, parameter);
}

/** What the id may be called, the likeliest first; of `/menuItems/{id}` also `menuItemId` and `itemId`. */
function namesOfId(parameter: string | undefined, above: string): (readonly [string, IdSign])[] {
  const ofParameter = parameter === undefined ? [] : [parameter];
  const end = parameter === undefined ? undefined : endOf(parameter);
  const words = ID_NAMES.includes(end ?? '') ? wordsOf(above.split('/').at(-1) ?? '') : [];
  const nouns = words.map((_, index) => singularName(words.slice(index).join('-')));
  return [
    ...ofParameter.map((name) => [name, 'name of the parameter'] as const),
    ...ofParameter.flatMap(endsOf).map((name) => [name, 'end of the parameter'] as const),
    ...[...ID_NAMES, ...nouns.map((noun) => noun + end)].map((name) => [name, 'name id'] as const),
  ];
}

/** What `x-paddock` says. */
function saidId(
  shape: Shape,
  actions: Resource['actions'],
  parameter: string | undefined,
): Identity | undefined {
  const { facts, at } = saidOfCollection({ shape, actions });
  const [property, inner] = facts.id?.split('.') ?? [];
  const member = property === undefined ? undefined : memberShape(shape, property);
  const found = inner === undefined ? member : member && memberShape(member, inner);
  if (property === undefined || !found) return undefined;
  return { property, inner, parameter, shape: found, sign: 'said', because: at('id') ?? found.spot };
}

/** The path parameter of which `x-paddock` says that it names this. */
function saidParameter({ said: { facts } }: Operation, meaning: string): string | undefined {
  return Object.entries(facts.path ?? {}).find(([, one]) => one === meaning)?.[0];
}

/** The object that a record shows under the noun of the parameter may be what identifies it. */
function idInside(
  shape: Shape,
  { read, list }: Resource['actions'],
  parameter: string,
): Identity | undefined {
  const end = endOf(parameter);
  const noun = wordsOf(parameter).slice(0, -1).join('');
  if (end === undefined || !ID_NAMES.includes(end) || noun === '') return undefined;
  const [property, member] = [...shape.properties].find(([name]) => foldedName(name) === noun) ?? [];
  const [inner, id] =
    [...(member?.properties ?? [])].find(([name]) => [end, noun + end].includes(foldedName(name))) ?? [];
  if (property === undefined || inner === undefined || !id || isCompound(id)) return undefined;
  const because = (read ?? list)?.spot ?? id.spot;
  return { property, inner, parameter, shape: id, sign: 'of an object', because };
}

/**
 * Where the schema of the record names no id and allows further members, the path parameter is the id of what is created:
 * it comes as a member that the schema does not name, or in `Location` alone.
 */
function undeclared(
  shape: Shape,
  create: Operation | undefined,
  items: readonly Operation[],
  parameter: string,
): Identity | undefined {
  const described = items.flatMap(({ parameters }) => parameters).find((one) => isIn(one, parameter));
  const property = ID_NAMES.find((name) => name === endOf(parameter));
  if (!create || !described || property === undefined || isCompound(described.shape)) return undefined;
  if (!isObjectShape(shape) || isClosed(shape)) return undefined;
  return { property, parameter, shape: described.shape, sign: 'undeclared', because: described.spot };
}

const isIn = (parameter: Parameter, name: string) => parameter.in === 'path' && parameter.name === name;

/** `id` of `{id}`, `{petId}` and `{pet_id}`. */
const endOf = (parameter: string) => wordsOf(parameter).at(-1);

function isClosed(shape: Shape): boolean {
  const isFalse = shape.all('additionalProperties').some(({ value }) => value === false);
  return isFalse || shape.has('unevaluatedProperties') || shape.alternatives.some(isClosed);
}

/** Nothing in a path is an object or an array. */
const isCompound = ({ mainType }: Shape) => mainType === 'object' || mainType === 'array';

/** A number names no record whose member is a text. */
function mayBeEqual(member: Shape, read: Operation | undefined, parameter: string | undefined): boolean {
  const described = read?.parameters.find((one) => one.in === 'path' && one.name === parameter);
  return described?.shape.mainType !== 'integer' || [undefined, 'integer'].includes(member.mainType);
}

/** `issue_number` -> `number`, `connectAppSid` -> `AppSid`, `Sid`; `petId` says no more than `id`. */
function endsOf(parameter: string): string[] {
  const words = wordsOf(parameter);
  const ends = words.slice(1).map((_, index) => words.slice(index + 1).join('_'));
  return ends.filter((end) => end !== 'id');
}

/** The member of a nested record that names its parent. */
type ParentMember = Pick<Parent, 'property' | 'inner'> & { readonly property: string };

/**
 * The member that holds the value of a path parameter of the collection: of `/owners/{ownerId}/dogs` that is `ownerId`,
 * `owner_id`, `owner` where it is an id of the same type, or `owner.id`. The record's own id is none of them.
 * @param isGuess nobody is held to it: also for `/find-by-owner/{key}`, a number for a text, and `appid` for `/applications/{id}`
 */
export function parentMember(
  { shape, id, actions }: Pick<Resource, 'shape' | 'id' | 'actions'>,
  path: string,
  parameter: string,
  parameters: readonly Parameter[],
  isGuess = false,
): ParentMember | undefined {
  const [told, within] =
    saidOfCollection({ shape, actions }).facts.parents?.[parameter]?.member?.split('.') ?? [];
  if (told !== undefined) return { property: told, inner: within };
  const described = parameters.find((one) => isIn(one, parameter));
  const members = membersOf(shape).filter(([name]) => name !== id?.property);
  const ids = members.filter(([, member]) => isId(member, described)).map(([name]) => name);
  const nouns = nounsOf(path, parameter, isGuess);
  const spelled = findNamed(new Map(members).keys(), parameter);
  const isExact = members.some(([name, member]) => name === parameter && !isCompound(member));
  const direct =
    isExact || (spelled !== undefined && ids.includes(spelled))
      ? spelled
      : nouns.flatMap((noun) => ids.find((name) => namesIdOf(name, noun)) ?? [])[0];
  if (direct !== undefined) return { property: direct, inner: undefined };
  for (const noun of nouns)
    for (const [property, member] of members.filter(([name]) => foldedName(name) === noun)) {
      const inner = member.properties.get('id');
      const isNumber = isGuess && member.mainType === 'integer' && !member.values;
      if (isNumber || isSameKind(member, described)) return { property, inner: undefined };
      if (inner && isId(inner, described)) return { property, inner: 'id' };
    }
  const [short, ...more] = ids.filter((name) => nouns.some((noun) => isShortFor(foldedName(name), noun)));
  return isGuess && short !== undefined && more.length === 0
    ? { property: short, inner: undefined }
    : undefined;
}

/** `appid` for `application`. */
function isShortFor(name: string, noun: string): boolean {
  const [, stem = ''] = /^(.{3,})id$/.exec(name) ?? [];
  return stem !== '' && stem !== noun && noun.startsWith(stem);
}

/** Also those of the branches of `oneOf` and `anyOf`. */
function membersOf(shape: Shape): [string, Shape][] {
  return [...shape.properties, ...shape.alternatives.flatMap(membersOf)];
}

/** What a parameter names, in lower case: from its own name, and from the segment before it. */
function nounsOf(path: string, parameter: string, isGuess: boolean): string[] {
  const segments = path.split('/');
  const before = segments[segments.indexOf(`{${parameter}}`) - 1] ?? '';
  const own = idStem(parameter) ?? foldedName(parameter);
  const words = wordsOf(before);
  const ends = words
    .slice(0, isGuess ? words.length : 1)
    .map((_, at) => singularName(words.slice(at).join('-')));
  return [...new Set([own, ...ends])].filter((noun) => noun !== '' && !ID_NAMES.includes(noun));
}

const SCALARS = new Set(['string', 'integer', 'number']);

/** A parameter is often described as a text where the member is a number, and vice versa; a name is a text. */
function isId({ mainType, values }: Shape, parameter: Parameter | undefined): boolean {
  if (mainType !== 'string' && parameter && /name$/i.test(parameter.name)) return false;
  return (
    mainType !== undefined && SCALARS.has(mainType) && !values && parameter?.shape.mainType !== 'boolean'
  );
}

/** A member without `id` in its name may be a text about the parent: only a number, or the same format, is its id. */
function isSameKind(member: Shape, parameter: Parameter | undefined): boolean {
  const type = parameter?.shape.mainType;
  if (member.mainType === undefined || member.mainType !== type || member.values) return false;
  const format = (shape: Shape | undefined) => shape?.find('format')?.value;
  return type === 'integer' || (format(member) !== undefined && format(member) === format(parameter?.shape));
}
