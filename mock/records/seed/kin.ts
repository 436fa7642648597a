import {
  calledAs,
  copiesIn,
  type Data,
  familiesOf,
  formsOf,
  idStem,
  idsBeside,
  isNullable,
  isRecord,
  type Kin,
  memberShape,
  namesParent,
  oncePer,
  type Resource,
  randomOf,
  recordName,
  referencesOf,
  roughlyFits,
  type Shape,
  sameName,
  withoutNull,
} from '#spec';
import { onFirstCall } from '../../http/memoize.ts';
import type { Id } from '../../store/port.ts';
import { type IdMaker, type IdMakers, skewed } from './ids.ts';
import type { SeededMembers } from './seeded-members.ts';
import type { SeedValues } from './values.ts';

/** A collection, or any schema with values. */
export interface Named {
  readonly path: string;
  readonly shape: Shape;
  readonly id: Resource['id'];
}

interface Context {
  readonly idMakers: IdMakers;
  readonly values: SeedValues;
  readonly membersOf: SeededMembers;
  readonly count: number;
  /** Whether records only have plain references, without embedded records. */
  readonly isPlain?: boolean;
}

/** Changes a member of a record; `where` is the path to it. Undefined: removes the member. */
type Change = (value: unknown, id: Id, where: string) => unknown;

/**
 * Makes references in seeded records point to existing records, to a few of them often.
 * @returns changes a record; for the n-th record of its collection also the reference to its parent there
 */
export function compileSeedKin(
  resource: Named,
  { kin }: { readonly kin: readonly Kin[] },
  context: Context,
): (id: Id, record: Data, ordinal?: number) => Data {
  const { idMakers, values, count } = context;
  if (count === 0) return (_, record) => record;
  const pick: Pick = (id, where) => skewed(randomOf(values.keyOf(resource.path, id, where)), count);
  const ownNames = [resource.id?.property, ...['id', 'uuid'].map((end) => recordName(resource.path) + end)];
  const isOwn = (name: string) =>
    ownNames.some((ownName) => ownName !== undefined && sameName(ownName, name));
  const { beside, members } = changesIn(
    resource.shape,
    context,
    { pick, isOwn, isStored: resource.id !== undefined },
    0,
  );
  const changes = new Map([...members].filter(([name]) => !isOwn(name)));
  for (const { parent, property, inner, address } of kin) {
    const idOf = idMakers.get(parent);
    const isByPath = address !== undefined && (address.create || address.resource);
    if (property === undefined) continue;
    if (inner === undefined && isByPath) changes.delete(property);
    else if (inner === undefined && idOf) {
      const member = memberShape(resource.shape, property);
      const isText = member && withoutNull(member).mainType === 'string';
      const named: Change = (_, id, where) => idOf(pick(id, where));
      changes.set(property, isText ? (...of) => String(named(...of)) : named);
    }
  }
  const above = parentsIn(resource, context);
  return (id, record, ordinal) => {
    const related = changes.size === 0 ? record : changed(record, { beside, members: changes }, id, '');
    if (above.size === 0 || ordinal === undefined) return related;
    return changed(related, { beside, members: above }, ordinal, '');
  };
}

/** One record in so many is the root of a tree. */
const PER_ROOT = 5;

/** The members with a record's parent in its own collection: an earlier record, so that there is no cycle. */
function parentsIn(resource: Named, context: Context): ReadonlyMap<string, Change> {
  const main = [...context.idMakers.keys()].find(({ path }) => path === resource.path);
  const idOf = main && context.idMakers.get(main);
  if (!main?.id || !idOf || main.id.inner !== undefined) return new Map();
  const { shape: idShape } = main.id;
  return new Map(
    [...resource.shape.properties].flatMap(([name, member]): [string, Change][] => {
      const form = withoutNull(member);
      const isObject = form.mainType === 'object' && memberShape(form, main.id?.property ?? '') !== undefined;
      const isId = form.mainType === idShape.mainType && !form.values;
      if (!namesParent(name, recordName(main.path)) || !(isObject || isId)) return [];
      const isBare = isNullable(member) || !resource.shape.required.has(name);
      const none = (value: unknown) =>
        isNullable(member) ? null : isBare ? undefined : isObject ? value : idOf(1);
      const show = isObject ? compileShown(form, main, idOf, context, false) : undefined;
      return [
        [
          name,
          (value, at, where) => {
            const ordinal = Number(at);
            if (ordinal <= 1 || (isBare && ordinal % PER_ROOT === 1)) return none(value);
            const random = randomOf(context.values.keyOf(main.path, ordinal, where));
            const parent = skewed(random, ordinal - 1);
            return show ? show(value, parent) : idOf(parent);
          },
        ],
      ];
    }),
  );
}

/** Chooses a record for a reference. */
type Pick = (id: Id, where: string) => number;

interface Place {
  readonly pick: Pick;
  /** Whether a name is the record's own id. */
  readonly isOwn: (name: string) => boolean;
  /** Whether the value is a record of a collection. */
  readonly isStored: boolean;
}

interface Changes {
  readonly members: ReadonlyMap<string, Change>;
  /** The object beside each id or copied member: both refer to the same record, so both choose it by the same key. */
  readonly beside: ReadonlyMap<string, string>;
}

function changed(record: Data, { members, beside }: Changes, id: Id, where: string): Data {
  const copy: Record<string, unknown> = Object.assign(Object.create(null), record);
  for (const [name, change] of members) {
    const { [name]: value } = copy;
    if (value === undefined || value === null) continue;
    copy[name] = change(value, id, `${where}${beside.get(name) ?? name}`);
    if (copy[name] === undefined) delete copy[name];
  }
  return copy;
}

/** Sampled values whose references point to existing records. */
export function relatedValues(values: SeedValues, context: Omit<Context, 'values'>): SeedValues {
  const compiled = oncePer((shape: Shape) =>
    compileSeedKin(
      { path: '#', shape: withoutNull(shape), id: undefined },
      { kin: [] },
      { ...context, values },
    ),
  );
  function relate(shape: Shape, value: unknown, key: string): unknown {
    if (Array.isArray(value)) {
      const { items } = withoutNull(shape);
      return items ? value.map((one, index) => relate(items, one, `${key}/${index}`)) : value;
    }
    return isRecord(value) ? compiled(shape)(key, value) : value;
  }
  return {
    ...values,
    single: (resource, id) =>
      relate(resource.shape, values.single(resource, id), values.keyOf(resource.path, id)),
    member(resource, id, name, shape) {
      const [made, key] = [values.member(resource, id, name, shape), values.keyOf(resource.path, id)];
      return compiled(resource.shape)(key, { [name]: made })[name] ?? made;
    },
    sampled: (shape, how, ...key) => relate(shape, values.sampled(shape, how, ...key), values.keyOf(...key)),
  };
}

/** An embedded record: its id, and the plain members that its schema has here. */
function compileShown(shape: Shape, to: Resource, idOf: IdMaker, context: Context, isStored: boolean) {
  const { kin } = familiesOf(resourcesIn(context.idMakers)).get(to) ?? { kin: [] };
  const naming = onFirstCall(() => compileSeedKin(to, { kin }, { ...context, isPlain: true }));
  const inner = to.id?.property ?? '';
  const plain = [...shape.properties].filter(
    ([name, { mainType }]) => name !== inner && mainType !== 'object' && mainType !== 'array',
  );
  // Reads fill in the rest of an embedded record.
  const isFree = isStored && [...shape.required.keys()].every((name) => name === inner);
  return (value: unknown, ordinal: number): unknown => {
    const id = idOf(ordinal);
    if (isFree) return { [inner]: id };
    const members = naming(id, context.membersOf(to, ordinal), ordinal);
    const named = plain.flatMap(([name, member]) =>
      Object.hasOwn(members, name) && roughlyFits(member, members[name])
        ? [[name, members[name]] as const]
        : [],
    );
    return { ...(isRecord(value) && value), ...Object.fromEntries(named), [inner]: id };
  };
}

const MAX_DEPTH = 4;

/** One array per map, since references are cached by the array. */
const resourcesIn = oncePer((idMakers: IdMakers): readonly Resource[] => [...idMakers.keys()]);

/** Compiles the references and embedded records in an object, at any depth. */
function changesIn(shape: Shape, context: Context, place: Place, depth: number): Changes {
  const { pick, isOwn, isStored } = place;
  const { idMakers, count } = context;
  const forms = formsOf(shape);
  const references = referencesOf(shape, resourcesIn(idMakers));
  const byProperty = new Map(references.map((reference) => [reference.property, reference] as const));
  const members = new Map(forms.flatMap(({ properties }) => [...properties]));
  const changes = [...members].flatMap(([name, member]): [string, Change][] => {
    const items = withoutNull(member).items;
    if (isStored && depth > 0 && isOwn(name) && idStem(name) !== undefined && !items)
      return [[name, (value, id) => (typeof value === typeof id ? id : value)]];
    const { shape: form, to } = byProperty.get(name) ?? {};
    const toId = to && idMakers.get(to);
    if (to && toId && !form) {
      const named: Change = (value, id, where) => toId(pick(id, where)) ?? value;
      const all: Change = (value, id, where) =>
        Array.isArray(value)
          ? [...new Set(value.map((item, index) => named(item, id, `${where}/${index}`)))]
          : value;
      return [[name, items ? all : named]];
    }
    if (context.isPlain && withoutNull(items ?? member).mainType === 'object') return [];
    if (form && to && toId) {
      const show = compileShown(form, to, toId, context, isStored && depth === 0);
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
    const inner = items ?? withoutNull(member);
    if (!formsOf(inner).some(({ mainType }) => mainType === 'object') || depth >= MAX_DEPTH) return [];
    const within = changesIn(inner, context, place, depth + 1);
    if (within.members.size === 0) return [];
    const one = (value: unknown, id: Id, where: string) =>
      isRecord(value) ? changed(value, within, id, where) : value;
    const change: Change = (value, id, where) =>
      Array.isArray(value)
        ? value.map((item, index) => one(item, id, `${where}/${index}/`))
        : one(value, id, `${where}/`);
    return [[name, change]];
  });
  const beside = new Map(idsBeside(shape).map((idBeside) => [idBeside.property, idBeside.beside]));
  const copies = references.flatMap((reference) => {
    const { property, to } = reference;
    return copiesIn(members, reference).flatMap(({ name, of }): [string, Change][] => {
      const member = members.get(name);
      if (!member || byProperty.has(name)) return [];
      beside.set(name, beside.get(property) ?? property);
      return [
        [
          name,
          (value, id, where) => {
            const copied = of(context.membersOf(to, pick(id, where)));
            return copied !== undefined && roughlyFits(member, copied) ? copied : value;
          },
        ],
      ];
    });
  });
  const taken = new Set([...changes, ...copies].map(([name]) => name));
  const others = resourcesIn(idMakers).filter((to) => references.every((reference) => reference.to !== to));
  const texts = [...members].flatMap(([name, member]): [string, Change][] => {
    const free = taken.has(name) || member.values || member.find('format') ? undefined : member;
    const { to, inner = '' } = (free?.mainType === 'string' && calledAs(name, others)) || {};
    if (!to || isOwn(name)) return [];
    beside.set(name, recordName(to.path));
    return [
      [
        name,
        (value, id, where) => {
          const { [inner]: called } = context.membersOf(to, pick(id, where));
          return typeof called === 'string' && roughlyFits(member, called) ? called : value;
        },
      ],
    ];
  });
  return { members: new Map([...changes, ...copies, ...texts]), beside };
}
