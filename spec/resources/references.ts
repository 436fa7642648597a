import { type Basis, basisOf, type Sign } from '../meaning/basis.ts';
import { memberNames } from '../meaning/member-named.ts';
import {
  findNamed,
  foldedName,
  ID_NAMES,
  idStem,
  idStems,
  idWord,
  namesIdOf,
  singularName,
  wordsOf,
} from '../meaning/names.ts';
import { saidOfRecord } from '../meaning/x-paddock.ts';
import type { Shape } from '../schema/shape.ts';
import { recordName } from './paths.ts';
import { memberShape, schemaKey } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** A member that names a record of a collection, or shows it; or several of them. */
export interface Reference extends Basis {
  readonly property: string;
  readonly to: Resource;
  /** The object that shows the record, of several that of each; undefined: the member holds what names it. */
  readonly shape: Shape | undefined;
  /** The member of the record whose value names it: its id, or another one that is called so. */
  readonly by: string;
  /** No other collection can be meant. */
  readonly isSole: boolean;
}

/**
 * The members of a schema that name or show records of collections: an object with the schema or the name of the records;
 * an id with their name, or with that of such an object beside it.
 * @param isMeant which collections ids may be of
 */
export function referencesOf(
  shape: Shape,
  resources: readonly Resource[],
  isMeant: (resource: Resource) => boolean = () => true,
): Reference[] {
  const names = memberNames(shape);
  const members = [...new Set(names)].flatMap((name) => {
    const member = memberShape(shape, name);
    return member ? [{ name, inner: member.items ?? member }] : [];
  });
  const said = saidOfRecord(shape).facts.members ?? {};
  const saidOf = (name: string) => {
    const { names: of } = said[name] ?? {};
    return of === undefined ? undefined : resources.find(({ path }) => path === of);
  };
  const shown = members.flatMap(({ name, inner }) => shownBy(name, inner, resources, saidOf(name)) ?? []);
  const ids = members.flatMap(({ name, inner }): Reference[] => {
    if (inner.mainType === 'object') return [];
    const of = saidOf(name);
    const by = of?.id && (namingMember(name, inner, of) ?? of.id.property);
    const known = { property: name, shape: undefined };
    if (of && by) return [{ ...known, to: of, by, isSole: true, ...basisOf(['said'], inner.spot) }];
    const beside = shown.find(({ property }) => idStems(name).includes(singularName(property)));
    const candidates = beside ? [beside.to] : namedSo(resources, name, inner).filter(isMeant);
    const [nearest, ...more] = ableToName(name, inner, candidates);
    const signs: Sign[] = ['name', ...(beside?.signs?.includes('schema') ? (['schema'] as const) : [])];
    return nearest
      ? [{ ...known, ...nearest, isSole: more.length === 0, ...basisOf(signs, inner.spot) }]
      : [];
  });
  return [...shown, ...ids];
}

/** An object of a collection that has a path of its own. */
function shownBy(
  property: string,
  inner: Shape,
  resources: readonly Resource[],
  said: Resource | undefined,
): Reference | undefined {
  if (inner.mainType !== 'object') return undefined;
  const able = indexOf(resources).able.filter(
    ({ id }) => id && inner.properties.get(id.property)?.mainType === id.shape.mainType,
  );
  const key = schemaKey(inner);
  const isNamed = ({ path }: Resource) => recordName(path) === singularName(property);
  const same = able.filter((one) => key !== undefined && schemaKey(one.shape) === key);
  const [to, ...more] = said ? [said] : same.length > 0 ? same : able.filter(isNamed);
  if (!to?.id || more.length > 0) return undefined;
  const signs: Sign[] = [
    ...(said ? (['said'] as const) : []),
    ...(same.length > 0 ? (['schema'] as const) : []),
    ...(isNamed(to) ? (['name'] as const) : []),
  ];
  return { property, to, shape: inner, by: to.id.property, isSole: true, ...basisOf(signs, inner.spot) };
}

/** Of candidates those with a member that a value can be, those with a path of their own first. */
function ableToName(property: string, inner: Shape, candidates: readonly Resource[]) {
  if (inner.values) return [];
  const able = candidates.flatMap((to) => {
    const by = namingMember(property, inner, to);
    return by === undefined ? [] : [{ to, by }];
  });
  return able.toSorted((one, other) => byDepth(one.to, other.to));
}

/** Collections with a path of their own come first. */
const byDepth = (one: Resource, other: Resource) =>
  one.parents.length - other.parents.length || one.path.length - other.path.length;

/** `id` for `product_id`, `uuid` for `product_uuid`; undefined: no member of the record can be meant. */
function namingMember(property: string, inner: Shape, { id, shape }: Resource): string | undefined {
  if (!id || id.inner !== undefined) return undefined;
  const end = idWord(property) ?? 'id';
  if ((end === 'id' || idWord(id.property) === end) && mayHold(inner, id.shape)) return id.property;
  const names = memberNames(shape);
  const named = findNamed(names, property) ?? findNamed(names, end);
  const member = named === undefined ? undefined : memberShape(shape, named);
  return member && mayHold(inner, member) ? named : undefined;
}

/** Texts of another format are other texts. */
function mayHold(holder: Shape, held: Shape): boolean {
  return [holder, ...holder.alternatives].some((form) => {
    const [own, other] = [form, held].map((one) => one.find('format')?.value);
    const isSame = form.mainType !== undefined && form.mainType === held.mainType;
    return (
      isSame && (form.mainType !== 'string' || own === undefined || other === undefined || own === other)
    );
  });
}

/** It has a path of its own, and shows its records. */
const isAble = ({ parents, id, actions }: Resource) =>
  parents.length === 0 && id && id.inner === undefined && (actions.read ?? actions.list) !== undefined;

/** The collections whose records a member names by its name alone; `pet` does where it is a text or an object. */
function namedSo(resources: readonly Resource[], name: string, inner: Shape): readonly Resource[] {
  const types = new Set(inner.alternatives.map(({ mainType }) => mainType));
  const own = types.has('object') && types.has('string') ? [singularName(name)] : [];
  return [...new Set([...idStems(name), ...own].flatMap((noun) => indexOf(resources).nouns.get(noun) ?? []))];
}

interface Index {
  readonly able: readonly Resource[];
  readonly nouns: ReadonlyMap<string, readonly Resource[]>;
}

const known = new WeakMap<readonly Resource[], Index>();

function indexOf(resources: readonly Resource[]): Index {
  const named = resources.filter(({ id }) => id);
  const nouns = () => Map.groupBy(named, ({ path }) => recordName(path));
  const index = known.get(resources) ?? { able: named.filter(isAble), nouns: nouns() };
  known.set(resources, index);
  return index;
}

/** The collection whose records a name is that of the ids of, `pet_id`, or `petid`; of several that with the fewest parents. */
export function collectionNamed(resources: readonly Resource[], name: string): Resource | undefined {
  const all = idStems(name).flatMap((noun) => indexOf(resources).nouns.get(noun) ?? []);
  return all.toSorted(byDepth)[0];
}

/** An id beside the object, or the list of objects, that it is of: `book_id` beside `book`. */
export interface IdBeside {
  readonly property: string;
  readonly beside: string;
  /** The member of that object which is the same. */
  readonly id: string;
}

/** The ids in a schema of objects beside them, whatever these are. */
export function idsBeside(shape: Shape): IdBeside[] {
  const objects = [...shape.properties].flatMap(([beside, member]) => {
    const noun = singularName(beside);
    const id = idMemberIn(member.items ?? member, noun);
    return id === undefined ? [] : [{ beside, noun, id, isList: member.mainType === 'array' }];
  });
  if (objects.length === 0) return [];
  return [...shape.properties].flatMap(([property, member]) => {
    const stem = idStem(property);
    const isList = member.mainType === 'array';
    const [only, ...more] = objects.filter((one) => one.noun === stem && one.isList === isList);
    return only && more.length === 0 ? [{ property, beside: only.beside, id: only.id }] : [];
  });
}

/** The member that is the id of an object: `id`, `uuid`, or `book_id` of a book. */
export function idMemberIn({ mainType, properties }: Shape, noun: string): string | undefined {
  if (mainType !== 'object') return undefined;
  const names = [...properties.keys()];
  const own = ID_NAMES.map((end) => findNamed(names, end)).find((one) => one !== undefined);
  return own ?? names.find((name) => namesIdOf(name, noun));
}

/** What services put around the name of one thing in requests and responses. */
const AROUND = new Set(
  'create add new update edit request requests response responses dto dtos input output model'.split(' '),
);

/**
 * The members of a record that show what a request has under another name, by that name: `category` for `category_id`,
 * `tags` for `tag_ids`, `orderItems` for `createOrderItemRequests`, `first_name` for `firstName`; or as `x-paddock` says.
 */
export function shownNames(sent: ReadonlyMap<string, Shape>, record: Shape): ReadonlyMap<string, string> {
  const free = [...record.properties].filter(([name, { writeOnly }]) => !sent.has(name) && !writeOnly);
  const said = Object.entries(saidOfRecord(record).facts.members ?? {});
  return new Map(
    [...sent].flatMap(([name, shape]) => {
      if (record.properties.has(name)) return [];
      const [other] = said.find(([, { aka }]) => aka?.includes(name)) ?? [];
      if (other !== undefined && record.properties.has(other)) return [[name, other] as const];
      const [same, ...likewise] = free.filter(([own]) => foldedName(own) === foldedName(name));
      if (same && likewise.length === 0) return [[name, same[0]] as const];
      const named = idStem(name);
      const found = free.filter(([own, member]) =>
        named === undefined
          ? isCompound(shape) && shape.mainType === member.mainType && stemOf(own) === stemOf(name)
          : singularName(own) === named && idMemberIn(member.items ?? member, named) !== undefined,
      );
      const [only, ...more] = found;
      return only && more.length === 0 ? [[name, only[0]] as const] : [];
    }),
  );
}

const isCompound = ({ mainType }: Shape) => mainType === 'array' || mainType === 'object';

function stemOf(name: string): string {
  return singularName(
    wordsOf(name)
      .filter((word) => !AROUND.has(word))
      .join('-'),
  );
}
