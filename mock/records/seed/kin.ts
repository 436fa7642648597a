import {
  formsOf,
  idsBeside,
  isRecord,
  type Kin,
  type Resource,
  randomOf,
  recordName,
  referencesOf,
  type Shape,
  sameName,
} from '#spec';
import { memoize } from '../../http/memoize.ts';
import type { Id } from '../../store/port.ts';
import { type IdMaker, type IdMakers, skewed } from './ids.ts';
import type { SeededMembers } from './seeded-members.ts';
import type { SeedValues } from './values.ts';

/** A collection, or what has values in its form. */
export interface Named {
  readonly path: string;
  readonly shape: Shape;
  readonly id: Resource['id'];
}

type Data = Readonly<Record<string, unknown>>;

interface Context {
  readonly idMakers: IdMakers;
  readonly values: SeedValues;
  readonly membersOf: SeededMembers;
  readonly count: number;
}

/** Changes a member of a record; `where` is the path to it. */
type Change = (value: unknown, id: Id, where: string) => unknown;

/**
 * Lets the members of seeded records that name or show records of other collections name some that are there: few of them
 * often, as in life.
 */
export function compileSeedKin(
  resource: Named,
  { kin }: { readonly kin: readonly Kin[] },
  context: Context,
): (id: Id, record: Data) => Data {
  const { idMakers, values, count } = context;
  if (count === 0) return (_, record) => record;
  const pick: Pick = (id, where) => skewed(randomOf(values.keyOf(resource.path, id, where)), count);
  const ownNames = [resource.id?.property, ...['id', 'uuid'].map((end) => recordName(resource.path) + end)];
  const isOwn = (name: string) => ownNames.some((one) => one !== undefined && sameName(one, name));
  const { beside, members } = changesIn(resource.shape, context, pick, 0);
  const changes = new Map([...members].filter(([name]) => !isOwn(name)));
  for (const { parent, property, inner, address } of kin) {
    const idOf = idMakers.get(parent);
    const isByPath = address !== undefined && (address.create || address.resource);
    if (property === undefined) continue;
    if (inner === undefined && isByPath) changes.delete(property);
    else if (inner === undefined && idOf) changes.set(property, (_, id, where) => idOf(pick(id, where)));
  }
  return changes.size === 0
    ? (_, record) => record
    : (id, record) => changed(record, { beside, members: changes }, id, '');
}

/** Which record of a collection is meant at a place. */
type Pick = (id: Id, where: string) => number;

interface Changes {
  readonly members: ReadonlyMap<string, Change>;
  /** The object of which a member is the id names the same record, and what is the same is picked alike. */
  readonly beside: ReadonlyMap<string, string>;
}

function changed(record: Data, { members, beside }: Changes, id: Id, where: string): Data {
  const own: Record<string, unknown> = Object.assign(Object.create(null), record);
  for (const [name, change] of members) {
    const { [name]: value } = own;
    if (value !== undefined && value !== null)
      own[name] = change(value, id, `${where}${beside.get(name) ?? name}`);
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
    const named = plain.flatMap(([name, member]) =>
      Object.hasOwn(shown, name) && member.allows(shown[name]) ? [[name, shown[name]] as const] : [],
    );
    return { ...(isRecord(value) && value), ...Object.fromEntries(named), [inner]: id };
  };
}

const MAX_DEPTH = 4;

/** One array for each map, by which the references in it are looked up. */
const resourcesIn = memoize((idMakers: IdMakers): readonly Resource[] => [...idMakers.keys()]);

/** The members of an object, and of those within it, that name records of a collection or show them. */
function changesIn(shape: Shape, context: Context, pick: Pick, depth: number): Changes {
  const { idMakers, count } = context;
  const forms = formsOf(shape);
  const references = referencesOf(shape, resourcesIn(idMakers));
  const known = new Map(references.map((one) => [one.property, one] as const));
  const members = new Map(forms.flatMap(({ properties }) => [...properties]));
  const changes = [...members].flatMap(([name, member]): [string, Change][] => {
    const items = member.mainType === 'array' ? member.items : undefined;
    const { shape: form, to } = known.get(name) ?? {};
    const toId = to && idMakers.get(to);
    if (to && toId && !form) {
      const named: Change = (value, id, where) => toId(pick(id, where)) ?? value;
      const all: Change = (value, id, where) =>
        Array.isArray(value)
          ? [...new Set(value.map((item, index) => named(item, id, `${where}/${index}`)))]
          : value;
      return [[name, items ? all : named]];
    }
    if (form && to && toId) {
      const show = compileShown(form, to, toId, context);
      return [
        [
          name,
          (value, id, where) => {
            if (isRecord(value)) return show(value, pick(id, where));
            if (!Array.isArray(value)) return value;
            const first = pick(id, where);
            return value.slice(0, count).map((item, index) => show(item, 1 + ((first - 1 + index) % count)));
          },
        ],
      ];
    }
    const inner = items ?? member;
    if (!formsOf(inner).some(({ mainType }) => mainType === 'object') || depth >= MAX_DEPTH) return [];
    const within = changesIn(inner, context, pick, depth + 1);
    if (within.members.size === 0) return [];
    const one = (value: unknown, id: Id, where: string) =>
      isRecord(value) ? changed(value, within, id, where) : value;
    const change: Change = (value, id, where) =>
      Array.isArray(value)
        ? value.map((item, index) => one(item, id, `${where}/${index}/`))
        : one(value, id, `${where}/`);
    return [[name, change]];
  });
  const beside = new Map(idsBeside(shape).map((one) => [one.property, one.beside]));
  return { members: new Map(changes), beside };
}
