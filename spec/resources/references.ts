import { type Basis, basisOf, type Sign } from '../meaning/basis.ts';
import { memberNames } from '../meaning/member-named.ts';
import {
  findNamed,
  foldedName,
  ID_NAMES,
  idStem,
  idStems,
  namesIdOf,
  singularName,
} from '../meaning/names.ts';
import { saidOfRecord } from '../meaning/x-paddock.ts';
import type { Shape } from '../schema/shape.ts';
import { lastSegment, recordName } from './paths.ts';
import { memberShape, schemaKey } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** A member that names a record of a collection by its id, or shows it; or several of them. */
export interface Reference extends Basis {
  readonly property: string;
  readonly to: Resource;
  /** The object that shows the record, of several that of each; undefined: the member holds what names it. */
  readonly shape: Shape | undefined;
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
  const said = saidOfRecord(shape).facts.members ?? {};
  const members = [...new Set(memberNames(shape))].flatMap((property) => {
    const of = said[property]?.names;
    const to = of === undefined ? undefined : resources.find(({ path }) => path === of);
    const member = memberShape(shape, property);
    return member ? [{ property, to, inner: member.items ?? member }] : [];
  });
  const shown = members.flatMap(({ property, to, inner }) => shownBy(property, inner, resources, to));
  const ids = members.flatMap(({ property, to, inner }): Reference[] => {
    if (inner.mainType === 'object') return [];
    const nouns = idStems(property);
    const beside = shown.find((one) => nouns.includes(singularName(one.property)));
    const alike =
      nouns.length > 0
        ? []
        : namesakes(resources, singularName(property)).filter((one) => isIdForm(property, inner, one));
    const named = [...nouns.flatMap((noun) => namesakes(resources, noun)), ...alike].filter(isMeant);
    const able = (beside ? [beside.to] : named).filter((one) => mayHold(inner, one));
    const [first, ...more] = to ? [to] : able;
    const isSame =
      beside?.signs?.includes('schema') || (first && alike.includes(first) && inner.mainType === 'string');
    const bySchema: readonly Sign[] = isSame ? ['schema'] : [];
    const basis = basisOf(to ? ['said'] : ['name', ...bySchema], inner.spot);
    return first?.id ? [{ property, to: first, shape: undefined, isSole: more.length === 0, ...basis }] : [];
  });
  return [...shown, ...ids];
}

/** An object of a collection that has a path of its own. */
function shownBy(
  property: string,
  inner: Shape,
  resources: readonly Resource[],
  said: Resource | undefined,
): Reference[] {
  if (inner.mainType !== 'object') return [];
  const isAble = ({ id, parents }: Resource) =>
    id && parents.length === 0 && inner.properties.get(id.property)?.mainType === id.shape.mainType;
  const key = schemaKey(inner);
  const same = resources.filter((one) => key !== undefined && schemaKey(one.shape) === key && isAble(one));
  const named = namesakes(resources, singularName(property)).filter(isAble);
  const [to, ...more] = said ? [said] : same.length > 0 ? same : named;
  if (!to?.id || more.length > 0) return [];
  const signs: Sign[] = [
    ...(said ? (['said'] as const) : []),
    ...(same.length > 0 ? (['schema'] as const) : []),
    ...(named.includes(to) ? (['name'] as const) : []),
  ];
  return [{ property, to, shape: inner, isSole: true, ...basisOf(signs, inner.spot) }];
}

/** Whether a value can be the id of a record. Texts of another format are other texts, and one of a few values is none. */
function mayHold(holder: Shape, { id }: Resource): boolean {
  if (!id || id.inner !== undefined || holder.values) return false;
  return [holder, ...holder.alternatives].some((form) => {
    const [own, other] = [form, id.shape].map((one) => one.find('format')?.value);
    const isText = form.mainType === 'string' && own !== undefined && other !== undefined;
    return form.mainType === id.shape.mainType && (!isText || own === other);
  });
}

/** Whether a member called as one of the records, `category` of `/categories`, has the form of their ids. */
function isIdForm(property: string, inner: Shape, { id, path }: Resource): boolean {
  const [own, other] = [inner, id?.shape].map((one) => one?.find('format')?.value);
  const isSame =
    inner.mainType === 'integer' || (inner.mainType === 'string' && own !== undefined && own === other);
  return isSame && foldedName(property) !== foldedName(lastSegment(path) ?? '');
}

const known = new WeakMap<readonly Resource[], ReadonlyMap<string, readonly Resource[]>>();

/** The collections of records with a name, in the singular: those with the fewest parents first. */
function namesakes(resources: readonly Resource[], noun: string): readonly Resource[] {
  const depth = ({ parents, path }: Resource) => parents.length * 1000 + path.length;
  const sorted = () => resources.filter(({ id }) => id).toSorted((one, other) => depth(one) - depth(other));
  const found = known.get(resources) ?? Map.groupBy(sorted(), ({ path }) => recordName(path));
  known.set(resources, found);
  return found.get(noun) ?? [];
}

/** The collection whose records a name is that of the ids of, `pet_id`, or `petid`; of several that with the fewest parents. */
export function collectionNamed(resources: readonly Resource[], name: string): Resource | undefined {
  return idStems(name).flatMap((noun) => namesakes(resources, noun))[0];
}

/** An id beside the object, or the list of objects, that it is of: `book_id` beside `book`. */
export interface IdBeside {
  readonly property: string;
  readonly beside: string;
  /** The member of that object which is the same. */
  readonly id: string;
}

/** The ids in a schema of objects beside them, whatever these are. */
export function idsBeside({ properties }: Shape): IdBeside[] {
  const objects = [...properties].flatMap(([beside, member]) => {
    const noun = singularName(beside);
    const id = idMemberIn(member.items ?? member, noun);
    return id === undefined ? [] : [{ beside, noun, id, isList: member.mainType === 'array' }];
  });
  return [...properties].flatMap(([property, { mainType }]) => {
    const noun = objects.length > 0 ? idStem(property) : undefined;
    const [only, ...more] = objects.filter(
      (one) => one.noun === noun && one.isList === (mainType === 'array'),
    );
    return only && more.length === 0 ? [{ property, beside: only.beside, id: only.id }] : [];
  });
}

/** The member that is the id of an object: `id`, `uuid`, or `book_id` of a book. */
export function idMemberIn({ mainType, properties }: Shape, noun: string): string | undefined {
  const names = mainType === 'object' ? [...properties.keys()] : [];
  const own = ID_NAMES.map((end) => findNamed(names, end)).find((one) => one !== undefined);
  return own ?? names.find((name) => namesIdOf(name, noun));
}

/**
 * The members of a record that show what a request has under another name, by that name: `category` for `category_id`, `tags`
 * for `tag_ids`, `first_name` for `firstName`; or as `x-paddock` says.
 */
export function shownNames(sent: ReadonlyMap<string, Shape>, record: Shape): ReadonlyMap<string, string> {
  const free = [...record.properties].filter(([name]) => !sent.has(name));
  const said = Object.entries(saidOfRecord(record).facts.members ?? {});
  return new Map(
    [...sent.keys()].flatMap((name) => {
      const [told] = said.find(([, { aka }]) => aka?.includes(name)) ?? [];
      const same = findNamed(new Map(free).keys(), name);
      const stem = idStem(name);
      const objects = free.filter(
        ([own, member]) =>
          singularName(own) === stem && idMemberIn(member.items ?? member, stem) !== undefined,
      );
      const shown = told ?? same ?? (objects.length === 1 ? objects[0]?.[0] : undefined);
      return shown === undefined || record.properties.has(name) ? [] : [[name, shown] as const];
    }),
  );
}
