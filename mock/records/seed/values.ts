import {
  type Data,
  type Direction,
  lastSegment,
  memberShape,
  type Owner,
  oncePer,
  type Random,
  type Resource,
  randomOf,
  roughlyFits,
  type SampleOptions,
  type Shape,
  sample,
  seedOf,
  showsValues,
  stringifyJson,
} from '#spec';
import type { Id, Scalar } from '../../store/port.ts';
import { createSettle } from './dictionary/agree.ts';
import { isKnownNumber } from './dictionary/meaning.ts';
import { mapKey, snakeCase } from './dictionary/subject.ts';
import { isTime } from './dictionary/times.ts';
import { compileFit, type Fake, type NamedFake } from './fake.ts';

/** Generated values, keyed by (seed, resource, id, property), so that they do not depend on the order of calls. */
export interface SeedValues {
  readonly seed: number;
  keyOf(...parts: readonly unknown[]): string;
  /** @param ordinal the place of a seeded record; undefined: any other record, with ordinary values only */
  record(resource: Resource, id: Id, ordinal?: number): unknown;
  /** @param id the record whose other members it agrees with; a suffix gives another value */
  member(resource: Resource, id: Id, name: string, shape: Shape): unknown;
  /** The n-th record's name that is its id; names differ. */
  nameOf(resource: Resource, property: string, ordinal: number): string;
  /** Makes generated members of a record agree with those that were given. */
  settle(resource: Resource, record: Record<string, unknown>, isGiven: (name: string) => boolean): void;
  /** A singleton, as in its schema's example if it has one. */
  single(resource: Resource, id: Id): unknown;
  /** A value of any schema, as in responses. */
  sampled(shape: Shape, how: Sampled, ...key: readonly unknown[]): unknown;
  /** A value of any schema with a name, as in requests or responses; with all optional members, or the usual ones. */
  called(
    name: string,
    shape: Shape,
    direction: Direction,
    isFull: boolean,
    ...key: readonly unknown[]
  ): unknown;
  /** The value of a path parameter for which no collection has records. */
  parameter(resource: Resource, name: string): Scalar;
  /**
   * A value of a faker method, such as `person.firstName`.
   * @throws Error if there is no such method, or it throws
   */
  named(method: string, args: readonly unknown[], ...key: readonly unknown[]): unknown;
}

/** How a value is sampled. */
export interface Sampled {
  /** With all optional members, or none. Default: the usual ones. */
  readonly extent?: 'full' | 'least';
  /** With the examples in the schema and its members. */
  readonly isShown?: boolean;
}

/** With more records, random numbers may collide. */
const MOST_RANDOM = 500;

/**
 * Each optional member is absent in one of five records, as clients must cope with that. Objects of a schema without required
 * members have all of them, except among edge cases.
 */
const SHARE_PRESENT = 0.8;
/** Members that every screen shows are always present. */
const MAIN =
  /^(?:_?id|uuid|\w*name|title|origin|destination|subject|label|slug|code|e?_?mail|user_?name|first_?name|last_?name|status|state|type|price|amount|currency|quantity|created\w*|updated\w*|date|image\w*|avatar\w*|photo\w*|author|description|body|content|text)$/i;

export function createSeedValues(
  seed: number,
  fake: Fake,
  edgeCases: Fake,
  namedFake: NamedFake,
): SeedValues {
  const keyOf = (...parts: readonly unknown[]) => [seed, ...parts].join('/');
  const settle = createSettle();
  const isUsual = (name: string, random: Random) => random.next() < SHARE_PRESENT || MAIN.test(name);
  const include = (name: string, random: Random, _: Shape | undefined, { required }: Shape) =>
    isUsual(name, random) || required.size === 0;
  const options = (key: string) => ({
    key,
    direction: 'response' as const,
    include,
    fake,
    settle: (made: Record<string, unknown>, { shape }: Owner, mayChange: (name: string) => boolean) =>
      settle(made, shape, mayChange),
    word: mapKey,
  });
  const showing: Partial<SampleOptions> = {
    withExamples: true,
    include: (name, random, member, object) =>
      include(name, random, member, object) || (member !== undefined && showsValues(member)),
  };
  /** The ordinary value is generated in any case, so that edge cases do not change later values. */
  const seeded: Fake = (name, shape, random, owner) => {
    const ordinary = fake(name, shape, random, owner);
    return edgeCases(name, shape, random, owner) ?? ordinary;
  };
  const owners = oncePer(({ shape, path }: Resource) => ({
    // `/movies/search` lists movies.
    shape,
    name: lastSegment(path.replace(/\/(?:search|list|all)$/, '')) ?? '',
    above: undefined,
  }));
  const ownerOf = (resource: Resource, id: Id) => ({
    ...owners(resource),
    seed: seedOf(keyOf(resource.path, id)),
  });
  return {
    seed,
    keyOf,
    record(resource, id, ordinal) {
      const { shape, name } = owners(resource);
      if (hasEdgeCases(ordinal))
        return sample(shape, { ...options(keyOf(resource.path, id)), include: isUsual, fake: seeded, name });
      const made = (key: string) => sample(shape, { ...options(key), name });
      const first = made(keyOf(resource.path, id));
      return LONG_WORD.test(stringifyJson(first)) ? made(keyOf(resource.path, id, 'short')) : first;
    },
    single(resource, id) {
      const { shape, name } = owners(resource);
      return sample(shape, { ...options(keyOf(resource.path, id)), ...showing, fake: seeded, name });
    },
    member: (resource, id, name, member) =>
      sample(member, {
        ...options(`${keyOf(resource.path, id)}/${name}`),
        name,
        owner: ownerOf(resource, id),
      }),
    nameOf(resource, property, ordinal) {
      const shape = memberShape(resource.shape, property) ?? resource.id?.shape;
      const key = `${keyOf(resource.path, 'id')}/${ordinal}`;
      if (/currency/i.test(property)) return CURRENCIES[ordinal - 1] ?? `${ordinal}`;
      const made =
        shape && sample(shape, { key, fake, name: property, owner: ownerOf(resource, `id/${ordinal}`) });
      const text = String(made).replace(/\s+/g, '-').toLowerCase();
      if (/(?:^|_)u?id$|[a-z]Id$/.test(property)) return String(made);
      // Phone numbers and the like already have enough random digits.
      if (ordinal <= MOST_RANDOM && /^(?:\D*\d){8}[\d\W]*$/.test(text)) return String(made);
      return text.includes('@') ? text.replace('@', `${ordinal}@`) : `${text}-${ordinal}`;
    },
    settle: ({ shape }, record, isGiven) => settle(record, shape, (name) => !isGiven(name)),
    sampled: (shape, { extent, isShown }, ...key) =>
      sample(shape, {
        ...options(keyOf(...key)),
        ...(isShown && showing),
        ...(extent && { include: () => extent === 'full' }),
      }),
    called: (name, shape, direction, isFull, ...key) =>
      sample(shape, {
        ...options(keyOf(...key)),
        name,
        ...(isFull && { include: () => true }),
        direction,
      }),
    parameter({ path, actions }, name) {
      const parameters = Object.values(actions).flatMap((operation) => operation.parameters);
      const described = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
      return (described ? sample(described.shape, { key: keyOf(path, name) }) : name) as Scalar;
    },
    named: (method, args, ...key) => namedFake(method, args, randomOf(keyOf(...key))),
  };
}

/**
 * Whether a seeded record has edge cases: ten of every fifty, but none among the first and last twenty, which lists and
 * pages of newest records begin with.
 */
function hasEdgeCases(ordinal = 0): boolean {
  const at = ordinal % 50;
  return at > 20 && at <= 30;
}

/** Too wide for a table on a screen. */
const LONG_WORD = /\p{L}{30}/u;

/** ISO 4217, the most common first. */
const CURRENCIES = [...new Set(['EUR', 'USD', 'GBP', 'CHF', 'JPY', ...Intl.supportedValuesOf('currency')])];

/** Makes a seeded record's unique values distinct. Undefined: none seem to be left. */
type Distinguish = (id: Id, members: Data) => Data | undefined;

/** An enumeration or narrow pattern may have fewer values than there are records. */
const MAX_ATTEMPTS = 100;

/** Compiles giving unique members distinct values. */
export function createDistinguish(
  resource: Resource,
  unique: readonly (readonly string[])[],
  values: SeedValues,
): Distinguish {
  // A record's parent is never changed to make values distinct.
  const isParent = (name: string) => resource.parents.some(({ property }) => property === name);
  const uniqueKeys = unique.flatMap((all) => {
    const names = all.filter((name) => !isParent(name));
    return names.length > 0 ? { names, taken: new Set<string>() } : [];
  });
  return (id, members) => {
    const record: Record<string, unknown> = Object.assign(Object.create(null), members);
    for (const { names, taken } of uniqueKeys) {
      for (let attempt = 1; taken.has(keyOf(record, names)); attempt++) {
        if (attempt > MAX_ATTEMPTS) return undefined;
        const name = names[(attempt - 1) % names.length] ?? '';
        const shape = memberShape(resource.shape, name);
        if (shape)
          record[name] =
            numbered(shape, members[name], attempt) ??
            values.member(resource, `${id}/${attempt}`, name, shape);
      }
    }
    for (const { names, taken } of uniqueKeys)
      if (names.every((name) => record[name] !== undefined && record[name] !== null))
        taken.add(keyOf(record, names));
    return record;
  };
}

/** Adds a number when names run out: `Office move 2`. Undefined: try another name first, or the text would not fit. */
function numbered(shape: Shape, value: unknown, attempt: number): string | undefined {
  const isFree = !shape.values && !shape.find('format');
  if (attempt <= OTHERS || !isFree || typeof value !== 'string' || /@|:/.test(value)) return undefined;
  const text = `${value}${/\s/.test(value) ? ' ' : '-'}${attempt - OTHERS + 1}`;
  return roughlyFits(shape, text) && shape.patterns.every((pattern) => pattern.test(text)) ? text : undefined;
}

/** Names that are tried before numbers are added. */
const OTHERS = 6;

function keyOf(members: Data, names: readonly string[]): string {
  return names.map((name) => stringifyJson(members[name] ?? null)).join();
}

/** The lower end of int64; its upper end, and the first integer that a double cannot hold (2^53 + 1). */
const INTEGERS = [[-(2n ** 63n)], [2n ** 63n - 1n, 2n ** 53n + 1n]];

/** The share of suitable members with an edge case. */
const SHARE = 0.6;

/** Edge cases for a share of the integers of 64 bits that allow one. Undefined: use the ordinary value. */
export function createEdgeCases(): Fake {
  const valuesOf = oncePer((shape: Shape, name: string) => {
    // Clients without support for int64 must still find records by id.
    const isOpen = shape.find('format')?.value === 'int64' && name !== 'id';
    if (!isOpen || isKnownNumber(name) || isTime({ name: snakeCase(name), shape })) return [];
    const fits = compileFit(shape);
    return INTEGERS.map((values) => values.filter(fits)).filter((values) => values.length > 0);
  });
  return (name, shape, random) => {
    const values = valuesOf(shape, name);
    return values.length > 0 && random.next() < SHARE ? random.pick(random.pick(values)) : undefined;
  };
}
