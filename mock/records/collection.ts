import {
  ancestorsOf,
  compileAgreeing,
  type Data,
  type Family,
  familiesOf,
  idsBeside,
  isRecord,
  type Kin,
  kinKey,
  memberShape,
  type Operation,
  type Resource,
  type Shape,
  type Singleton,
  sentExamples,
  stringifyJson,
  uniqueKeys,
} from '#spec';
import { onFirstCall } from '../http/memoize.ts';
import type { Collection, Entry, Given, Id } from '../store/port.ts';
import { ACCOUNTS } from './accounts.ts';
import { compileAddresses, type Place, type ScopeFrom } from './addresses.ts';
import { ANSWERED, type InternalCollection } from './internal.ts';
import { LINKS } from './links.ts';
import { PROVENANCE } from './provenance.ts';
import { compileRecord } from './record.ts';
import type { SeedExamples } from './seed/examples.ts';
import {
  compileIdReader,
  compileIds,
  compileSeedScope,
  type IdMaker,
  type IdMakers,
  isNamedBy,
  type SeedScope,
  seededIds,
} from './seed/ids.ts';
import { compileSeedKin, relatedValues } from './seed/kin.ts';
import { createSeededMembers, type SeededMembers } from './seed/seeded-members.ts';
import { createDistinguish, type SeedValues } from './seed/values.ts';

/** A collection of the document with what its actions and store need. */
export interface RecordCollection extends Collection {
  readonly resource: Resource;
  /** The prefix of its name; empty, unless several documents are served. */
  readonly prefix: string;
  /** The id in a path parameter. */
  idFrom(value: unknown): Id;
  /** Whether a path parameter with this schema accepts generated ids. */
  isNamedBy(parameter: Shape): boolean;
  /** The conditions that the path parameters of the collection set for its records. */
  readonly scopeFrom: ScopeFrom;
  /** The conditions that the parameters of another path set for its records. */
  scopeOf(place: Place): ScopeFrom;
  /** The id of the n-th seeded record. */
  readonly seedId: IdMaker;
  /** The members of the n-th seeded record, before references are set. */
  readonly membersOf: (ordinal: number) => Data;
  /** The members of an n-th seeded record, also beyond the existing ones. */
  sample(ordinal: number): Data;
  /** The path parameters of the n-th seeded record. */
  readonly seedScope: SeedScope;
  readonly family: Family;
  /** The collection as seen from other paths that tell more about its records than their members. */
  readonly addresses: readonly RecordCollection[];
}

/** Whether it stores records itself: another one may be the same collection at a second path. */
export const isStored = ({ name, prefix, resource }: RecordCollection) => name === prefix + resource.path;

/** What a store keeps beside the document's records. */
export const INTERNAL: readonly InternalCollection[] = [ACCOUNTS, LINKS, PROVENANCE, ANSWERED];

/** Adds the internal collections that every store has. */
export function withInternal(collections: readonly Collection[]): readonly Collection[] {
  const names = new Set(collections.map(({ name }) => name));
  return [...collections, ...INTERNAL.filter(({ name }) => !names.has(name))];
}

/** The place of a document's collections among those of other documents. */
export interface Neighbours {
  /** The prefix of paths in collection names. */
  readonly prefix: string;
  /** Finds a collection of another document; called only after all are compiled. */
  readonly foreign: (resource: Resource) => RecordCollection | undefined;
}

const NO_NEIGHBOURS: Neighbours = { prefix: '', foreign: () => undefined };

/**
 * Compiles all resources. Seeded records are generated when a store first reads them. Resources that share records are one
 * collection, seen through several paths.
 */
export function compileCollections(
  resources: readonly Resource[],
  values: SeedValues,
  count: number,
  examplesOf: SeedExamples,
  operations: readonly Operation[] = [],
  neighbours = NO_NEIGHBOURS,
): ReadonlyMap<Resource, RecordCollection> {
  const families = familiesOf(resources);
  const storedOf = (resource: Resource) => families.get(resource)?.sharedWith ?? resource;
  const idMakers = new Map<Resource, IdMaker>();
  const seedIds = new Map<Resource, IdMaker>();
  for (const [resource, all] of Map.groupBy(resources, storedOf)) {
    const { path, id } = resource;
    const naming = id ? all.flatMap((one) => namingParameters(one, operations)) : [];
    const nameOf = id && ((ordinal: number) => values.nameOf(resource, id.property, ordinal));
    const idOf = compileIds(id?.shape, values.keyOf(path, 'id'), naming, nameOf);
    const exampleIds = () => examplesOf(resource).map((example) => example.id);
    const sent = () =>
      all.flatMap((one) =>
        id && one.actions.create ? sentExamples(one, one.actions.create, id.property) : [],
      );
    const seedId = seededIds(idOf, exampleIds, sent);
    for (const one of all) {
      idMakers.set(one, idOf);
      seedIds.set(one, seedId);
    }
  }
  const membersOf = createSeededMembers(examplesOf, seedIds, values);
  const allSeedIds = {
    get: (resource: Resource) => seedIds.get(resource) ?? neighbours.foreign(resource)?.seedId,
    keys: () => seedIds.keys(),
  };
  const related = relatedValues(values, { idMakers: allSeedIds, membersOf, count });
  const context = {
    resources,
    idMakers,
    seedIds: allSeedIds,
    count,
    examplesOf,
    membersOf,
    values: related,
    prefix: neighbours.prefix,
  };
  const stored = new Map(
    resources
      .filter((resource) => storedOf(resource) === resource)
      .map(
        (resource) =>
          [resource, compileCollection(resource, families.get(resource) as Family, context)] as const,
      ),
  );
  return new Map(
    resources.map((resource) => {
      const collection = stored.get(storedOf(resource)) as RecordCollection;
      return [resource, storedOf(resource) === resource ? collection : seenAt(collection, resource)] as const;
    }),
  );
}

/** A collection as requests on another path see it. */
function seenAt(collection: RecordCollection, resource: Resource): RecordCollection {
  const address = collection.addresses.find((one) => one.resource.path === resource.path);
  return { ...collection, resource, scopeFrom: address?.scopeFrom ?? collection.scopeOf(resource) };
}

/**
 * The schemas of the path parameters with the id of a record, also on paths below it; a parameter named after another
 * member does not have it, as `{scope}` of `/templates/{scope}/{key}`.
 */
function namingParameters(
  { path, further, actions, id, shape }: Resource,
  operations: readonly Operation[],
): Shape[] {
  const start = `${path}/{`;
  const isOther = (name: string) =>
    name !== id?.parameter && name !== id?.property && memberShape(shape, name) !== undefined;
  const below = operations.flatMap((operation) => {
    if (!operation.path.startsWith(start)) return [];
    const [name = ''] = operation.path.slice(start.length).split('}');
    return isOther(name) ? [] : (pathParameter(operation, name) ?? []);
  });
  const main = Object.values(actions).map((operation) => ({ operation, parameter: id?.parameter }));
  const elsewhere = [...main, ...further].flatMap(({ operation, parameter }) =>
    operation.path.startsWith(start) || isOther(parameter ?? '')
      ? []
      : (pathParameter(operation, parameter) ?? []),
  );
  return [...new Set([...below, ...elsewhere])];
}

/** The schema of a path parameter. Undefined: the operation has no such parameter. */
export function pathParameter({ parameters }: Operation, wanted: string | undefined): Shape | undefined {
  return parameters.find((parameter) => parameter.in === 'path' && parameter.name === wanted)?.shape;
}

/**
 * Compiles singletons as collections that begin empty: until it is written, a singleton is not stored and reads as its
 * seeded value. Below other records, each parent has one.
 */
export function compileSingletons(
  singletons: readonly Singleton[],
  values: SeedValues,
  neighbours?: Neighbours,
): ReadonlyMap<Singleton, RecordCollection> {
  const byResource = new Map(singletons.map((singleton) => [asResource(singleton), singleton]));
  const resources = [...byResource.keys()];
  const collections = compileCollections(resources, values, 0, () => [], [], neighbours);
  return new Map(
    [...collections].map(([resource, collection]) => [byResource.get(resource) as Singleton, collection]),
  );
}

function asResource({ path, actions, further, shape, parents }: Singleton): Resource {
  return { path, actions, shape, parents, further, id: undefined, list: undefined };
}

interface Context {
  readonly resources: readonly Resource[];
  readonly idMakers: ReadonlyMap<Resource, IdMaker>;
  /** Seeded ids only. */
  readonly seedIds: IdMakers;
  readonly prefix: string;
  readonly examplesOf: SeedExamples;
  readonly membersOf: SeededMembers;
  readonly values: SeedValues;
  readonly count: number;
}

function compileCollection(resource: Resource, family: Family, context: Context): RecordCollection {
  const { resources, idMakers, seedIds, values, count, examplesOf, membersOf, prefix } = context;
  const { path, id: identity, list, further } = resource;
  const idOf = idMakers.get(resource) as IdMaker;
  const seedScope = compileSeedScope(resource, resources, seedIds, values, count);
  const beside = idsBeside(resource.shape);
  const addresses = compileAddresses(resource, family, resources, values);
  const unique = uniqueKeys(resource).map(({ properties }) => properties);
  const lists = [list, ...further.map((one) => one.list)];
  const filters = lists.flatMap((form) =>
    (form?.filters ?? []).flatMap(({ property, inner }) => (inner === undefined ? property : [])),
  );
  const seenBy = further.flatMap(({ parents, parameter = '' }) => [
    ...parents.flatMap(({ property, inner }) => (inner === undefined ? (property ?? []) : [])),
    ...(memberShape(resource.shape, parameter) ? [parameter] : []),
  ]);
  const kept = family.kin.flatMap((kin) => (isAskedFor(kin, resources) ? (kin.property ?? []) : []));
  // A record that embeds its parent is found by the id in that object.
  const showing = [...familiesOf(resources).values()].flatMap((one) =>
    one.showing.flatMap(({ child, kin }) => (child === resource ? (kinKey(kin) ?? []) : [])),
  );
  const keys = [
    ...new Set([...filters, ...unique.flat(), ...addresses.keys, ...seenBy, ...kept, ...showing]),
  ];
  // Reads fill these members with another collection's records.
  const emptied = Object.fromEntries(family.embedded.map(({ property }) => [property, []]));
  const isEmptied = family.embedded.length > 0;
  const recordOf = onFirstCall(() => compileRecord(resource, values));
  const agree = onFirstCall(() => compileAgreeing(resource.shape) ?? ((record: Data) => record));

  function complete(id: Id, { members, scope }: Given): Entry {
    const named = addresses.withParents(id, members, scope);
    const made = recordOf(id, isEmptied ? { ...named, ...emptied } : named, scope);
    const record = agree(shownBeside(made, unsaidBeside(made, members, scope)));
    return {
      id,
      text: stringifyJson(record),
      keys: keys.map((key) => addresses.keyValue(key, record, scope)),
    };
  }

  const scopeOf = (place: Place) => addresses.scopeOf(place, keys);
  const scopeFrom = scopeOf(resource);

  /** A readable id determines other members, such as the title. */
  function agreeing(id: Id, members: Data): Data {
    if (identity?.property === undefined || identity.inner !== undefined) return members;
    const named = { ...members, [identity.property]: id };
    values.settle(resource, named, () => false);
    return named;
  }

  /** The ids beside embedded objects that clients did not send, or that the path determines. */
  const unsaidBeside = (made: Data, members: Data, scope: Given['scope']): Given['scope'] =>
    beside.flatMap(({ property, beside: name }) => {
      const { [property]: value } = made;
      const isLeading = !Object.hasOwn(members, name) || scope.some(({ key }) => key === property);
      return isLeading && (typeof value === 'string' || typeof value === 'number')
        ? [{ key: property, anyOf: [value] }]
        : [];
    });

  /** Embedded objects match the ids beside them that the path sets. */
  function shownBeside(members: Data, conditions: Given['scope']): Data {
    const entries = conditions.flatMap(({ key, anyOf }) =>
      beside.flatMap(({ property, beside: name, id }) => {
        const { [name]: value } = members;
        return property === key && isRecord(value) ? [[name, { ...value, [id]: anyOf[0] }] as const] : [];
      }),
    );
    return entries.length === 0 ? members : { ...members, ...Object.fromEntries(entries) };
  }

  function* seeds(): Generator<Entry> {
    const distinguish = createDistinguish(resource, unique, values);
    const examples = examplesOf(resource);
    const seedId = seedIds.get(resource) as IdMaker;
    const scopes = addresses.elsewhere.map(({ path: at, parents: all }) => {
      // Other path parameters name no records.
      const idParameters = new Set(ancestorsOf(resources, `${at}/`).map(({ parameter }) => parameter));
      const place = { path: at, parents: all.filter(({ parameter }) => idParameters.has(parameter)) };
      const there = { ...resource, ...place };
      return {
        seedScope: compileSeedScope(there, resources, seedIds, values, count),
        scopeFrom: scopeOf(place),
      };
    });
    for (let ordinal = 1; ordinal <= count; ordinal++) {
      const id = seedId(ordinal);
      const example = examples[ordinal - 1];
      const initial = membersOf(resource, ordinal);
      const made = example?.members ? initial : agreeing(id, kinOf(id, initial, ordinal));
      const members = unique.length > 0 ? distinguish(id, made) : made;
      const scope = example ? { ...seedScope(ordinal), ...example.path } : seedScope(ordinal);
      const others = example ? [] : scopes.flatMap((one) => one.scopeFrom(one.seedScope(ordinal)));
      const conditions = [...scopeFrom(scope), ...others];
      if (members) yield complete(id, { id, members: shownBeside(members, conditions), scope: conditions });
    }
  }

  const kinOf = onFirstCall(() =>
    compileSeedKin(resource, family, { idMakers: seedIds, values, membersOf, count }),
  );
  function sample(ordinal: number): Data {
    const id = idOf(ordinal);
    return agreeing(id, kinOf(id, membersOf(resource, ordinal), ordinal));
  }

  const idFrom = compileIdReader(identity?.shape);
  const idShape = identity?.shape;
  const collection = {
    resource,
    prefix,
    name: prefix + path,
    keys,
    idOf,
    idFrom,
    complete,
    sample,
    scopeFrom,
    seeds,
    size: count,
    seedId: seedIds.get(resource) as IdMaker,
    membersOf: (ordinal: number) => membersOf(resource, ordinal),
    seedScope,
    family,
    scopeOf,
    isNamedBy: (parameter: Shape) => idShape === undefined || isNamedBy(idOf, idShape, parameter),
    ...(unique.length > 0 && { unique }),
  };
  const others = addresses.elsewhere.flatMap((address): RecordCollection[] => {
    const scopeFrom = scopeOf(address);
    if (scopeFrom({}).every(({ key }) => !key.startsWith('{'))) return [];
    const { path: at, create, parents } = address;
    const there = { ...resource, path: at, parents, actions: create ? { create } : {} };
    return [{ ...collection, resource: address.resource ?? there, scopeFrom, addresses: [] }];
  });
  return { ...collection, addresses: others };
}

/** Whether records are looked up by the parent's id in a member. */
function isAskedFor(kin: Kin, resources: readonly Resource[]): boolean {
  if (kin.inner !== undefined) return false;
  const { embedded = [], heldBy = [] } = familiesOf(resources).get(kin.parent) ?? {};
  return kin.isOwned || [...embedded, ...heldBy].some((one) => one.kin === kin);
}
