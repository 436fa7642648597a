import { type Random, type Resource, type Shape, sample } from '#spec';
import type { Id, Scalar } from '../store/port.ts';
import type { Fake } from './fake.ts';

/** Values for what no client gave, keyed by (seed, resource, id, property): the order of calls does not count. */
export interface SeedValues {
  keyOf(...parts: readonly unknown[]): string;
  record(resource: Resource, id: Id): unknown;
  member(resource: Resource, id: Id, name: string, shape: Shape): unknown;
  /** A value of any schema that an answer has. */
  answer(shape: Shape, ...key: readonly unknown[]): unknown;
  /** What a path parameter of a collection is where no other collection has records to say so. */
  parameter(resource: Resource, name: string): Scalar;
}

/** Clients must cope with records that lack an optional member, so one in five does. */
const SHARE_PRESENT = 0.8;

export function createSeedValues(seed: number, fake: Fake, awkward: Fake): SeedValues {
  const keyOf = (...parts: readonly unknown[]) => [seed, ...parts].join('/');
  const options = (key: string) => ({
    key,
    omit: (member: Shape) => member.writeOnly,
    include: (_name: string, random: Random) => random.next() < SHARE_PRESENT,
    fake,
  });
  /** The ordinary value is made in any case, so that it stays the same whatever is awkward. */
  const seeded: Fake = (name, shape, random) => {
    const ordinary = fake(name, shape, random);
    return awkward(name, shape, random) ?? ordinary;
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
