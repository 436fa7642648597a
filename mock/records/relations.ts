import {
  bodyShape,
  copiesIn,
  countsIn,
  type Data,
  type Family,
  familiesOf,
  idIn,
  idsBeside,
  innerOf,
  isRecord,
  type Kin,
  kinKey,
  memberMeanings,
  memberShape,
  parseJson,
  type Resource,
  referencesOf,
  roughlyFits,
  type Shape,
  sharesMembers,
  stringifyJson,
} from '#spec';
import { type Awaitable, allOf, andThen } from '../http/exchange.ts';
import { memoizeFew, once } from '../http/memoize.ts';
import { type Condition, type Id, recordsWhere, type Store } from '../store/port.ts';
import { meetsAll } from '../store/table.ts';
import type { Neighbours, RecordCollection } from './collection.ts';
import { removeRecords } from './links.ts';

/** What the records of a collection have to do with those of others. */
export interface Relations {
  /** Removes what is nothing without a record; undefined: nothing is. */
  readonly removeBelow: ((store: Store, id: Id) => Promise<void>) | undefined;
  /** What is nothing without a record of the collection. */
  readonly owned: readonly Below[];
  /** The members that show the records of another collection which belong to a record. */
  readonly within: readonly (Below & { readonly property: string })[];
  /** The collection whose records keep a record from being removed; undefined: none does. */
  readonly heldBy: ((store: Store, id: Id) => Promise<string | undefined>) | undefined;
  /** Compiles the filling of members that show other records, as far as a schema of a record has them; undefined: none. */
  readonly embedIn: (shape: Shape) => Embed | undefined;
  /** The text of a record as reads show it, with other records in it; undefined: the text that is kept is that. */
  readonly shownText: ((store: Store, text: string) => Promise<string>) | undefined;
  readonly family: Family | undefined;
  readonly collectionOf: (resource: Resource) => RecordCollection;
}

export type Embed = (store: Store, record: Data) => Awaitable<Data>;

/** The records that belong to a record. */
export interface Below {
  readonly collection: RecordCollection;
  readonly where: (id: Id) => readonly Condition[];
}

/** How deep records may be in one another. */
const DEEPEST = 3;

export type RelationsOf = (collection: Pick<RecordCollection, 'name'>) => Relations;

/** Compiles the relations of a document; those of a collection when they are first asked for. */
export function compileRelations(
  collections: ReadonlyMap<Resource, RecordCollection>,
  foreign: Neighbours['foreign'] = () => undefined,
): RelationsOf {
  const resources = [...collections.keys()];
  const families = familiesOf(resources);
  const byParent = once(() => {
    const pairs = [...families].flatMap(([child, { kin }]) => kin.map((one) => ({ child, kin: one })));
    return Map.groupBy(pairs, ({ kin }) => kin.parent);
  });
  const children = (parent: Resource) => byParent().get(parent) ?? [];
  const collectionOf = (resource: Resource) =>
    (collections.get(resource) ?? foreign(resource)) as RecordCollection;
  const belowBy = (child: Resource, kin: Kin): Below => {
    const collection = collectionOf(child);
    return { collection, where: compileWhere(collection, kin) };
  };

  /** What a record names by its id alone is shown as far as it is known, and what it says of that is what that says. */
  function compileReferences(shape: Shape, resource: Resource, except: readonly string[]): Embed | undefined {
    const meanings = memberMeanings(resource);
    const writes = [
      ...Object.values(resource.actions),
      ...resource.further.map((one) => one.operation),
    ].filter(({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH');
    const bodies = writes.flatMap((one) => bodyShape(one) ?? []);
    const isSent = (name: string) => bodies.some((body) => memberShape(body, name) !== undefined);
    const isOurs = (name: string) =>
      meanings.get(name)?.set === 'service' || (writes.length > 0 && !isSent(name));
    // Requests that have nothing of an object but its id name it.
    const isNamed = (name: string, { id }: Resource) =>
      isSent(name) && !bodies.some((body) => saysMore(memberShape(body, name), id?.property));
    const references = referencesOf(shape, resources).filter(({ property }) => !except.includes(property));
    const copies = references.flatMap((one) =>
      copiesIn(shape.properties, one).flatMap((copy) => (isOurs(copy.name) ? [{ ...one, ...copy }] : [])),
    );
    const found = references.flatMap(({ property, shape: of, to }) => (of ? [{ property, of, to }] : []));
    if (found.length === 0 && copies.length === 0) return undefined;
    // The object beside an id that names it: a new record has it, too, where it is not sent.
    const beside = new Map(idsBeside(shape).map((one) => [one.beside, one] as const));
    return (store, record) => {
      const values = found.map(({ property, of, to }) => {
        const fill = (value: unknown) =>
          filled(store, value, of, collectionOf(to), isOurs(property) || isNamed(property, to));
        const { property: by = '', id = '' } = beside.get(property) ?? {};
        const named = record[by] === null || Array.isArray(record[by]) ? undefined : record[by];
        const value = record[property] ?? (named === undefined ? record[property] : { [id]: named });
        return Array.isArray(value) ? allOf(value.map(fill)) : fill(value);
      });
      const copied = copies.map(({ name, property, to, of }) =>
        record[name] === null ? undefined : copyOf(store, record[property], collectionOf(to), of),
      );
      return andThen(allOf([allOf(values), allOf(copied)]), ([all, others]) => {
        const shown: Record<string, unknown> = Object.assign(Object.create(null), record);
        for (const [index, { property }] of found.entries()) {
          shown[property] = all?.[index];
          if (shown[property] === undefined) delete shown[property];
        }
        for (const [index, { name }] of copies.entries()) {
          const value = others?.[index];
          const member = shape.properties.get(name);
          if (value !== undefined && member && roughlyFits(member, value)) shown[name] = value;
        }
        return shown;
      });
    };
  }

  function compileEmbed(resource: Resource, shape: Shape, outer: readonly Resource[]): Embed | undefined {
    const embed = compileChildren(resource, shape, outer);
    const { embedded = [] } = families.get(resource) ?? {};
    const refer = compileReferences(
      shape,
      resource,
      embedded.map(({ property }) => property),
    );
    const steps = [embed, refer, compileCounts(resource, shape)].filter((one) => one !== undefined);
    const [first, ...others] = steps;
    if (!first || others.length === 0) return first;
    return (store, record) =>
      others.reduce((shown, step) => andThen(shown, (one) => step(store, one)), first(store, record));
  }

  /** Members that count the records which belong to one count those that there are. */
  function compileCounts(resource: Resource, { properties }: Shape): Embed | undefined {
    const counts = countsIn(resource, resources).flatMap(({ path: [name = ''], of }) => {
      const kin = children(resource).find(({ child }) => child === of)?.kin;
      return kin && properties.has(name) ? [{ name, ...belowBy(of, kin) }] : [];
    });
    const id = resource.id?.inner === undefined ? resource.id?.property : undefined;
    if (counts.length === 0 || id === undefined) return undefined;
    return (store, record) => {
      const own = counts.filter(({ name }) => Object.hasOwn(record, name));
      const totals = own.map(({ collection, where }) => {
        const query = { where: where(record[id] as Id), offset: 0, limit: 1, counted: true };
        return andThen(store.list(collection, query), ({ total }) => total);
      });
      return andThen(allOf(totals), (all) =>
        withMembers(
          record,
          own.map(({ name }, index) => [name, all[index]]),
        ),
      );
    };
  }

  function compileChildren(resource: Resource, shape: Shape, outer: readonly Resource[]): Embed | undefined {
    const { embedded = [] } = families.get(resource) ?? {};
    const members = embedded.flatMap(({ property, shape: member, child, kin }) => {
      const items = memberShape(shape, property)?.items;
      if (!items || !sharesMembers(items, child.shape)) return [];
      const within = [...outer, resource];
      const inner =
        within.length < DEEPEST && !within.includes(child) ? compileEmbed(child, items, within) : undefined;
      const limit = member.lowest('maxItems') ?? Number.POSITIVE_INFINITY;
      return [{ property, limit, inner, ...belowBy(child, kin) }];
    });
    const id = resource.id?.inner === undefined ? resource.id?.property : undefined;
    if (members.length === 0 || id === undefined) return undefined;
    return (store, record) => {
      const lists = members.map(({ limit, inner, collection, where }) =>
        andThen(recordsWhere(store, collection, where(record[id] as Id), limit), (found) =>
          inner ? allOf(found.map((one) => inner(store, one))) : found,
        ),
      );
      return andThen(allOf(lists), (all) =>
        withMembers(
          record,
          members.map(({ property }, index) => [property, all[index]]),
        ),
      );
    };
  }

  async function removeBelow(store: Store, id: Id, owned: readonly Below[]): Promise<void> {
    for (const { collection, where } of owned) {
      const { removeBelow: below } = relationsOf(collection);
      const ids = await idsOf(store, collection, where(id));
      await removeRecords(store, collection, ids, []);
      if (below) for (const one of ids) await below(store, one);
    }
  }

  function compile(resource: Resource | undefined): Relations {
    if (!resource) return { ...NONE, collectionOf };
    const its = children(resource);
    const owned = its.flatMap(({ child, kin }) => (kin.isOwned ? belowBy(child, kin) : []));
    const held = (families.get(resource)?.heldBy ?? []).map(({ child, kin }) => belowBy(child, kin));
    const embed = compileEmbed(resource, resource.shape, []);
    return {
      owned,
      within: (families.get(resource)?.embedded ?? []).map(({ property, child, kin }) => ({
        property,
        ...belowBy(child, kin),
      })),
      removeBelow: owned.length === 0 ? undefined : (store, id) => removeBelow(store, id, owned),
      heldBy: held.length === 0 ? undefined : (store, id) => firstOf(store, id, held),
      embedIn: (shape) => compileEmbed(resource, shape, []),
      shownText: embed && (async (store, text) => stringifyJson(await embed(store, parseJson(text) as Data))),
      family: families.get(resource),
      collectionOf,
    };
  }

  const byName = new Map(
    [...collections].map(([resource, { prefix }]) => [prefix + resource.path, resource]),
  );
  const compiled = memoizeFew((name: string) => compile(byName.get(name)));
  const relationsOf: RelationsOf = ({ name }) => compiled(name);
  return relationsOf;
}

const NONE: Omit<Relations, 'collectionOf'> = {
  owned: [],
  within: [],
  removeBelow: undefined,
  heldBy: undefined,
  shownText: undefined,
  embedIn: () => undefined,
  family: undefined,
};

/** Without a prototype: the document chooses the names. */
const withMembers = (record: Data, members: readonly (readonly [string, unknown])[]): Data =>
  Object.assign(Object.create(null), record, Object.fromEntries(members));

/** Whether an object, or each of a list, may have more than an id. */
function saysMore(member: Shape | undefined, id: string | undefined): boolean {
  if (!member) return false;
  const { properties, mainType, alternatives } = innerOf(member);
  const isOpen = mainType === 'object' && properties.size === 0;
  return isOpen || alternatives.length > 0 || [...properties.keys()].some((name) => name !== id);
}

/** An object with nothing but an id, or that no request sends, gets the members of the record that has the id. */
function filled(
  store: Store,
  value: unknown,
  { properties }: Shape,
  collection: RecordCollection,
  isOurs: boolean,
): Awaitable<unknown> {
  const { id, shape } = collection.resource;
  if (!isRecord(value) || !id || (!isOurs && Object.keys(value).join() !== id.property)) return value;
  return andThen(store.read(collection, value[id.property] as Id, []), (text) => {
    if (text === undefined) return value;
    const isSame = (name: string) => memberShape(shape, name)?.mainType === properties.get(name)?.mainType;
    const common = Object.entries(parseJson(text) as Data).filter(([name]) => properties.has(name));
    const known = common.filter(
      ([name, one]) => isSame(name) && roughlyFits(properties.get(name) as Shape, one),
    );
    // What is of another form than the record is another thing: what was sent, or made for it, stays.
    if (known.length < common.length && Object.keys(value).length > 1) return value;
    return { ...value, ...Object.fromEntries(known), [id.property]: value[id.property] };
  });
}

/** What the record says that a member names, or shows; undefined: there is none. */
function copyOf(
  store: Store,
  value: unknown,
  collection: RecordCollection,
  of: (record: Data) => unknown,
): Awaitable<unknown> {
  const named = isRecord(value) ? value[collection.resource.id?.property ?? ''] : value;
  if (named === undefined || named === null) return undefined;
  return andThen(store.read(collection, named as Id, []), (text) =>
    text === undefined ? undefined : of(parseJson(text) as Data),
  );
}

/** The name of the first collection that has a record there. */
async function firstOf(store: Store, id: Id, below: readonly Below[]): Promise<string | undefined> {
  for (const { collection, where } of below) {
    const { count } = await store.list(collection, { where: where(id), offset: 0, limit: 1 });
    if (count > 0) return collection.name;
  }
  return undefined;
}

function compileWhere(collection: RecordCollection, kin: Kin): Below['where'] {
  const { address, parameter } = kin;
  if (address === undefined || parameter === undefined)
    return (id) => [{ key: kinKey(kin) as string, anyOf: [id] }];
  const parents = address.parents.filter((one) => one.parameter === parameter);
  const scopeFrom = collection.scopeOf({ path: address.path, parents });
  return (id) => scopeFrom({ [parameter]: id });
}

/** The ids of the records for which all conditions hold. */
export async function idsOf(
  store: Store,
  collection: RecordCollection,
  where: readonly Condition[],
): Promise<Id[]> {
  const { id } = collection.resource;
  if (id) {
    return (await recordsWhere(store, collection, where)).map((record) => idIn(id, record) as Id);
  }
  // Only the store knows the ids of records that show none.
  const { entries } = await store.contents(collection);
  return entries.filter((entry) => meetsAll(collection, entry, where)).map((entry) => entry.id);
}
