import { memberShape, type Resource } from '#spec';
import type { Id, Scalar } from '../../store/port.ts';
import type { SeedValues } from './values.ts';

type Members = Readonly<Record<string, unknown>>;

/** Gives a seeded record values of its own; undefined: there seem to be none left. */
export type Distinguish = (id: Id, members: Members) => Members | undefined;

/** An enumeration, or a narrow pattern, may have fewer values than there are records. */
const MAX_ATTEMPTS = 100;

/** Of unique members no value is given twice. */
export function createDistinguish(
  resource: Resource,
  unique: readonly string[],
  values: SeedValues,
): Distinguish {
  const known = unique.map((name) => ({ name, taken: new Set<Scalar>() }));
  return (id, members) => {
    const own: Record<string, unknown> = Object.assign(Object.create(null), members);
    for (const { name, taken } of known) {
      const shape = memberShape(resource.shape, name);
      for (let attempt = 1; shape && taken.has(own[name] as Scalar); attempt++) {
        if (attempt > MAX_ATTEMPTS) return undefined;
        own[name] = values.member(resource, `${id}/${attempt}`, name, shape);
      }
    }
    for (const { name, taken } of known) {
      if (own[name] !== undefined && own[name] !== null) taken.add(own[name] as Scalar);
    }
    return own;
  };
}
