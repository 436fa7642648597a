import {
  type Address,
  ancestorsOf,
  type Data,
  exactNumber,
  type Family,
  formUpTo,
  idStem,
  isRecord,
  memberShape,
  ownEntry,
  type Parent,
  type Resource,
  type Shape,
  shapeAt,
  singularName,
  valueAt,
  withoutNull,
  withValueAt,
} from '#spec';
import type { Condition, Given, Id, KeyValue, Scalar } from '../store/port.ts';
import type { SeedValues } from './seed/values.ts';

/** A path and its parents. */
export type Place = Pick<Address, 'path' | 'parents'>;

/** A parent in a path. */
interface NamedParent extends Parent {
  /** Braces distinguish the key of a parameter from those of properties. */
  readonly key: string;
  readonly shape: Shape | undefined;
}

/** The conditions that path parameters set for records. */
export type ScopeFrom = (path: Data) => readonly Condition[];

/** How a collection's paths identify the parents of its records, and how these are stored. */
export interface Addresses {
  /** The keys under which parents are stored, for all paths. */
  readonly keys: readonly string[];
  /** Other paths at which records are found or created. */
  readonly elsewhere: readonly Address[];
  scopeOf(place: Place, keys: readonly string[]): ScopeFrom;
  /** Sets the parents in a record's members, where an object in it shows a parent. */
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
  const named = (parent: Parent, hidden: string, at = path): NamedParent => {
    const { property, inner } = parent;
    const member = parentShape(shape, property, inner);
    const [to] = ancestorsOf(resources, at).filter(({ parameter }) => parameter === parent.parameter);
    // A numeric member is a different id from the text in the path.
    const isOther = to?.parent.id?.shape.mainType === 'string' && isNumeric(member);
    const key = property !== undefined && inner === undefined && !isOther ? property : hidden;
    return { ...parent, key, shape: member };
  };
  const ownParents = resource.parents.map((parent) => named(parent, `{${parent.parameter}}`));
  const byPlace = new Map(ownParents.map((parent) => [formUpTo(path, parent.parameter), parent]));

  function parentsAt(place: Place): readonly NamedParent[] {
    const all = place.parents.map((parent) => {
      const at = formUpTo(place.path, parent.parameter);
      // `/customer/shops/{shopId}` and `/admin/shops/{shopId}` refer to the same shops.
      const isSame = (one: Parent) => one.parameter === parent.parameter && idStem(parent.parameter);
      const same = byPlace.get(at) ?? ownParents.find(isSame);
      return same ? { ...same, parameter: parent.parameter } : named(parent, `{${at}}`, place.path);
    });
    // If a member names the nearest parent, the others follow from it.
    const isKept = ({ key, property }: NamedParent) => key === property || needed().has(key);
    return saysNearest(place.path, all) ? all.filter(isKept) : all;
  }

  const saysNearest = (at: string, all: readonly NamedParent[]): boolean => {
    const nearest = ancestorsOf(resources, at).at(-1)?.parameter;
    return all.some(({ parameter, key, property }) => parameter === nearest && key === property);
  };

  /** The parents that only the path names. */
  const needed = (): ReadonlySet<string> =>
    new Set(saysNearest(path, ownParents) ? [] : ownParents.map(({ key }) => key));

  const elsewhere = family.addresses.filter((address) => address.create ?? address.resource);
  // On read-only paths, an object in the record may show the parent.
  const viewed = family.addresses.filter(
    (address) => !elsewhere.includes(address) && address.parents.some(({ inner }) => inner !== undefined),
  );
  const parents = [...ownParents, ...[...elsewhere, ...viewed].flatMap(parentsAt)];
  const above = new Set(ancestorsOf(resources, `${path}/`).map(({ parameter }) => parameter));
  const objects = parents.flatMap(({ key, property, inner, parameter }) => {
    if (property === undefined || inner === undefined) return [];
    const member = memberShape(shape, property);
    // An object whose parent exists and that requires no members only needs the id.
    const isNamed = above.has(parameter) && member?.required.size === 0;
    return [{ key, property, inner, shape: isNamed ? undefined : member }];
  });

  /** The parent's value from the path, or from the object that shows the parent. */
  function hiddenValue(key: string, record: Data, scope: Given['scope']): unknown {
    const match = scope.find((condition) => condition.key === key);
    if (match) return match.anyOf[0];
    const { property, inner } = objects.find((one) => one.key === key) ?? {};
    const object = property === undefined ? undefined : ownEntry(record, property);
    if (inner !== undefined && isRecord(object)) return valueAt(object, inner.split('.'));
    // A text named after the parent identifies it: `user` for `/users/{userId}`.
    const { parameter = '' } = parents.find((parent) => parent.key === key) ?? {};
    const [, value] = Object.entries(record).find(([name]) => singularName(name) === idStem(parameter)) ?? [];
    return isObject(value) ? undefined : value;
  }

  return {
    keys: [...new Set(parents.map(({ key }) => key))],
    elsewhere,
    scopeOf(place, keys) {
      const scoped = parentsAt(place).filter(({ key }) => keys.includes(key));
      return (parameters) =>
        scoped.map(({ parameter, key, shape: member }) => {
          const value = asMember(parameters[parameter] as Scalar, member);
          // Paths below any user or team name: seeded records exist below each name, since clients cannot know one.
          const isOpen = key.startsWith('{') && path.startsWith(`/{${parameter}}`);
          const seeded = isOpen ? values.parameter(resource, parameter) : value;
          return { key, anyOf: seeded === value ? [value] : [value, seeded] };
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
      const inRecord = () => ownEntry(record, key) ?? valueAt(record, key.split('.'));
      const value = key.startsWith('{') ? hiddenValue(key, record, scope) : inRecord();
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

function isNumeric(member: Shape | undefined): boolean {
  const { mainType } = member ? withoutNull(member) : {};
  return mainType === 'integer' || mainType === 'number';
}

/** A path parameter may have another type than the member with its name. */
function asMember(value: Scalar, member: Shape | undefined): Scalar {
  const { mainType } = member ? withoutNull(member) : {};
  if (mainType === 'string') return typeof value === 'number' ? String(value) : value;
  // Without a member, operations may document the parameter's type differently.
  const isNumber = typeof value === 'string' && /^(?:0|[1-9]\d*)$/.test(value);
  return (isNumber ? exactNumber(value) : undefined) ?? value;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
