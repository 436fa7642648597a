import { type Random, type Resource, type Shape, sample } from '#spec';
import type { Id } from '../store/port.ts';
import type { Fake } from './fake.ts';

/** Values for what no client gave, keyed by (seed, resource, id, property): the order of calls does not count. */
export interface SeedValues {
  keyOf(...parts: readonly unknown[]): string;
  record(resource: Resource, id: Id): unknown;
  member(resource: Resource, id: Id, name: string, shape: Shape): unknown;
  /** What a nested record belongs to. */
  parent(resource: Resource, id: Id, parameter: string): unknown;
}

/** Clients must cope with records that lack an optional member, so one in five does. */
const SHARE_PRESENT = 0.8;

export function createSeedValues(seed: number, fake: Fake): SeedValues {
  const keyOf = (...parts: readonly unknown[]) => [seed, ...parts].join('/');
  const options = (key: string) => ({
    key,
    omit: (member: Shape) => member.writeOnly,
    include: (_name: string, random: Random) => random.next() < SHARE_PRESENT,
    fake,
  });
  return {
    keyOf,
    record: ({ shape, path }, id) => sample(shape, options(keyOf(path, id))),
    member: ({ path }, id, name, member) =>
      sample(member, {
        ...options(`${keyOf(path, id)}/${name}`),
        fake: (inner, shape, random) => fake(inner || name, shape, random),
      }),
    parent: ({ path }, id, parameter) => keyOf(path, id, parameter),
  };
}
