import {
  memberShape,
  type Random,
  type Resource,
  type Shape,
  sample,
  stringifyJson,
  type Validators,
} from '#spec';
import type { Id, Scalar } from '../../store/port.ts';
import { compileFit, type Fake, methodOf } from './fake.ts';

/** Generated values, keyed by (seed, resource, id, property): the order of calls does not matter. */
export interface SeedValues {
  keyOf(...parts: readonly unknown[]): string;
  record(resource: Resource, id: Id): unknown;
  member(resource: Resource, id: Id, name: string, shape: Shape): unknown;
  /** A value of any schema of a response. */
  answer(shape: Shape, ...key: readonly unknown[]): unknown;
  /** The value of a path parameter where no collection has records that give one. */
  parameter(resource: Resource, name: string): Scalar;
}

/** Clients must cope with records that lack an optional member, so one in five does. */
const SHARE_PRESENT = 0.8;

export function createSeedValues(seed: number, fake: Fake, edgeCases: Fake): SeedValues {
  const keyOf = (...parts: readonly unknown[]) => [seed, ...parts].join('/');
  const options = (key: string) => ({
    key,
    omit: (member: Shape) => member.writeOnly,
    include: (_name: string, random: Random) => random.next() < SHARE_PRESENT,
    fake,
  });
  /** The ordinary value is generated in any case, so that edge cases do not change the values after them. */
  const seeded: Fake = (name, shape, random) => {
    const ordinary = fake(name, shape, random);
    return edgeCases(name, shape, random) ?? ordinary;
  };
  return {
    keyOf,
    record: ({ shape, path }, id) => sample(shape, { ...options(keyOf(path, id)), fake: seeded }),
    member: ({ path }, id, name, member) =>
      sample(member, {
        ...options(`${keyOf(path, id)}/${name}`),
        fake: (inner, shape, random) => fake(inner || name, shape, random),
      }),
    answer: (shape, ...key) => sample(shape, options(keyOf(...key))),
    parameter({ path, actions }, name) {
      const parameters = Object.values(actions).flatMap((operation) => operation.parameters);
      const described = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
      return (described ? sample(described.shape, { key: keyOf(path, name) }) : name) as Scalar;
    },
  };
}

type Members = Readonly<Record<string, unknown>>;

/** Gives a seeded record values of its own; undefined: there seem to be none left. */
type Distinguish = (id: Id, members: Members) => Members | undefined;

/** An enumeration, or a narrow pattern, may have fewer values than there are records. */
const MAX_ATTEMPTS = 100;

/** Of unique members no value is given twice. */
export function createDistinguish(
  resource: Resource,
  unique: readonly (readonly string[])[],
  values: SeedValues,
): Distinguish {
  // What a record belongs to is not its own to choose.
  const isParent = (name: string) => resource.parents.some(({ property }) => property === name);
  const known = unique.flatMap((all) => {
    const names = all.filter((name) => !isParent(name));
    return names.length > 0 ? { names, taken: new Set<string>() } : [];
  });
  return (id, members) => {
    const own: Record<string, unknown> = Object.assign(Object.create(null), members);
    for (const { names, taken } of known) {
      for (let attempt = 1; taken.has(keyOf(own, names)); attempt++) {
        if (attempt > MAX_ATTEMPTS) return undefined;
        const name = names[(attempt - 1) % names.length] ?? '';
        const shape = memberShape(resource.shape, name);
        if (shape) own[name] = values.member(resource, `${id}/${attempt}`, name, shape);
      }
    }
    for (const { names, taken } of known)
      if (names.every((name) => own[name] !== undefined && own[name] !== null)) taken.add(keyOf(own, names));
    return own;
  };
}

function keyOf(members: Members, names: readonly string[]): string {
  return names.map((name) => stringifyJson(members[name] ?? null)).join();
}

/** Names as real data has them and clients fail on, by kind. */
const NAMES = [
  ["D'Artagnan", "Ma'alin"],
  ['Zoë', 'Łukasz', 'Nguyễn Thị Ánh', 'Ŋũgĩ', 'Ağaoğlu'],
  ['Ελένη', 'Дмитрий', 'Անահիտ', 'नेहा', 'ใบเตย'],
  ['さくら', '小花', '하늘'],
  ['שָׂרָה', 'محمد الأمين'],
  ['O’Malley', 'Momo 🐾', 'Tom & "Jerry"', '<b>Bo</b>', 'Wolfeschlegelsteinhausenbergerdorff'],
];

/** The ends of int64, and the first integer that a double cannot hold (2^53 + 1). */
const INTEGERS = [[-(2n ** 63n)], [2n ** 63n - 1n, 2n ** 53n + 1n]];

/** Methods of faker that give names and titles. */
const NAMING = /^(?:(?:animal|commerce|company|person)\.|lorem\.words?$)/;
const SHARE = 0.12;

/** Edge cases for a share of the members that may hold them; undefined: an ordinary value is wanted. */
export function createEdgeCases(validators: Validators): Fake {
  const compiled = new WeakMap<Shape, Kinds>();
  return (name, shape, random) => {
    let values = compiled.get(shape);
    if (!values) {
      values = valuesFor(name, shape, validators);
      compiled.set(shape, values);
    }
    return values.length > 0 && random.next() < SHARE ? random.pick(random.pick(values)) : undefined;
  };
}

type Kinds = readonly (readonly unknown[])[];

function valuesFor(name: string, shape: Shape, validators: Validators): Kinds {
  const kinds = kindsFor(name, shape);
  if (kinds.length === 0) return kinds;
  const fits = compileFit(shape, validators);
  return kinds.map((values) => values.filter(fits)).filter((values) => values.length > 0);
}

function kindsFor(name: string, shape: Shape): Kinds {
  if (shape.mainType === 'string') return NAMING.test(methodOf(name, shape)?.method ?? '') ? NAMES : [];
  // Clients without support for int64 must find records by their ids, too.
  return shape.find('format')?.value === 'int64' && name !== 'id' ? INTEGERS : [];
}
