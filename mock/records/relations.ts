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
  once,
  parseJson,
  type Resource,
  referencesOf,
  roughlyFits,
  type Shape,
  sameRecord,
  schemaKey,
  sharesMembers,
  stringifyJson,
} from '#spec';
import { type Awaitable, allOf, andThen } from '../http/exchange.ts';
import { memoizeFew } from '../http/memoize.ts';
import { type Condition, type Id, recordsWhere, type Store } from '../store/port.ts';
import { meetsAll } from '../store/table.ts';
import type { Neighbours, RecordCollection } from './collection.ts';
import { removeRecords } from './links.ts';

/** The relations of a collection's records to those of others. */
export interface Relations {
  /** Removes the records that a record owns. Undefined: it owns none. */
  readonly removeBelow: ((store: Store, id: Id) => Promise<void>) | undefined;
  /** The collections whose records a record owns. */
  readonly owned: readonly Below[];
  /** The members that embed records of another collection that belong to the record. */
  readonly within: readonly (Below & { readonly property: string })[];
  /** The name of the collection whose records prevent a removal. Undefined: none does. */
  readonly heldBy: ((store: Store, id: Id) => Promise<string | undefined>) | undefined;
  /** Compiles filling in embedded records, for a schema of the record. Undefined: it has none. */
  readonly embedIn: (shape: Shape) => Embed | undefined;
  /** The text of a record as reads show it, with embedded records. Undefined: the stored text. */
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

/** The depth of embedded records. */
const DEEPEST = 3;

export type RelationsOf = (collection: Pick<RecordCollection, 'name'>) => Relations;

/** Compiles the relations of a document, for each collection on first use. */
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

  /** Compiles filling in references: objects that only have an id, and copies of the referenced record's members. */
  function compileReferences(shape: Shape, resource: Resource, except: readonly string[]): Embed | undefined {
    const meanings = memberMeanings(resource);
    const writes = [
      ...Object.values(resource.actions),
      ...resource.further.map((further) => further.operation),
    ].filter(({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH');
    const bodies = writes.flatMap((write) => bodyShape(write) ?? []);
    const isSent = (name: string) => bodies.some((body) => memberShape(body, name) !== undefined);
    const isOurs = (name: string) =>
      meanings.get(name)?.set === 'service' || (writes.length > 0 && !isSent(name));
    // A request that only sends an object's id, or all that creates the record, refers to the record.
    const isNamed = (name: string, { id, actions: { create } }: Resource) => {
      const whole = create && bodyShape(create);
      return isSent(name) && !bodies.some((body) => saysMore(memberShape(body, name), id?.property, whole));
    };
    const references = referencesOf(shape, resources).filter(({ property }) => !except.includes(property));
    const copies = references.flatMap((reference) =>
      copiesIn(shape.properties, reference).flatMap((copy) =>
        isOurs(copy.name) ? [{ ...reference, ...copy }] : [],
      ),
    );
    const embedded = references.flatMap(({ property, shape: of, to }) => (of ? [{ property, of, to }] : []));
    if (embedded.length === 0 && copies.length === 0) return undefined;
    // An embedded object beside its id: a new record gets it even if it was not sent.
    const beside = new Map(idsBeside(shape).map((idBeside) => [idBeside.beside, idBeside] as const));
    return (store, record) => {
      const values = embedded.map(({ property, of, to }) => {
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
        const filledRecord: Record<string, unknown> = Object.assign(Object.create(null), record);
        for (const [index, { property }] of embedded.entries()) {
          filledRecord[property] = all?.[index];
          if (filledRecord[property] === undefined) delete filledRecord[property];
        }
        for (const [index, { name }] of copies.entries()) {
          const value = others?.[index];
          const member = shape.properties.get(name);
          if (value !== undefined && member && roughlyFits(member, value)) filledRecord[name] = value;
        }
        return filledRecord;
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
      others.reduce((soFar, step) => andThen(soFar, (one) => step(store, one)), first(store, record));
  }

  /** Compiles members that count a record's own records. */
  function compileCounts(resource: Resource, { properties }: Shape): Embed | undefined {
    const counts = countsIn(resource, resources).flatMap(({ path: [name = ''], of }) => {
      const related = [...children(resource), ...(families.get(resource)?.showing ?? [])];
      const kin = related.find(({ child }) => child === of)?.kin;
      const isText = properties.get(name)?.mainType === 'string';
      return kin && properties.has(name) ? [{ name, isText, ...belowBy(of, kin) }] : [];
    });
    const id = resource.id?.inner === undefined ? resource.id?.property : undefined;
    if (counts.length === 0 || id === undefined) return undefined;
    return (store, record) => {
      const members = counts.map(({ name, isText, collection, where }) => {
        const query = { where: where(record[id] as Id), offset: 0, limit: 1, counted: true };
        return andThen(
          store.list(collection, query),
          ({ total }): Member => [name, isText ? String(total) : total],
        );
      });
      return andThen(allOf(members), (all) => withMembers(record, all));
    };
  }

  function compileChildren(resource: Resource, shape: Shape, outer: readonly Resource[]): Embed | undefined {
    const { embedded = [] } = families.get(resource) ?? {};
    const members = embedded.flatMap(({ property, shape: member, child, kin }) => {
      const items = memberShape(shape, property)?.items;
      if (!items || !(sharesMembers(items, child.shape) || sameRecord(items, child.shape))) return [];
      const within = [...outer, resource];
      const inner =
        within.length < DEEPEST && !within.includes(child) ? compileEmbed(child, items, within) : undefined;
      const limit = member.lowest('maxItems') ?? Number.POSITIVE_INFINITY;
      return [{ property, limit, inner, ...belowBy(child, kin) }];
    });
    const id = resource.id?.inner === undefined ? resource.id?.property : undefined;
    if (members.length === 0 || id === undefined) return undefined;
    return (store, record) => {
      const lists = members.map(({ property, limit, inner, collection, where }) => {
        const found = recordsWhere(store, collection, where(record[id] as Id), limit);
        const list = inner
          ? andThen(found, (records) => allOf(records.map((one) => inner(store, one))))
          : found;
        return andThen(list, (records): Member => [property, records]);
      });
      return andThen(allOf(lists), (all) => withMembers(record, all));
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

type Member = readonly [name: string, value: unknown];

/** Without a prototype: the document chooses the names. */
const withMembers = (record: Data, members: readonly Member[]): Data =>
  Object.assign(Object.create(null), record, Object.fromEntries(members));

/** Whether an object, or each item of a list, may have more than an id, and is not as the record is created. */
function saysMore(member: Shape | undefined, id: string | undefined, whole: Shape | undefined): boolean {
  if (!member || (whole && schemaKey(innerOf(member)) === schemaKey(whole))) return false;
  const { properties, mainType, alternatives } = innerOf(member);
  const isOpen = mainType === 'object' && properties.size === 0;
  return isOpen || alternatives.length > 0 || [...properties.keys()].some((name) => name !== id);
}

/** Fills in an object that has only an id, or that no request sends, from the record with the id. */
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
    const fitting = common.filter(
      ([name, one]) => isSame(name) && roughlyFits(properties.get(name) as Shape, one),
    );
    // An object in another form than the record is about something else, and stays as it is.
    if (fitting.length < common.length && Object.keys(value).length > 1) return value;
    return { ...value, ...Object.fromEntries(fitting), [id.property]: value[id.property] };
  });
}

/** A value of the record that a member refers to. Undefined: there is no such record. */
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

/** The name of the first collection with such a record. */
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
  const parents = address.parents.filter((parent) => parent.parameter === parameter);
  const scopeFrom = collection.scopeOf({ path: address.path, parents });
  return (id) => scopeFrom({ [parameter]: id });
}

/** The ids of the records that meet all conditions. */
export async function idsOf(
  store: Store,
  collection: RecordCollection,
  where: readonly Condition[],
): Promise<Id[]> {
  const { id } = collection.resource;
  if (id) {
    return (await recordsWhere(store, collection, where)).map((record) => idIn(id, record) as Id);
  }
  // Records may not show their id: only the store has it.
  const { entries } = await store.contents(collection);
  return entries.filter((entry) => meetsAll(collection, entry, where)).map((entry) => entry.id);
}
