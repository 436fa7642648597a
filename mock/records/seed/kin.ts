import {
  type Family,
  isRecord,
  plainName,
  type Resource,
  randomOf,
  recordName,
  referencesIn,
  type Shape,
} from '#spec';
import type { Id } from '../../store/port.ts';
import { type IdMaker, skewed } from './ids.ts';
import type { SeededMembers } from './seeded-members.ts';
import type { SeedValues } from './values.ts';

type Data = Readonly<Record<string, unknown>>;

interface Context {
  readonly idMakers: ReadonlyMap<Resource, IdMaker>;
  readonly values: SeedValues;
  readonly membersOf: SeededMembers;
  /** Of the records of each collection. */
  readonly count: number;
}

/** Changes a member of a record; `where` is the path to it. */
type Change = (value: unknown, id: Id, where: string) => unknown;

/**
 * Lets the members of seeded records that name or show records of other collections name some that are there: few of them
 * often, as in life.
 */
export function compileSeedKin(
  resource: Resource,
  { kin }: Family,
  context: Context,
): (id: Id, record: Data) => Data {
  const { idMakers, values, count } = context;
  const random = (id: Id, where: string) => randomOf(values.keyOf(resource.path, id, where));
  const changes = new Map<string, Change>(changesWithin(resource.shape, resource, context, 0));

  for (const { property, shape, to } of referencesIn(resource.shape, [...idMakers.keys()])) {
    const idOf = idMakers.get(to);
    const show = idOf && compileShown(shape, to, idOf, context);
    if (!show) continue;
    const isSingle = resource.shape.properties.get(property)?.mainType === 'object';
    changes.set(property, (value, id, where) => {
      const first = skewed(random(id, where), count);
      if (isSingle) return isRecord(value) ? show(value, first) : value;
      if (!Array.isArray(value)) return value;
      return value.slice(0, count).map((item, index) => show(item, 1 + ((first - 1 + index) % count)));
    });
  }
  for (const { parent, property, inner, address } of kin) {
    const idOf = idMakers.get(parent);
    const isByPath = address !== undefined && (address.create || address.resource);
    if (property === undefined || inner !== undefined || isByPath || !idOf) continue;
    changes.set(property, (_, id, where) => idOf(skewed(random(id, where), count)));
  }
  if (changes.size === 0 || count === 0) return (_, record) => record;
  return (id, record) => changed(record, changes, id, '');
}

function changed(record: Data, changes: ReadonlyMap<string, Change>, id: Id, where: string): Data {
  const own: Record<string, unknown> = Object.assign(Object.create(null), record);
  for (const [name, change] of changes) {
    const { [name]: value } = own;
    if (value !== undefined && value !== null) own[name] = change(value, id, `${where}${name}`);
  }
  return own;
}

/** What a record shows of another one: its id, and those of its plain members that stand there. */
function compileShown(shape: Shape, to: Resource, idOf: IdMaker, { membersOf }: Context) {
  const inner = to.id?.property ?? '';
  const plain = [...shape.properties].filter(
    ([name, { mainType }]) => name !== inner && mainType !== 'object' && mainType !== 'array',
  );
  // Reads show the rest of what an object names.
  const isFree = [...shape.required.keys()].every((name) => name === inner);
  return (value: unknown, ordinal: number): unknown => {
    const id = idOf(ordinal);
    if (isFree) return { [inner]: id };
    const shown = membersOf(to, ordinal);
    const named = plain.flatMap(([name]) =>
      Object.hasOwn(shown, name) ? [[name, shown[name]] as const] : [],
    );
    return { ...(isRecord(value) && value), ...Object.fromEntries(named), [inner]: id };
  };
}

/** Members of objects within the record that name records of a collection: `productId` of the lines of an order. */
function changesWithin(
  shape: Shape,
  resource: Resource,
  context: Context,
  depth: number,
): [string, Change][] {
  if (depth > MAX_DEPTH) return [];
  return [...shape.properties].flatMap(([name, member]): [string, Change][] => {
    const items = member.mainType === 'array' ? member.items : undefined;
    const named = namedBy(name, items ?? member, context);
    if (named && (depth > 0 || items)) {
      const idFor: Change = (_, id, where) =>
        named(skewed(randomOf(context.values.keyOf(resource.path, id, where)), context.count));
      const each: Change = (value, id, where) =>
        Array.isArray(value)
          ? [...new Set(value.map((_, index) => idFor(_, id, `${where}/${index}`)))]
          : value;
      return [[name, items ? each : idFor]];
    }
    const inner = items ?? member;
    if (inner.mainType !== 'object') return [];
    const changes = new Map(changesWithin(inner, resource, context, depth + 1));
    if (changes.size === 0) return [];
    const one = (value: unknown, id: Id, where: string) =>
      isRecord(value) ? changed(value, changes, id, where) : value;
    const change: Change = (value, id, where) =>
      Array.isArray(value)
        ? value.map((item, index) => one(item, id, `${where}/${index}/`))
        : one(value, id, `${where}/`);
    return [[name, change]];
  });
}

const MAX_DEPTH = 3;

/** The ids of the collection that `productId`, `product_id` or `product_ids` names; undefined: none, or several. */
function namedBy(name: string, shape: Shape, { idMakers }: Context): IdMaker | undefined {
  const [, noun] = /^(.+?)(?:_?ids?)$/i.exec(name) ?? [];
  if (noun === undefined || shape.values) return undefined;
  const found = [...idMakers].filter(
    ([one]) =>
      one.parents.length === 0 &&
      recordName(one.path) === plainName(noun) &&
      one.id?.shape.mainType === shape.mainType,
  );
  return found.length === 1 ? found[0]?.[1] : undefined;
}
