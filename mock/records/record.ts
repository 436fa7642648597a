import {
  type Address,
  ancestorsOf,
  answerShape,
  type Data,
  exactNumber,
  type Family,
  formsOf,
  formUpTo,
  idStem,
  isEqual,
  isRecord,
  memberShape,
  ownEntry,
  type Parent,
  type Resource,
  recordPath,
  type Shape,
  saidOfRecord,
  shapeAt,
  type Validators,
  valueAt,
  withoutNull,
  withValueAt,
} from '#spec';
import { memoize } from '../http/memoize.ts';
import type { Condition, Given, Id, KeyValue, Scalar } from '../store/port.ts';
import { compileForms, keepsUnnamed, namedMembers, someWithin } from './forms.ts';
import type { SeedValues } from './seed/values.ts';

/** Makes the stored record from the members that a client or a seed gives. */
export type RecordOf = (id: Id, members: Data, scope: Given['scope']) => Data;

/**
 * Compiles the completion of records: members in the order of the schema, the id first, with what the service itself
 * sets; `writeOnly` members and those that no schema names are dropped.
 */
export function compileRecord(resource: Resource, values: SeedValues, validators: Validators): RecordOf {
  const { shape } = resource;
  const recordOf = compileForms(shape, validators, (form) =>
    compileMembers(form, resource, values, validators),
  );
  return (id, members, scope) => {
    const record = recordOf(members)(id, members);
    for (const { key, anyOf } of scope) if (!key.startsWith('{')) record[key] = anyOf[0];
    return record;
  };
}

type Make = (id: Id, members: Data) => Record<string, unknown>;

/** What other responses show of a record: kept where the schema of the record allows it. */
function otherMembers(shape: Shape, resource: Resource): [name: string, member: Shape][] {
  const { shape: whole, actions } = resource;
  const isClosed = shape.all('additionalProperties').some(({ value }) => value === false);
  if (shape !== whole || isClosed || shape.has('unevaluatedProperties')) return [];
  const { list: _, remove: __, ...others } = actions;
  return Object.values(others).flatMap((operation) => {
    const shown = shapeAt(answerShape(operation), recordPath(resource, operation));
    return [...(shown?.properties ?? [])];
  });
}

function compileMembers(shape: Shape, resource: Resource, values: SeedValues, validators: Validators): Make {
  const { property: idProperty, inner } = resource.id ?? {};
  const { members: said = {} } = saidOfRecord(shape).facts;
  const isHidden = (name: string, { writeOnly }: Shape) => writeOnly || said[name]?.hidden === 'always';
  const readable = [...new Map([...otherMembers(shape, resource), ...shape.properties])].filter(
    ([name, member]) => !isHidden(name, member) && (name !== idProperty || inner !== undefined),
  );
  const conditional = shape.conditional
    .flatMap((one) => [...namedMembers(one)])
    .flatMap(([name, member]) => (isHidden(name, member) || name === idProperty ? [] : name));
  const names = [...readable.map(([name]) => name), ...conditional];
  const hidden = new Set(
    [...shape.properties].flatMap(([name, member]) => (isHidden(name, member) ? [name] : [])),
  );
  const isOpen = keepsUnnamed(shape);
  const isPlain = !isOpen && !shape.properties.has('__proto__') && !shape.required.has('__proto__');
  const fallbacks = readable.flatMap(([name, member]): [string, (id: Id) => unknown][] => {
    const fallback = member.find('default');
    const made = (id: Id) => values.member(resource, id, name, member);
    if (fallback && member.allows(fallback.value)) return [[name, () => fallback.value]];
    return shape.required.has(name) ? [[name, made]] : [];
  });

  const completions = readable.flatMap(([name, member]): [string, (id: Id, value: unknown) => unknown][] => {
    const complete = compileServiceMembers(member, validators);
    if (!complete) return [];
    const made = (id: Id) => (inner: string, shape: Shape, place: string) =>
      values.member(resource, `${id}/${name}${place}`, inner, shape);
    return [[name, (id, value) => complete(value, made(id))]];
  });

  // `required` may name what `properties` does not describe.
  for (const name of shape.required.keys()) {
    if (shape.properties.has(name) || name === idProperty) continue;
    names.push(name);
    fallbacks.push([name, (id) => (values.record(resource, id) as Data | null)?.[name] ?? name]);
  }

  return (id, given) => {
    // Without a prototype where clients choose names, or the document this one: `__proto__` is then a member like any other.
    const record: Record<string, unknown> = isPlain ? {} : Object.create(null);
    if (idProperty !== undefined) record[idProperty] = id;
    for (const name of names) if (Object.hasOwn(given, name)) record[name] = given[name];
    if (isOpen) {
      for (const name of Object.keys(given)) {
        if (!Object.hasOwn(record, name) && !hidden.has(name)) record[name] = given[name];
      }
    }
    if (idProperty !== undefined && inner !== undefined) {
      const own = given[idProperty];
      record[idProperty] = { ...(isRecord(own) && own), [inner]: id };
    }
    for (const [name, complete] of completions)
      if (Object.hasOwn(record, name)) record[name] = complete(id, record[name]);
    for (const [name, value] of fallbacks) if (!Object.hasOwn(record, name)) record[name] = value(id);
    values.settle(resource, record, (name) => Object.hasOwn(given, name));
    return record;
  };
}

/** Makes the value of a member; the place is its path inside of the record. */
type MakeMember = (name: string, shape: Shape, place: string) => unknown;

/**
 * Compiles the completion of objects inside of a record: a client cannot send their required members that are
 * `readOnly` (OpenAPI 3.1 §4.8.24), and need not send those that only the record's own schema requires; those that are
 * `writeOnly` are dropped. Undefined: there are none of either.
 */
function compileServiceMembers(
  shape: Shape,
  validators: Validators,
): ((value: unknown, make: MakeMember) => unknown) | undefined {
  const isIncomplete = ({ required, properties }: Shape) =>
    required.size > 0 || [...properties.values()].some(({ writeOnly }) => writeOnly);
  if (!someWithin(shape, isIncomplete)) return undefined;
  const formOf = memoize((described: Shape) => compileForms(described, validators, (form) => form));

  function complete(
    described: Shape,
    value: unknown,
    place: string,
    make: MakeMember,
    siblings: readonly unknown[] = [],
  ): unknown {
    if (Array.isArray(value)) {
      const items = formsOf(described).find((form) => form.items)?.items;
      return items
        ? value.map((item, index) => complete(items, item, `${place}/${index}`, make, value))
        : value;
    }
    if (!isRecord(value)) return value;
    const { properties, required, additional } = formOf(described)(value);
    const given = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      const inner = properties.get(name) ?? additional;
      if (inner?.writeOnly) return [];
      return [[name, inner ? complete(inner, member, `${place}/${name}`, make) : member]];
    });
    const made = [...required.keys()].flatMap((name): [string, unknown][] => {
      const member = properties.get(name) ?? additional;
      if (member?.writeOnly || Object.hasOwn(value, name)) return [];
      // `required` may name what nothing describes: any value is right.
      if (!member) return [[name, name]];
      // An item that has another place in the list than before keeps what was made for it there.
      const isTaken = (made: unknown) => siblings.some((one) => isRecord(one) && isEqual(one[name], made));
      let made = make(name, member, `${place}/${name}`);
      for (let tried = 1; tried < 4 && isTaken(made); tried++)
        made = make(name, member, `${place}/${name}/${tried}`);
      return [[name, made]];
    });
    return Object.fromEntries([...made, ...given]);
  }
  return (value, make) => complete(shape, value, '', make);
}

/** A path below parents. */
export type Place = Pick<Address, 'path' | 'parents'>;

/** A parent that a path names. */
interface NamedParent extends Parent {
  /** Braces distinguish the key of a parameter from those of properties. */
  readonly key: string;
  readonly shape: Shape | undefined;
}

/** The conditions that the parameters of a path set for records. */
export type ScopeFrom = (path: Data) => readonly Condition[];

/** What the paths of a collection say of its records, and how that is kept with them. */
export interface Addresses {
  /** By what parents are kept, on all paths. */
  readonly keys: readonly string[];
  /** The paths beside its own at which records are found or made. */
  readonly elsewhere: readonly Address[];
  scopeOf(place: Place, keys: readonly string[]): ScopeFrom;
  /** The members of a record, where an object in it stands for a parent. */
  withParents(id: Id, members: Data, scope: Given['scope']): Data;
  keyValue(key: string, record: Data, scope: Given['scope']): KeyValue;
}

export function compileAddresses(
  resource: Resource,
  family: Family,
  resources: readonly Resource[],
  values: SeedValues,
): Addresses {
  const { path, shape } = resource;
  const named = (parent: Parent, hidden: string): NamedParent => {
    const { property, inner } = parent;
    const key = property !== undefined && inner === undefined ? property : hidden;
    return { ...parent, key, shape: parentShape(shape, property, inner) };
  };
  const own = resource.parents.map((parent) => named(parent, `{${parent.parameter}}`));
  const byPlace = new Map(own.map((parent) => [formUpTo(path, parent.parameter), parent]));

  function parentsAt(place: Place): readonly NamedParent[] {
    const all = place.parents.map((parent) => {
      const at = formUpTo(place.path, parent.parameter);
      // `/customer/shops/{shopId}` and `/admin/shops/{shopId}` are of one shop.
      const isSame = (one: Parent) => one.parameter === parent.parameter && idStem(parent.parameter);
      const same = byPlace.get(at) ?? own.find(isSame);
      return same ? { ...same, parameter: parent.parameter } : named(parent, `{${at}}`);
    });
    // A member that names the nearest parent says it all: the others are known of that.
    const isKept = ({ key, property }: NamedParent) => key === property || needed().has(key);
    return saysNearest(place.path, all) ? all.filter(isKept) : all;
  }

  const saysNearest = (at: string, all: readonly NamedParent[]): boolean => {
    const nearest = ancestorsOf(resources, at).at(-1)?.parameter;
    return all.some(({ parameter, key, property }) => parameter === nearest && key === property);
  };

  /** What no member says, and the path of the collection does. */
  const needed = (): ReadonlySet<string> => new Set(saysNearest(path, own) ? [] : own.map(({ key }) => key));

  const elsewhere = family.addresses.filter((one) => one.create ?? one.resource);
  // Where records are only found, an object in them says below what they are.
  const viewed = family.addresses.filter(
    (one) => !elsewhere.includes(one) && one.parents.some(({ inner }) => inner !== undefined),
  );
  const parents = [...own, ...[...elsewhere, ...viewed].flatMap(parentsAt)];
  const objects = parents.flatMap(({ key, property, inner }) =>
    property !== undefined && inner !== undefined
      ? [{ key, property, inner, shape: memberShape(shape, property) }]
      : [],
  );

  /** What the path says, or the object that stands for the parent. */
  function hiddenValue(key: string, record: Data, scope: Given['scope']): unknown {
    const said = scope.find((condition) => condition.key === key);
    if (said) return said.anyOf[0];
    const { property, inner } = objects.find((one) => one.key === key) ?? {};
    const object = property === undefined ? undefined : ownEntry(record, property);
    return inner !== undefined && isRecord(object) ? valueAt(object, inner.split('.')) : undefined;
  }

  return {
    keys: [...new Set(parents.map(({ key }) => key))],
    elsewhere,
    scopeOf(place, keys) {
      const known = parentsAt(place).filter(({ key }) => keys.includes(key));
      return (parameters) =>
        known.map(({ parameter, key, shape: member }) => {
          const value = parameters[parameter] as Scalar;
          return { key, anyOf: [asMember(value, member)] };
        });
    },
    withParents(id, members, scope) {
      let whole = members;
      for (const { key, property, inner, shape: member } of objects) {
        const condition = scope.find((one) => one.key === key);
        if (!condition) continue;
        const old = members[property] ?? (member && values.member(resource, id, property, member));
        const named = withValueAt(old, inner.split('.'), () => condition.anyOf[0]);
        whole = { ...whole, [property]: named };
      }
      return whole;
    },
    keyValue(key, record, scope) {
      const value = key.startsWith('{') ? hiddenValue(key, record, scope) : ownEntry(record, key);
      if (Array.isArray(value)) return value.filter((item) => !isObject(item)) as Scalar[];
      return isObject(value) ? undefined : (value as KeyValue);
    },
  };
}

/** The schema of the member that names a parent. */
function parentShape(
  shape: Shape,
  property: string | undefined,
  inner: string | undefined,
): Shape | undefined {
  const member = property === undefined ? undefined : memberShape(shape, property);
  return inner === undefined ? member : shapeAt(member, inner.split('.'));
}

/** A path parameter may have another type than the member of the same name. */
function asMember(value: Scalar, member: Shape | undefined): Scalar {
  const { mainType } = member ? withoutNull(member) : {};
  if (mainType === 'string') return typeof value === 'number' ? String(value) : value;
  // Operations describe a parameter that no member has in different ways.
  const isNumber = typeof value === 'string' && /^(?:0|[1-9]\d*)$/.test(value);
  return (isNumber ? exactNumber(value) : undefined) ?? value;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
