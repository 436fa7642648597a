import type { Faker } from '@faker-js/faker';
import { type Contract, isLargeHint, isRecord, nearest } from '#spec';
import renamed from './faker-renamed.json' with { type: 'json' };

export type Method = (...args: readonly unknown[]) => unknown;

/** The method with a name such as `person.firstName`, current or renamed. Undefined: there is none. */
export function methodOf(faker: Faker, named: string): Method | undefined {
  const method = currentName(named);
  const [group = '', name = '', ...rest] = method.split('.');
  // Names come from the document: they may only reach faker's own modules and methods.
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

/** Reads `x-faker: person.firstName`, or `x-faker: { number.int: { min: 1 } }`; a list has several arguments. */
export function callOf(hint: unknown): Call | undefined {
  if (typeof hint === 'string') return { method: hint, args: [] };
  if (isLargeHint(hint)) return undefined;
  const [entry] = isRecord(hint) ? Object.entries(hint) : [];
  return entry && { method: entry[0], args: Array.isArray(entry[1]) ? entry[1] : [entry[1]] };
}

/** A line for each `x-faker` without a matching method: its place, and similar names. */
export function unknownHints({ files }: Contract['document'], load: () => Faker): string[] {
  const hints = [...files.values()].flatMap((file) =>
    [...hintsIn(file.value, [], new Set())].map(([method, path]) => ({ method, at: file.positionOf(path) })),
  );
  if (hints.length === 0) return [];
  const faker = load();
  return hints
    .filter(({ method }) => !methodOf(faker, method))
    .map(({ method, at: { uri, line, column } }) => {
      const near = nearMethods(faker, method);
      const meant =
        near.length > 0 ? `is ${near.join(' or ')} meant?` : 'its methods are at https://fakerjs.dev/api';
      return `warning: ${uri}:${line}:${column}: "x-faker": faker has no method "${method}"; ${meant}`;
    });
}

/** Keywords that hold values, not schemas. */
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

/** Methods with the same name in other modules, else the one spelled most alike. */
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

/**
 * Methods that faker has renamed or removed up to version 10 (its upgrade guides for 8, 9 and 10), old ones first; `*`
 * stands for methods with the same name.
 */
export const RENAMED: ReadonlyMap<string, string> = new Map(Object.entries(renamed));

/** Subjects of pictures, which once had a method each. */
const OF_IMAGES =
  /^image\.(?:abstract|animals|business|cats|city|fashion|food|image|imageUrl|nature|nightlife|people|sports|technics|transport|urlPlaceholder)$/;

/** The order of the former arguments, which are members of one object since version 8 or 9. */
const POSITIONS: Readonly<Record<string, readonly string[]>> = {
  'commerce.price': ['min', 'max', 'dec', 'symbol'],
  'date.between': ['from', 'to'],
  'date.future': ['years', 'refDate'],
  'date.past': ['years', 'refDate'],
  'date.recent': ['days', 'refDate'],
  'date.soon': ['days', 'refDate'],
  'finance.amount': ['min', 'max', 'dec', 'symbol'],
  'git.commitSha': ['length'],
  'image.url': ['width', 'height'],
  'internet.email': ['firstName', 'lastName', 'provider'],
  'internet.password': ['length', 'memorable', 'pattern', 'prefix'],
  'internet.username': ['firstName', 'lastName'],
  'location.latitude': ['max', 'min', 'precision'],
  'location.longitude': ['max', 'min', 'precision'],
  'string.hexadecimal': ['length'],
};

/** The current name of a method; the name itself, if it was not renamed. */
export function currentName(method: string): string {
  const [group = '', name = ''] = method.split('.');
  if (OF_IMAGES.test(method)) return 'image.url';
  return RENAMED.get(method) ?? RENAMED.get(`${group}.*`)?.replace('*', name) ?? method;
}

/** The arguments in their current form. */
function currentArguments(method: string, args: readonly unknown[]): readonly unknown[] {
  if (method === 'helpers.fake') return args.map(currentTemplate);
  const names = POSITIONS[method];
  const [first] = args;
  if (!names || args.length === 0 || (typeof first === 'object' && first !== null)) return args;
  return [Object.fromEntries(args.slice(0, names.length).map((value, at) => [names[at], value]))];
}

/** `{{name.lastName}}, {{address.city}}` with current names. */
function currentTemplate(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  return text.replace(/\{\{\s*([\w.]+)/g, (_, name: string) => `{{${currentName(name)}`);
}
