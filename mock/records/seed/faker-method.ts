import type { Faker } from '@faker-js/faker';
import { type Contract, isLargeHint, isRecord, nearest } from '#spec';
import { currentArguments, currentName } from './old-faker-names.ts';

export type Method = (...args: readonly unknown[]) => unknown;

/** The method of a name such as `person.firstName`, which may be an old one. Undefined: there is none. */
export function methodOf(faker: Faker, named: string): Method | undefined {
  const method = currentName(named);
  const [group = '', name = '', ...rest] = method.split('.');
  // Names come from the document: only faker's own modules and their methods may be reached by one.
  if (rest.length > 0 || !Object.hasOwn(faker, group) || name === 'constructor') return undefined;
  const owner = faker[group as keyof Faker] as unknown as Record<string, unknown>;
  const make = owner[name];
  return typeof make === 'function'
    ? (...args) => make.apply(owner, currentArguments(method, args))
    : undefined;
}

export interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** `x-faker: person.firstName`, or `x-faker: { number.int: { min: 1 } }`; a list stands for several arguments. */
export function callOf(hint: unknown): Call | undefined {
  if (typeof hint === 'string') return { method: hint, args: [] };
  if (isLargeHint(hint)) return undefined;
  const [entry] = isRecord(hint) ? Object.entries(hint) : [];
  return entry && { method: entry[0], args: Array.isArray(entry[1]) ? entry[1] : [entry[1]] };
}

/** A line for each `x-faker` of a document that names no method of faker: its place, and what may be meant. */
export function unknownHints({ files }: Contract['document'], load: () => Faker): string[] {
  const found = [...files.values()].flatMap((file) =>
    [...hintsIn(file.value, [], new Set())].map(([method, path]) => ({ method, at: file.positionOf(path) })),
  );
  if (found.length === 0) return [];
  const faker = load();
  return found
    .filter(({ method }) => !methodOf(faker, method))
    .map(({ method, at: { uri, line, column } }) => {
      const near = nearMethods(faker, method);
      const meant =
        near.length > 0 ? `is ${near.join(' or ')} meant?` : 'its methods are at https://fakerjs.dev/api';
      return `warning: ${uri}:${line}:${column}: "x-faker": faker has no method "${method}"; ${meant}`;
    });
}

/** Members that hold values, and no schemas. */
const OF_VALUES = new Set(['example', 'examples', 'default', 'enum', 'const']);

function* hintsIn(
  value: unknown,
  path: readonly string[],
  seen: Set<unknown>,
): Generator<[method: string, path: readonly string[]]> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  const isNamed = path.at(-1) === 'properties';
  for (const [name, member] of Object.entries(value)) {
    const call = name === 'x-faker' && !isNamed ? callOf(member) : undefined;
    if (call) yield [call.method, [...path, name]];
    else if (isNamed || !OF_VALUES.has(name)) yield* hintsIn(member, [...path, name], seen);
  }
}

const MOST_NEAR = 3;

/** Methods of the same name in other modules, else the one that is spelled alike. */
function nearMethods(faker: Faker, method: string): string[] {
  const all = Object.keys(faker).flatMap((group) => namesOf(faker, group).map((name) => `${group}.${name}`));
  const name = method.split('.').at(-1)?.toLowerCase();
  const same = all.filter((one) => one.split('.')[1]?.toLowerCase() === name);
  return same.length > 0 ? same.slice(0, MOST_NEAR) : [nearest(method, all) ?? []].flat();
}

function namesOf(faker: Faker, group: string): string[] {
  const names = new Set<string>();
  let owner: unknown = faker[group as keyof Faker];
  for (; isRecord(owner) && Object.getPrototypeOf(owner) !== null; owner = Object.getPrototypeOf(owner))
    for (const name of Object.getOwnPropertyNames(owner)) names.add(name);
  return [...names].filter((name) => !name.startsWith('_') && methodOf(faker, `${group}.${name}`));
}
