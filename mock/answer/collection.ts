import { exactNumber, memberShape, type Resource, type Shape, stringifyJson } from '#spec';
import { compileIds } from '../seed/ids.ts';
import type { SeedValues } from '../seed/values.ts';
import type { Collection, Entry, Given, Id, KeyValue, Scalar } from '../store/port.ts';

/** A resource of the contract with what its actions and its store need, compiled. */
export interface RecordCollection extends Collection {
  readonly resource: Resource;
  /** The id that the text or number of a path parameter means. */
  idFrom(value: unknown): Id;
}

/** Compiles a resource. Seeded records are made when they are asked for. */
export function compileCollection(resource: Resource, values: SeedValues, count: number): RecordCollection {
  const { shape, path, id: identity, parents, list } = resource;
  const idProperty = identity?.property;
  const idOf = compileIds(identity?.shape, values.keyOf(path, 'id'));
  const names = memberNames(shape, idProperty);
  const openEnded = keepsAnyMember(shape);
  const required = new Set(requiredMembers(shape));
  const scopeProperties = parents.map(({ parameter, property }) => ({ parameter, property }));
  const keys = [
    ...new Set([
      ...(list?.filters ?? []).map(({ property }) => property),
      ...parents.map(({ parameter, property }) => property ?? `{${parameter}}`),
    ]),
  ];
  const fallbacks = names.flatMap((name) => fallbackOf(name));

  /** What the service itself gives a record: ids apart, members that have a default or must be there. */
  function fallbackOf(name: string): [name: string, value: (id: Id) => unknown][] {
    const member = memberShape(shape, name);
    if (!member || name === idProperty) return [];
    const fallback = member.find('default');
    if (fallback) return [[name, () => fallback.value]];
    return required.has(name) ? [[name, (id) => values.member(resource, id, name, member)]] : [];
  }

  function complete(id: Id, { members, scope }: Given): Entry {
    const record: Record<string, unknown> = {};
    if (idProperty !== undefined) record[idProperty] = id;
    for (const name of names) if (Object.hasOwn(members, name)) record[name] = members[name];
    if (openEnded) {
      for (const name of Object.keys(members)) if (!Object.hasOwn(record, name)) record[name] = members[name];
    }
    for (const [name, value] of fallbacks) if (!Object.hasOwn(record, name)) record[name] = value(id);
    for (const { key, anyOf } of scope) if (!key.startsWith('{')) record[key] = anyOf[0];
    return { id, text: stringifyJson(record), keys: keys.map((key) => keyValue(key, record, scope)) };
  }

  function* seeds(): Generator<Entry> {
    for (let ordinal = 1; ordinal <= count; ordinal++) {
      const id = idOf(ordinal);
      const members = values.record(resource, id) as Record<string, unknown>;
      const scope = scopeProperties.map(({ parameter, property }) => ({
        key: property ?? `{${parameter}}`,
        anyOf: [values.parent(resource, id, parameter) as Scalar],
      }));
      yield complete(id, { id, members, scope });
    }
  }

  return { resource, name: path, keys, idOf, complete, seeds, idFrom: compileIdReader(identity?.shape) };
}

function keyValue(key: string, record: Readonly<Record<string, unknown>>, scope: Given['scope']): KeyValue {
  const value = key.startsWith('{')
    ? scope.find((condition) => condition.key === key)?.anyOf[0]
    : record[key];
  if (Array.isArray(value)) return value.filter((item) => !isObject(item)) as Scalar[];
  return isObject(value) ? undefined : (value as KeyValue);
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** The members of an answered record in the order of the schema, its id not among them. */
function memberNames(shape: Shape, idProperty: string | undefined): string[] {
  const names = [shape, ...shape.alternatives].flatMap((part) => [...part.properties]);
  const answered = names.filter(([name, member]) => !member.writeOnly && name !== idProperty);
  return [...new Set(answered.map(([name]) => name))];
}

/** Members that no schema names are dropped, unless the document speaks of them or names none at all. */
function keepsAnyMember(shape: Shape): boolean {
  const unnamed = shape.find('additionalProperties')?.value;
  return unnamed === true || isObject(unnamed) || memberNames(shape, undefined).length === 0;
}

function requiredMembers(shape: Shape): string[] {
  return [...shape.required.keys()];
}

/** A path parameter may be documented as text while the record's id is a number, and the other way round. */
function compileIdReader(shape: Shape | undefined): (value: unknown) => Id {
  if (shape?.mainType === 'string') return (value) => String(value);
  return (value) =>
    typeof value === 'string' && /^-?(?:0|[1-9]\d*)$/.test(value) ? exactNumber(value) : (value as Id);
}
