import {
  type Address,
  ancestorsOf,
  exactNumber,
  type Family,
  familiesOf,
  isRecord,
  type Kin,
  memberShape,
  type Operation,
  ownEntry,
  type Parent,
  pathForm,
  type Resource,
  type Shape,
  type Singleton,
  stringifyJson,
  uniqueKeys,
  type Validators,
} from '#spec';
import { onFirstCall } from '../http/memoize.ts';
import type { Collection, Condition, Entry, Given, Id, KeyValue, Scalar } from '../store/port.ts';
import { compileRecord } from './record.ts';
import type { SeedExamples } from './seed/examples.ts';
import {
  compileIdReader,
  compileIds,
  compileSeedKin,
  compileSeedScope,
  type IdMaker,
  isNamedBy,
  type SeedScope,
  seededIds,
} from './seed/ids.ts';
import { createDistinguish, type SeedValues } from './seed/values.ts';

/** A resource of the contract with what its actions and its store need. */
export interface RecordCollection extends Collection {
  readonly resource: Resource;
  /** The id that a path parameter holds. */
  idFrom(value: unknown): Id;
  /** Whether a path parameter of this schema can hold the ids that are made for records. */
  isNamedBy(parameter: Shape): boolean;
  /** The conditions that the collection's path parameters set for its records. */
  scopeFrom(path: Readonly<Record<string, unknown>>): readonly Condition[];
  /** The conditions that the parameters of another path set for its records. */
  scopeOf(address: Pick<Address, 'path' | 'parents'>): RecordCollection['scopeFrom'];
  /** The path parameters of the n-th seeded record's collection. */
  readonly seedScope: SeedScope;
  readonly family: Family;
  /** As other paths see it that say more of its records than the records do. */
  readonly addresses: readonly RecordCollection[];
}

/** Whether it has records of its own: another one may be the same collection at another path. */
export const isStored = ({ name, resource }: RecordCollection) => name === resource.path;

/**
 * Compiles all resources. Seeded records are made when a store reads them. Resources that share their records are one
 * collection, seen through several paths.
 */
export function compileCollections(
  resources: readonly Resource[],
  validators: Validators,
  values: SeedValues,
  count: number,
  examplesOf: SeedExamples,
  operations: readonly Operation[] = [],
): ReadonlyMap<Resource, RecordCollection> {
  const families = familiesOf(resources);
  const storedOf = (resource: Resource) => families.get(resource)?.sharedWith ?? resource;
  const idMakers = new Map<Resource, IdMaker>();
  const seedIds = new Map<Resource, IdMaker>();
  for (const [resource, all] of Map.groupBy(resources, storedOf)) {
    const { path, id } = resource;
    const naming = id ? all.flatMap((one) => namingParameters(one, operations)) : [];
    const idOf = compileIds(id?.shape, values.keyOf(path, 'id'), naming);
    const shown = () => examplesOf(resource).map((one) => one.id);
    const seedId = seededIds(idOf, shown);
    for (const one of all) {
      idMakers.set(one, idOf);
      seedIds.set(one, seedId);
    }
  }
  const context = { resources, idMakers, seedIds, validators, values, count, examplesOf };
  const stored = new Map(
    resources
      .filter((one) => storedOf(one) === one)
      .map((one) => [one, compileCollection(one, families.get(one) as Family, context)] as const),
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
  const own = collection.addresses.find((one) => one.resource.path === resource.path);
  return { ...collection, resource, scopeFrom: own?.scopeFrom ?? collection.scopeOf(resource) };
}

/** The schemas of the path parameters that name a record, also of those below it. */
function namingParameters(
  { path, further, actions, id }: Resource,
  operations: readonly Operation[],
): Shape[] {
  const start = `${path}/{`;
  const below = operations.flatMap((operation) => {
    if (!operation.path.startsWith(start)) return [];
    return pathParameter(operation, operation.path.slice(start.length).split('}')[0]) ?? [];
  });
  const main = Object.values(actions).map((operation) => ({ operation, parameter: id?.parameter }));
  const elsewhere = [...main, ...further].flatMap(({ operation, parameter }) =>
    operation.path.startsWith(start) ? [] : (pathParameter(operation, parameter) ?? []),
  );
  return [...new Set([...below, ...elsewhere])];
}

/** The schema of a path parameter; undefined: there is none of this name. */
export function pathParameter({ parameters }: Operation, wanted: string | undefined): Shape | undefined {
  return parameters.find((parameter) => parameter.in === 'path' && parameter.name === wanted)?.shape;
}

/**
 * Compiles singletons as collections that begin empty: what nobody has written is not stored, and reads as it was seeded.
 * Below other records there is one for each of them.
 */
export function compileSingletons(
  singletons: readonly Singleton[],
  validators: Validators,
  values: SeedValues,
): ReadonlyMap<Singleton, RecordCollection> {
  const byResource = new Map(singletons.map((singleton) => [asResource(singleton), singleton]));
  const collections = compileCollections([...byResource.keys()], validators, values, 0, () => []);
  return new Map(
    [...collections].map(([resource, collection]) => [byResource.get(resource) as Singleton, collection]),
  );
}

function asResource({ path, actions, shape, parents }: Singleton): Resource {
  return { path, actions, shape, parents, further: [], id: undefined, list: undefined };
}

interface Context {
  readonly resources: readonly Resource[];
  readonly idMakers: ReadonlyMap<Resource, IdMaker>;
  /** Of seeded records alone. */
  readonly seedIds: ReadonlyMap<Resource, IdMaker>;
  readonly examplesOf: SeedExamples;
  readonly validators: Validators;
  readonly values: SeedValues;
  readonly count: number;
}

/** A parent that a path names. */
interface NamedParent extends Parent {
  /** Braces distinguish the key of a parameter from those of properties. */
  readonly key: string;
  readonly shape: Shape | undefined;
}

function compileCollection(resource: Resource, family: Family, context: Context): RecordCollection {
  const { resources, idMakers, seedIds, validators, values, count, examplesOf } = context;
  const { path, id: identity, list, further, shape } = resource;
  const idOf = idMakers.get(resource) as IdMaker;
  const seedScope = compileSeedScope(resource, resources, seedIds, values, count);
  const named = (parent: Parent, hidden: string): NamedParent => {
    const { property, inner } = parent;
    const key = property !== undefined && inner === undefined ? property : hidden;
    return { ...parent, key, shape: parentShape(shape, property, inner) };
  };
  const own = resource.parents.map((parent) => named(parent, `{${parent.parameter}}`));
  const ownKeys = new Map(own.map((parent) => [placeOf(path, parent.parameter), parent]));
  const parentsOf = (address: Pick<Address, 'path' | 'parents'>) => {
    const all = address.parents.map((parent) => {
      const place = placeOf(address.path, parent.parameter);
      const same = ownKeys.get(place);
      return same ? { ...same, parameter: parent.parameter } : named(parent, `{${place}}`);
    });
    // A member that names the nearest parent says it all: the others are known of that.
    const nearest = ancestorsOf(resources, address.path).at(-1)?.parameter;
    const isSaid = all.some(({ parameter, key, property }) => parameter === nearest && key === property);
    return isSaid ? all.filter(({ key, property }) => key === property) : all;
  };
  const elsewhere = family.addresses
    .filter(({ create, resource: shared }) => create || shared)
    .map((address) => ({ address, parents: parentsOf(address) }));
  const parents = [...own, ...elsewhere.flatMap((one) => one.parents)];
  const objects = parents.flatMap(({ key, property, inner }) =>
    property !== undefined && inner !== undefined
      ? [{ key, property, inner, shape: memberShape(shape, property) }]
      : [],
  );
  const unique = uniqueKeys(resource).map(({ properties }) => properties);
  const lists = [list, ...further.map((one) => one.list)];
  const filters = lists.flatMap((form) => (form?.filters ?? []).map(({ property }) => property));
  const seenBy = further.flatMap((one) => one.parents.flatMap(({ property }) => property ?? []));
  const kept = family.kin.flatMap((kin) => (isAskedFor(kin, resources) ? (kin.property ?? []) : []));
  const keys = [
    ...new Set([...filters, ...unique.flat(), ...parents.map(({ key }) => key), ...seenBy, ...kept]),
  ];
  // Reads show the records of another collection there.
  const emptied = Object.fromEntries(family.embedded.map(({ property }) => [property, []]));
  const isEmptied = family.embedded.length > 0;
  const recordOf = onFirstCall(() => compileRecord(resource, values, validators));

  function complete(id: Id, { members, scope }: Given): Entry {
    const named = objects.length > 0 ? withParents(id, members, scope) : members;
    const record = recordOf(id, isEmptied ? { ...named, ...emptied } : named, scope);
    return {
      id,
      text: stringifyJson(record),
      keys: keys.map((key) => keyValue(key, record, scope, objects)),
    };
  }

  /** Where an object stands for the parent. */
  function withParents(id: Id, members: Given['members'], scope: Given['scope']): Given['members'] {
    let named = members;
    for (const { key, property, inner, shape: member } of objects) {
      const condition = scope.find((one) => one.key === key);
      if (!condition) continue;
      const old = members[property] ?? (member && values.member(resource, id, property, member));
      named = { ...named, [property]: { ...(isRecord(old) && old), [inner]: condition.anyOf[0] } };
    }
    return named;
  }

  const scopeBy = (all: readonly NamedParent[]) => {
    const known = all.filter(({ key }) => keys.includes(key));
    return (parameters: Readonly<Record<string, unknown>>) =>
      known.map(({ parameter, key, shape: member }) => {
        const value = parameters[parameter] as Scalar;
        return { key, anyOf: [asMember(value, member)] };
      });
  };
  const scopeFrom = scopeBy(own);

  function* seeds(): Generator<Entry> {
    const distinguish = createDistinguish(resource, unique, values);
    const examples = examplesOf(resource);
    const seedId = seedIds.get(resource) as IdMaker;
    const scopes = elsewhere.map(({ address, parents: its }) => ({
      seedScope: compileSeedScope({ ...resource, ...address }, resources, seedIds, values, count),
      scopeFrom: scopeBy(its),
    }));
    const related = compileSeedKin(resource, family, seedIds, values, count);
    for (let ordinal = 1; ordinal <= count; ordinal++) {
      const id = seedId(ordinal);
      const shown = examples[ordinal - 1];
      const sampled = shown?.members ?? related(id, values.record(resource, id));
      // No record can be made of a schema that only huge objects fit.
      const made = isRecord(sampled) ? sampled : {};
      const members = unique.length > 0 ? distinguish(id, made) : made;
      const scope = shown ? { ...seedScope(ordinal), ...shown.path } : seedScope(ordinal);
      const others = shown ? [] : scopes.flatMap((one) => one.scopeFrom(one.seedScope(ordinal)));
      if (members) yield complete(id, { id, members, scope: [...scopeFrom(scope), ...others] });
    }
  }

  const idFrom = compileIdReader(identity?.shape);
  const idShape = identity?.shape;
  const collection = {
    ...{
      resource,
      name: path,
      keys,
      idOf,
      idFrom,
      complete,
      scopeFrom,
      seeds,
      size: count,
      seedScope,
      family,
    },
    scopeOf: (address: Pick<Address, 'path' | 'parents'>) => scopeBy(parentsOf(address)),
    isNamedBy: (parameter: Shape) => idShape === undefined || isNamedBy(idOf, idShape, parameter),
    ...(unique.length > 0 && { unique }),
  };
  const addresses = elsewhere.flatMap(({ address, parents: its }): RecordCollection[] => {
    if (its.every(({ key }) => !key.startsWith('{'))) return [];
    const { path: at, create } = address;
    const there = { ...resource, path: at, parents: address.parents, actions: create ? { create } : {} };
    return [{ ...collection, resource: address.resource ?? there, scopeFrom: scopeBy(its), addresses: [] }];
  });
  return { ...collection, addresses };
}

/** Whether the records with a parent's id in a member are looked for. */
function isAskedFor(kin: Kin, resources: readonly Resource[]): boolean {
  if (kin.inner !== undefined) return false;
  const { embedded = [], heldBy = [] } = familiesOf(resources).get(kin.parent) ?? {};
  return kin.isOwned || [...embedded, ...heldBy].some((one) => one.kin === kin);
}

/** The place of a parameter in a path, whatever parameters are called: `/owners/{}`. */
function placeOf(path: string, parameter: string): string {
  return pathForm(path.slice(0, path.indexOf(`{${parameter}}`) + parameter.length + 2));
}

/** The schema of the member that names a parent. */
function parentShape(
  shape: Shape,
  property: string | undefined,
  inner: string | undefined,
): Shape | undefined {
  const member = property === undefined ? undefined : memberShape(shape, property);
  return inner === undefined ? member : member?.properties.get(inner);
}

/** A path parameter may have another type than the member of the same name. */
function asMember(value: Scalar, member: Shape | undefined): Scalar {
  if (member?.mainType === 'string' && typeof value === 'number') return String(value);
  const isNumber = member?.mainType === 'integer' && typeof value === 'string' && /^\d+$/.test(value);
  return isNumber ? (exactNumber(value) as Scalar) : value;
}

type Objects = readonly Pick<NamedParent, 'key' | 'property' | 'inner'>[];

function keyValue(
  key: string,
  record: Readonly<Record<string, unknown>>,
  scope: Given['scope'],
  objects: Objects,
): KeyValue {
  const value = key.startsWith('{') ? hiddenValue(key, record, scope, objects) : ownEntry(record, key);
  if (Array.isArray(value)) return value.filter((item) => !isObject(item)) as Scalar[];
  return isObject(value) ? undefined : (value as KeyValue);
}

/** What the path says, or the object that stands for the parent. */
function hiddenValue(
  key: string,
  record: Readonly<Record<string, unknown>>,
  scope: Given['scope'],
  objects: Objects,
): unknown {
  const said = scope.find((condition) => condition.key === key);
  if (said) return said.anyOf[0];
  const { property, inner } = objects.find((one) => one.key === key) ?? {};
  const object = property === undefined ? undefined : ownEntry(record, property);
  return inner !== undefined && isRecord(object) ? ownEntry(object, inner) : undefined;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
