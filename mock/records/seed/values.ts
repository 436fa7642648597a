import { type Random, type Resource, type Shape, sample } from '#spec';
import type { Id, Scalar } from '../../store/port.ts';
import type { Fake } from './fake.ts';

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
