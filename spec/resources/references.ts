import { oncePer } from '../json/once-per.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { memberNames } from '../meaning/member-named.ts';
import {
  findNamed,
  foldedName,
  ID_NAMES,
  idStem,
  idStems,
  idWord,
  namesIdOf,
  sameName,
  setOf,
  singular,
  singularName,
  wordsOf,
} from '../meaning/names.ts';
import { saidOfRecord } from '../meaning/x-paddock.ts';
import type { Shape } from '../schema/shape.ts';
import { holdsUsers } from './accounts.ts';
import { isPersonName } from './members.ts';
import { lastSegment, recordName } from './paths.ts';
import { memberShape, schemaKey, schemaName, withoutNull } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** A member that refers to one record of a collection, or several, by id or by embedding. */
export interface Reference extends Basis {
  readonly property: string;
  readonly to: Resource;
  /** The schema of the embedded record, or of each of several; undefined: the member holds ids. */
  readonly shape: Shape | undefined;
  /** No other collection fits. */
  readonly isSole: boolean;
}

/** The members with lists of ids, where only one collection fits, and it has no parents. */
export const namedLists = (shape: Shape, resources: readonly Resource[]): Reference[] =>
  referencesOf(shape, resources).filter(
    ({ property, to, shape: embedded, isSole }) =>
      !embedded && isSole && to.parents.length === 0 && memberShape(shape, property)?.mainType === 'array',
  );

/**
 * The members of a schema that refer to records: an object with the schema or the noun of a collection's records;
 * an id with their noun, or with the name of such an object beside it.
 * @param isMeant the collections that ids may refer to
 */
export function referencesOf(
  shape: Shape,
  resources: readonly Resource[],
  isMeant: (resource: Resource) => boolean = () => true,
): Reference[] {
  const said = saidOfRecord(shape).facts.members ?? {};
  const members = [...new Set(memberNames(shape))].flatMap((property): Member[] => {
    const of = said[property]?.names;
    const to = of === undefined ? undefined : resources.find(({ path }) => path === of);
    const member = memberShape(shape, property);
    if (!member) return [];
    const isList = withoutNull(member).items !== undefined;
    return [
      {
        property,
        to,
        inner: innerOf(member),
        isChoice: innerOf(member) !== (member.items ?? member),
        isList,
      },
    ];
  });
  const embedded = members.flatMap((member) => shownBy(member, resources));
  const ids = members.flatMap(({ property, to, inner, isList }): Reference[] => {
    if (inner.mainType === 'object') return [];
    const nouns = idStems(property);
    const beside = embedded.find((reference) => nouns.includes(singularName(reference.property)));
    const alike =
      nouns.length > 0
        ? []
        : namesakes(resources, referredNoun(property)).filter(
            (namesake) => isIdForm(inner, namesake) && (isList || isMadeThere(property, namesake)),
          );
    const keyed =
      nouns.length > 0 || alike.length > 0 ? [] : resources.filter((resource) => isKeyOf(property, resource));
    const called = [...nouns.flatMap((noun) => namesakes(resources, noun)), ...alike, ...keyed];
    const users = called.length > 0 ? [] : usersMeant(resources, property);
    // `external_user_id` may be of another service: such a name alone is no relation.
    const within = called.length + users.length > 0 ? [] : withinName(resources, property);
    const named = [
      ...called,
      ...users.filter((to) => nouns.length > 0 || isIdForm(inner, to)),
      ...within,
    ].filter(isMeant);
    const able = (beside ? [beside.to] : named).filter((resource) => mayHold(inner, resource));
    const [first, ...more] = to ? [to] : able;
    const isAlike = first !== undefined && alike.includes(first) && inner.mainType === 'string';
    const isSame = beside?.signs?.includes('schema') || isAlike;
    const basis = basisOf(to ? ['said'] : ['name', isSame && 'schema'], inner.spot);
    const isSole = more.length === 0 && !within.includes(first as Resource);
    return first?.id ? [{ property, to: first, shape: undefined, isSole, ...basis }] : [];
  });
  return [...embedded, ...ids];
}

/** Members with either an id or the embedded record: `oneOf` a text and the schema of the records. */
export function expandableMembers(
  shape: Shape,
  resources: readonly Resource[],
): Pick<Reference, 'property' | 'to'>[] {
  return [...new Set(memberNames(shape))].flatMap((property) => {
    const member = memberShape(shape, property);
    const forms = member ? innerOf(member).alternatives : [];
    const [to] = forms.flatMap((form) => bySchema(resources).get(schemaKey(form)) ?? []);
    return to && forms.some((form) => mayHold(form, to)) ? [{ property, to }] : [];
  });
}

/** The first collection with each schema. */
const bySchema = oncePer((resources: readonly Resource[]) => {
  const bySchemaKey = new Map(
    resources.toReversed().map((resource) => [schemaKey(resource.shape), resource]),
  );
  bySchemaKey.delete(undefined);
  return bySchemaKey;
});

interface Member {
  readonly property: string;
  /** The collection that `x-paddock` says. */
  readonly to: Resource | undefined;
  readonly inner: Shape;
  /** Whether the value is one of several, by `oneOf` or `anyOf`, besides null. */
  readonly isChoice: boolean;
  /** Several of these. */
  readonly isList: boolean;
}

/** The schema of a member's value, or of its items, without null. */
export function innerOf(member: Shape): Shape {
  const form = withoutNull(member);
  return form.items ? withoutNull(form.items) : form;
}

/** Whether an object is an embedded record of a collection, by schema or name. */
function shownBy(
  { property, to: said, inner, isChoice }: Member,
  resources: readonly Resource[],
): Reference[] {
  if (inner.mainType !== 'object') return [];
  const isAble = ({ id }: Resource) =>
    id && inner.properties.get(id.property)?.mainType === id.shape.mainType;
  const key = schemaKey(inner);
  // Integer ids that the service makes are unique even below different parents.
  const same = resources
    .filter((resource) => key !== undefined && schemaKey(resource.shape) === key && isAble(resource))
    .filter(({ id, parents }) => parents.length === 0 || id?.shape.mainType === 'integer')
    .toSorted(byDepth);
  const namesake = namesakes(resources, singularName(property));
  const named = (namesake.length > 0 ? namesake : usersMeant(resources, property)).filter(
    (resource) => isAble(resource) && resource.parents.length === 0,
  );
  const [to, ...more] = said ? [said] : same.length > 0 ? same : named;
  if (!to?.id) return [];
  // With several forms, only some of which have the object, the schema is no sign.
  const isOfSchema = same.length === 1 && !isChoice;
  // Another word for a user is no second sign.
  const isNamed = named.includes(to) && (namesake.includes(to) || same.length === 0);
  const signs = [said !== undefined && 'said', isOfSchema && 'schema', isNamed && 'name'] as const;
  return [{ property, to, shape: inner, isSole: more.length === 0, ...basisOf(signs, inner.spot) }];
}

/** Whether a value can be the id of a record: it has the same format and no enumeration. */
function mayHold(holder: Shape, { id }: Resource): boolean {
  if (!id || id.inner !== undefined || holder.values) return false;
  return [holder, ...holder.alternatives].some((form) => {
    const [left, other] = [form, id.shape].map((shape) => shape.find('format')?.value);
    const isText = form.mainType === 'string' && left !== undefined && other !== undefined;
    return form.mainType === id.shape.mainType && (!isText || left === other);
  });
}

/** A key that bears the name of its records: `registrationNumber` of `/registrations`, `vehiclePlate` of the `plate` of a vehicle. */
function isKeyOf(property: string, { id, path }: Resource): boolean {
  const noun = recordName(path);
  if (!id || idWord(id.property) !== undefined) return false;
  const key = foldedName(id.property);
  const isWhole =
    wordsOf(id.property).length > 1 &&
    key.startsWith(singular(wordsOf(lastSegment(path) ?? '').at(-1) ?? ''));
  return foldedName(property) === noun + key || (isWhole && sameName(property, id.property));
}

/** The noun of a member without the word of an id: `vendor` for `vendor`, and for `vendor_reference`. */
function referredNoun(property: string): string {
  const words = wordsOf(property);
  const isReferring = words.length > 1 && REFERRING.has(words.at(-1) ?? '');
  return singularName(isReferring ? words.slice(0, -1).join('-') : property);
}

const REFERRING = setOf('reference ref');

/** Whether a member with the records' noun, `category` for `/categories`, or a list of them, has the form of their ids. */
function isIdForm(inner: Shape, { id }: Resource): boolean {
  const [left, other] = [inner, id?.shape].map((shape) => shape?.find('format')?.value);
  return (
    inner.mainType === 'integer' || (inner.mainType === 'string' && left !== undefined && left === other)
  );
}

/** A word in the singular may be of something else, unless records are made and read at a path that ends in it. */
function isMadeThere(property: string, { path, actions }: Resource): boolean {
  const isMade = (actions.create && actions.read) !== undefined;
  return isMade || foldedName(property) !== foldedName(lastSegment(path) ?? '');
}

const depthOf = ({ parents, path }: Resource) => parents.length * 1000 + path.length;
const byDepth = (one: Resource, other: Resource) => depthOf(one) - depthOf(other);

const byNoun = oncePer((resources: readonly Resource[]) =>
  Map.groupBy(resources.filter(({ id }) => id).toSorted(byDepth), ({ path }) => recordName(path)),
);

/** The only collection of users, where a member is called after what a person does: `/users` for `author_id`. */
function usersMeant(resources: readonly Resource[], property: string): readonly Resource[] {
  if (!isPersonName(property)) return [];
  const users = resources.filter(({ id, path, parents }) => id && parents.length === 0 && holdsUsers(path));
  return users.length === 1 ? users : [];
}

/** The collections of an id with other words before their noun: `/teams` for `home_team_id`. */
function withinName(resources: readonly Resource[], property: string): readonly Resource[] {
  const words = idWord(property) === undefined ? [] : wordsOf(property).slice(1, -1);
  const nouns = words.map((_, at) => singularName(words.slice(at).join('-')));
  return nouns.map((noun) => namesakes(resources, noun)).find((some) => some.length > 0) ?? [];
}

/** The collections with a noun, in the singular, those with the fewest parents first. */
const namesakes = (resources: readonly Resource[], noun: string): readonly Resource[] =>
  byNoun(resources).get(noun) ?? [];

/** The collection that an id refers to by its name: `pet_id`, `petid`. Of several, the one with the fewest parents. */
export function collectionNamed(resources: readonly Resource[], name: string): Resource | undefined {
  return idStems(name).flatMap((noun) => namesakes(resources, noun))[0];
}

/** An id beside the embedded object, or list of objects, that it belongs to: `book_id` beside `book`. */
export interface IdBeside {
  readonly property: string;
  readonly beside: string;
  /** The member of the object with the same value. */
  readonly id: string;
}

/** The ids in a schema that belong to objects beside them. */
export function idsBeside({ properties }: Shape): IdBeside[] {
  const objects = [...properties].flatMap(([beside, member]) => {
    const noun = singularName(beside);
    const id = idMemberIn(innerOf(member), noun);
    return id === undefined ? [] : [{ beside, noun, id, isList: withoutNull(member).items !== undefined }];
  });
  return [...properties].flatMap(([property, member]) => {
    const noun = objects.length > 0 ? idStem(property) : undefined;
    const isList = withoutNull(member).items !== undefined;
    const [only, ...more] = objects.filter((object) => object.noun === noun && object.isList === isList);
    return only && more.length === 0 ? [{ property, beside: only.beside, id: only.id }] : [];
  });
}

/** A member that copies one of a referenced record: `customer_name` beside `customer_id`, or `customer`. */
export interface Copy {
  readonly name: string;
  /** Computes the value from the referenced record. */
  readonly of: (record: Readonly<Record<string, unknown>>) => unknown;
}

/** Names of the member with a record's name. */
const CALLED = ['name', 'title', 'full_name', 'display_name', 'label', 'username'];

/** The records whose names a text has, where nothing names them by id: `categoryName`, or `category`, of `/categories`. */
export function calledAs(
  name: string,
  resources: readonly Resource[],
): { readonly to: Resource; readonly inner: string } | undefined {
  const isText = (to: Resource, one: string) => to.shape.properties.get(one)?.mainType === 'string';
  for (const to of resources) {
    const noun = recordName(to.path);
    const rest = singularName(name) === noun ? CALLED[0] : CALLED.find((one) => sameName(name, noun + one));
    const inner = rest === undefined ? undefined : findNamed(to.shape.properties.keys(), rest);
    if (inner !== undefined && inner !== to.id?.property && isText(to, inner)) return { to, inner };
  }
  return undefined;
}

/** The members beside a reference that copy the referenced record. */
export function copiesIn(
  members: ReadonlyMap<string, Shape>,
  { property, shape, to }: Pick<Reference, 'property' | 'shape' | 'to'>,
): Copy[] {
  const words = wordsOf(property);
  const holder = members.get(property);
  if (!holder || withoutNull(holder).items) return [];
  const stem = shape ? words : words.slice(0, idWord(property) === undefined ? undefined : -1);
  const theirs = [...to.shape.properties.keys()];
  return [...members].flatMap(([name, member]): Copy[] => {
    const words = wordsOf(name);
    const rest = words.slice(stem.length).join('_');
    const isBelow = rest !== '' && stem.every((word, at) => words[at] === word);
    const { mainType } = withoutNull(member);
    if (!isBelow || mainType === 'object' || mainType === 'array' || idWord(name) !== undefined) return [];
    // The referenced record may use the full name: `form_name` in a form.
    const wanted = [name, ...(CALLED.includes(rest) ? [rest, ...CALLED] : [rest])];
    const sameNamed = wanted.flatMap((one) => findNamed(theirs, one) ?? [])[0];
    if (sameNamed !== undefined) return [{ name, of: (record) => record[sameNamed] }];
    const parts = ['first_name', 'last_name'].flatMap((one) => findNamed(theirs, one) ?? []);
    if (!CALLED.includes(rest) || parts.length < 2) return [];
    return [{ name, of: (record) => parts.map((part) => record[part]).join(' ') }];
  });
}

/** Whether a member refers to the parent in a tree of records: `parent`, `parent_id`, `parentCategory`. */
export function namesParent(name: string, noun: string): boolean {
  const words = idWord(name) === undefined ? wordsOf(name) : wordsOf(name).slice(0, -1);
  return words[0] === 'parent' && (words.length === 1 || singularName(words.slice(1).join('-')) === noun);
}

/** The member with the id of an object: `id`, `uuid`, or `book_id` of a book. */
export function idMemberIn({ mainType, properties }: Shape, noun: string): string | undefined {
  const names = mainType === 'object' ? [...properties.keys()] : [];
  const usual = ID_NAMES.map((end) => findNamed(names, end)).find((one) => one !== undefined);
  return usual ?? names.find((name) => namesIdOf(name, noun));
}

/** Names of a record's main text, and endings of the names of parts that are sent or shown as objects. */
const TEXTS = setOf('body content text message');
const PARTS = setOf('data detail details info input');

/** The member of a record for a member with a related name: `body` for `content`, `address_detail` for `address_data`. */
function alikeIn(free: readonly [string, Shape][], sent: string, { mainType }: Shape): [string, Shape][] {
  const stem = (name: string) => {
    const words = wordsOf(name);
    return PARTS.has(words.at(-1) ?? '') ? words.slice(0, -1).join('') : words.join('');
  };
  return free.filter(([name, shape]) => {
    if (withoutNull(shape).mainType !== mainType) return false;
    if (mainType === 'string') return [name, sent].every((text) => TEXTS.has(foldedName(text)));
    return mainType === 'object' && stem(name) === stem(sent) && stem(sent) !== foldedName(sent);
  });
}

/**
 * The members of a record by their other names in requests: `category` for `category_id`, `tags`
 * for `tag_ids`, `first_name` for `firstName`; or as `x-paddock` says.
 */
export function shownNames(sent: ReadonlyMap<string, Shape>, record: Shape): ReadonlyMap<string, string> {
  const free = [...record.properties].filter(([name]) => !sent.has(name));
  const said = Object.entries(saidOfRecord(record).facts.members ?? {});
  const noun = schemaName(record);
  const isOf = (long: string, short: string) =>
    long.endsWith(short) && long.length > short.length + 2 && noun.startsWith(long.slice(0, -short.length));
  /** For a record `Batch`, `batch_name` in the record is `name` in a request, or vice versa. */
  const prefixed = (name: string) => {
    const folded = foldedName(name);
    const [only, ...more] = free.filter(
      ([one]) => isOf(foldedName(one), folded) || isOf(folded, foldedName(one)),
    );
    return more.length === 0 && idWord(name) === undefined ? only?.[0] : undefined;
  };
  return new Map(
    [...sent.keys()].flatMap((name) => {
      const [told] = said.find(([, { aka }]) => aka?.includes(name)) ?? [];
      const same = findNamed(new Map(free).keys(), name) ?? prefixed(name);
      const stem = idStem(name);
      const objects = free.filter(
        ([freeName, member]) =>
          singularName(freeName) === stem && idMemberIn(member.items ?? member, stem) !== undefined,
      );
      // A request may embed the id: `{ "category": { "id": 3 } }` for a record with `categoryId`.
      const object = sent.get(name);
      const id = object && idMemberIn(innerOf(object), singularName(name));
      const ids =
        id === undefined ? [] : free.filter(([freeName]) => idStem(freeName) === singularName(name));
      const [only, ...more] = [...objects, ...ids, ...(object ? alikeIn(free, name, object) : [])];
      const shownName = told ?? same ?? (more.length === 0 ? only?.[0] : undefined);
      return shownName === undefined || record.properties.has(name) ? [] : [[name, shownName] as const];
    }),
  );
}
