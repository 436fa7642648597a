import type { Faker } from '@faker-js/faker';
import { fakerLibrary } from '#platform';
import type { Random } from '#spec';

/** Calls a method of faker, e.g. `person.firstName`; undefined: there is none of this name, or it throws. */
export type CallFaker = (method: string, args: readonly unknown[], random: Random) => unknown;

/** The reference date of relative dates, so that every day gives the same ones. */
const TODAY = Date.UTC(2024, 6, 1);

/** The only module that imports faker: one locale, loaded at the first call, since many documents never need it. */
export function createFaker(): CallFaker {
  let current: Random | undefined;
  let faker: Faker | undefined;
  return (method, args, random) => {
    faker ??= loadFaker(() => (current as Random).next());
    current = random;
    return call(faker, method, args);
  };
}

/**
 * Our keyed numbers replace faker's own generator: seeding that one for each value costs more than the values do.
 */
function loadFaker(next: () => number): Faker {
  const { faker } = fakerLibrary();
  const locale = faker.rawDefinitions;
  const own = new (faker.constructor as typeof Faker)({ locale, randomizer: { next, seed() {} } });
  own.setDefaultRefDate(TODAY);
  return own;
}

function call(faker: Faker, method: string, args: readonly unknown[]): unknown {
  const [group = '', name = '', ...rest] = method.split('.');
  // Names come from the document: only faker's own modules and their methods may be reached by one.
  if (rest.length > 0 || !Object.hasOwn(faker, group) || name === 'constructor') return undefined;
  const owner = faker[group as keyof Faker] as unknown as Record<string, unknown>;
  const make = owner[name];
  if (typeof make !== 'function') return undefined;
  try {
    return make.apply(owner, args);
  } catch {
    return undefined;
  }
}
