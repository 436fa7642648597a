import {
  exactNumber,
  isRecord,
  memberShape,
  type Operation,
  ownEntry,
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
  /** The path parameters of the n-th seeded record's collection. */
  readonly seedScope: SeedScope;
}

/** Compiles all resources. Seeded records are made when a store reads them. */
export function compileCollections(
  resources: readonly Resource[],
  validators: Validators,
  values: SeedValues,
  count: number,
  examplesOf: SeedExamples,
  operations: readonly Operation[] = [],
): ReadonlyMap<Resource, RecordCollection> {
  const idMakers = new Map(
    resources.map((resource) => {
      const { path, id } = resource;
      const naming = id ? namingParameters(resource, operations) : [];
      return [path, compileIds(id?.shape, values.keyOf(path, 'id'), naming)] as const;
    }),
  );
  const seedIds = new Map(
    resources.map((resource) => {
      const shown = () => examplesOf(resource).map(({ id }) => id);
      return [resource.path, seededIds(idMakers.get(resource.path) as IdMaker, shown)] as const;
    }),
  );
  const context = { idMakers, seedIds, validators, values, count, examplesOf };
  return new Map(resources.map((resource) => [resource, compileCollection(resource, context)]));
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
  readonly idMakers: ReadonlyMap<string, IdMaker>;
  /** Of seeded records alone. */
  readonly seedIds: ReadonlyMap<string, IdMaker>;
  readonly examplesOf: SeedExamples;
  readonly validators: Validators;
  readonly values: SeedValues;
  readonly count: number;
}

function compileCollection(
  resource: Resource,
  { idMakers, seedIds, validators, values, count, examplesOf }: Context,
): RecordCollection {
  const { path, id: identity, list, further } = resource;
  const idOf = idMakers.get(path) as IdMaker;
  const seedScope = compileSeedScope(resource, seedIds, values, count);
  const parents = resource.parents.map(({ parameter, property, inner }) => ({
    parameter,
    // Braces distinguish the key of a parameter from those of properties.
    key: property !== undefined && inner === undefined ? property : `{${parameter}}`,
    shape: parentShape(resource.shape, property, inner),
  }));
  const objects = resource.parents.flatMap(({ parameter, property, inner }) =>
    property !== undefined && inner !== undefined
      ? [{ key: `{${parameter}}`, property, inner, shape: memberShape(resource.shape, property) }]
      : [],
  );
  const unique = uniqueKeys(resource).map(({ properties }) => properties);
  const lists = [list, ...further.map((one) => one.list)];
  const filters = lists.flatMap((form) => (form?.filters ?? []).map(({ property }) => property));
  const seenBy = further.flatMap((one) => one.parents.flatMap(({ property }) => property ?? []));
  const keys = [...new Set([...filters, ...unique.flat(), ...parents.map(({ key }) => key), ...seenBy])];
  const recordOf = onFirstCall(() => compileRecord(resource, values, validators));

  function complete(id: Id, { members, scope }: Given): Entry {
    const named = objects.length > 0 ? withParents(id, members, scope) : members;
    const record = recordOf(id, named, scope);
    return { id, text: stringifyJson(record), keys: keys.map((key) => keyValue(key, record, scope)) };
  }

  /** Where an object stands for the parent. */
  function withParents(id: Id, members: Given['members'], scope: Given['scope']): Given['members'] {
    let named = members;
    for (const { key, property, inner, shape } of objects) {
      const value = scope.find((condition) => condition.key === key)?.anyOf[0];
      const old = members[property] ?? (shape && values.member(resource, id, property, shape));
      named = { ...named, [property]: { ...(isRecord(old) && old), [inner]: value } };
    }
    return named;
  }

  const scopeFrom = (parameters: Readonly<Record<string, unknown>>) =>
    parents.map(({ parameter, key, shape }) => {
      const value = parameters[parameter] as Scalar;
      return { key, anyOf: [asMember(value, shape)] };
    });

  function* seeds(): Generator<Entry> {
    const distinguish = createDistinguish(resource, unique, values);
    const examples = examplesOf(resource);
    const seedId = seedIds.get(path) as IdMaker;
    for (let ordinal = 1; ordinal <= count; ordinal++) {
      const id = seedId(ordinal);
      const shown = examples[ordinal - 1];
      const sampled = shown?.members ?? values.record(resource, id);
      // No record can be made of a schema that only huge objects fit.
      const made = isRecord(sampled) ? sampled : {};
      const members = unique.length > 0 ? distinguish(id, made) : made;
      const scope = shown ? { ...seedScope(ordinal), ...shown.path } : seedScope(ordinal);
      if (members) yield complete(id, { id, members, scope: scopeFrom(scope) });
    }
  }

  const idFrom = compileIdReader(identity?.shape);
  const shape = identity?.shape;
  return {
    ...{ resource, name: path, keys, idOf, idFrom, complete, scopeFrom, seeds, size: count, seedScope },
    isNamedBy: (parameter) => shape === undefined || isNamedBy(idOf, shape, parameter),
    ...(unique.length > 0 && { unique }),
  };
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
export function asMember(value: Scalar, member: Shape | undefined): Scalar {
  if (member?.mainType === 'string' && typeof value === 'number') return String(value);
  const isNumber = member?.mainType === 'integer' && typeof value === 'string' && /^\d+$/.test(value);
  return isNumber ? (exactNumber(value) as Scalar) : value;
}

function keyValue(key: string, record: Readonly<Record<string, unknown>>, scope: Given['scope']): KeyValue {
  const value = key.startsWith('{')
    ? scope.find((condition) => condition.key === key)?.anyOf[0]
    : ownEntry(record, key);
  if (Array.isArray(value)) return value.filter((item) => !isObject(item)) as Scalar[];
  return isObject(value) ? undefined : (value as KeyValue);
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
