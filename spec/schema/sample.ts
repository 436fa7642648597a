import { isEqual, isRecord, type JsonType, setMember } from '../json/json-value.ts';
import { MOST_GENERATED, sizeOfText } from './large-sizes.ts';
import { type Random, randomFrom, seedOf } from './random.ts';
import { roughlyFits } from './roughly-fits.ts';
import {
  branchesOf,
  contains,
  inside,
  isCompound,
  isLeftOut,
  isRepeated,
  ownerAt,
  type Position,
  perShape,
  referencesIn,
  type SampleOptions,
} from './sample-position.ts';
import { makeNumber, makeString, word } from './sample-scalar.ts';
import { Shape } from './shape.ts';

/**
 * Makes a value that fits a schema: one of `enum`, else by type and keywords, strings by `format` and `pattern`. Of
 * recursive schemas optional members end at the first repetition. Where no string can be made for a `pattern` (`.^`
 * matches none), or only a value that is too large, an optional member is left out, and any other value is `null`, which
 * does not fit.
 */
export function sample(shape: Shape, options: SampleOptions): unknown {
  const room = { left: MOST_GENERATED };
  const { name = '', owner } = options;
  const at = { options, name, owner, seed: seedOf(options.key), ancestors: [], references: 0, room };
  return make(shape, at) ?? null;
}

/** A schema that requires itself has no finite value. */
const MAX_DEPTH = 40;

/** Undefined where no value can be made. */
function make(shape: Shape, at: Position): unknown {
  const { options, name, seed, ancestors } = at;
  const random = randomFrom(seed);
  const values = shape.values;
  if (values && values.length > 0) return random.pick(values);
  const faked = options.fake?.(name, shape, random, at.owner);
  if (faked !== undefined) return faked;
  if (shape.nullable && isRepeated(shape, ancestors)) return null;
  const branches = branchesOf(shape, at);
  if (branches.length > 0) {
    return makeInBranch(shape, branches, random.pick(branches), { ...at, seed: seedOf('|', seed) });
  }
  return MAKERS[shape.mainType ?? 'object'](shape, random, at);
}

/** In the branch that is picked, unless that fits others of a `oneOf`, too: then with fewer members, or in another one. */
function makeInBranch(shape: Shape, branches: readonly Shape[], picked: Shape, at: Position): unknown {
  const isUnique = (value: unknown) =>
    shape.alternatives.filter((branch) => roughlyFits(branch, value)).length <= 1;
  const makeBranch = (branch: Shape, position: Position) =>
    make(branch, { ...position, references: referencesIn(branch, shape, position) });
  const bare = { ...at, options: { ...at.options, include: () => false } };
  const ordered = [picked, ...branches.filter((branch) => branch !== picked)];
  const first = firstOf(ordered, (branch) => makeBranch(branch, at));
  if (first === undefined || !shape.find('oneOf') || isUnique(first)) return first;
  for (const branch of ordered.slice(0, MAX_BRANCHES)) {
    const made = firstOf([at, bare], (position) => {
      const one = makeBranch(branch, position);
      return one !== undefined && isUnique(one) ? one : undefined;
    });
    if (made !== undefined) return made;
  }
  return first;
}

function firstOf<T>(candidates: readonly T[], made: (candidate: T) => unknown): unknown {
  for (const candidate of candidates) {
    const value = made(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** That are tried for a value that fits just one. */
const MAX_BRANCHES = 8;

type Maker = (shape: Shape, random: Random, at: Position) => unknown;

const MAKERS: Readonly<Record<JsonType, Maker>> = {
  null: () => null,
  boolean: (_shape, random) => random.next() < 0.5,
  integer: (shape, random) => makeNumber(shape, random, true),
  number: (shape, random) => makeNumber(shape, random, false),
  string: (shape, random, { room }) => {
    const size = sizeOfText(shape.highest('minLength') ?? 0);
    if (size > room.left) return undefined;
    room.left -= size;
    return makeString(shape, random);
  },
  array: makeArray,
  object: makeObject,
};

/** What every value of an object schema has in common. */
interface Members {
  readonly required: readonly Member[];
  /** Without those that no value may have. */
  readonly optional: readonly Member[];
  readonly min: number;
  readonly max: number;
}

interface Member {
  readonly name: string;
  /** Undefined for one that is required and not described. */
  readonly shape: Shape | undefined;
  readonly isCompound: boolean;
}

const membersOf = perShape((shape): Members => {
  const { required, properties } = shape;
  const described = (name: string, member: Shape | undefined): Member => ({
    name,
    shape: member,
    isCompound: member !== undefined && isCompound(member),
  });
  return {
    required: [...required.keys()].map((name) => described(name, properties.get(name))),
    optional: [...properties].flatMap(([name, member]) =>
      required.has(name) || isForbidden(member) || isShutOut(name, shape) ? [] : described(name, member),
    ),
    min: shape.highest('minProperties') ?? 0,
    max: shape.lowest('maxProperties') ?? Number.POSITIVE_INFINITY,
  };
});

function makeObject(shape: Shape, random: Random, at: Position): unknown {
  if (at.ancestors.length > MAX_DEPTH) return {};
  const { properties, additional } = shape;
  const { required, min, max } = membersOf(shape);
  if (min - required.length > at.room.left) return undefined;
  at.room.left -= Math.max(0, min - required.length);
  const { omit, settle, word: makeWord = word } = at.options;
  const owner = ownerAt(shape, at);
  const made: Record<string, unknown> = {};
  let count = 0;

  function add(name: string, member: Shape | undefined, isRequired: boolean): void {
    count++;
    const step = inside(shape, at, name, name, member, owner);
    const value = member ? make(member, step) : makeWord(randomFrom(step.seed));
    if (value !== undefined || isRequired) setMember(made, name, value ?? null);
  }

  for (const { name, shape: member } of required)
    if (!member || !omit?.(member)) add(name, member ?? additional, true);
  for (const { name, shape: member } of optionalOf(shape, at, Math.max(0, max - count)))
    add(name, member, false);
  const isMap = properties.size === 0 && additional !== undefined && min === 0 && max > 0;
  const entries =
    isMap && !isLeftOut(additional, shape, at) && !contains(additional, shape, at)
      ? random.integer(1, Math.min(max, 2))
      : min;
  const named = shape.find('propertyNames');
  const names = named && new Shape([named.spot]);
  // There may be fewer names than entries are wanted.
  const most = names ? entries * NAMES_TRIED : Number.POSITIVE_INFINITY;
  for (let extra = 1; count < entries && extra <= most; extra++) {
    const name = names ? make(names, inside(shape, at, `propertyNames/${extra}`, '', names)) : undefined;
    const fresh = typeof name === 'string' ? name : `${makeWord(random)}${extra}`;
    if (!Object.hasOwn(made, fresh)) add(fresh, additional, false);
  }
  settle?.(made, owner);
  return made;
}

/** For each entry of a map. */
const NAMES_TRIED = 20;

/** The optional members that this value has, at most so many. */
function optionalOf(shape: Shape, at: Position, most: number): Member[] {
  const { omit, include } = at.options;
  const chosen: Member[] = [];
  for (const member of membersOf(shape).optional) {
    const { name, shape: described, isCompound: isDeep } = member;
    if (chosen.length >= most) break;
    if (!described || omit?.(described) || (isDeep && isLeftOut(described, shape, at))) continue;
    if (include && !include(name, randomFrom(seedOf(`/${name}?`, at.seed)))) continue;
    chosen.push(member);
  }
  return chosen;
}

const isForbidden = (member: Shape) => member.parts.some(({ value }) => value === false);

/** Whether a part of the schema has no further members than those that it names itself (JSON Schema core §10.3.2.3). */
function isShutOut(name: string, { parts }: Shape): boolean {
  return parts.some(({ value }) => {
    if (!isRecord(value) || value.additionalProperties !== false || value.patternProperties) return false;
    return !isRecord(value.properties) || !Object.hasOwn(value.properties, name);
  });
}

function makeArray(shape: Shape, random: Random, at: Position): unknown {
  const { items } = shape;
  const { word: makeWord = word } = at.options;
  const min = shape.highest('minItems') ?? 0;
  if (min > at.room.left) return undefined;
  // Before anything else, so that optional parts of an item take no room from the other items.
  at.room.left -= min;
  const max = Math.min(shape.lowest('maxItems') ?? min + 3, min + 3);
  const first = shape.prefixItems.slice(0, max);
  const isClosed = items ? isForbidden(items) : shape.find('items')?.value === false;
  const wanted = isClosed ? first.length : random.integer(Math.max(min, Math.min(1, max)), max);
  const isShort = items ? isCompound(items) && isLeftOut(items, shape, at) : first.length === 0;
  const length = isShort ? min : Math.max(wanted, min);
  const isUnique = shape.has('uniqueItems');
  const made: unknown[] = [];
  const owner = ownerAt(shape, at);
  const scalars = new Set<unknown>();
  for (let attempt = 0; made.length < length && attempt < length * 20; attempt++) {
    if (attempt >= min && at.room.left-- <= 0) break;
    const item = first[made.length] ?? items;
    const position = inside(shape, at, String(attempt), '', item, owner);
    const value = item ? make(item, position) : makeWord(randomFrom(position.seed));
    // No other attempt would succeed.
    if (value === undefined) {
      if (made.length < min) return undefined;
      break;
    }
    const isKnown = () =>
      isObject(value) ? made.some((other) => isEqual(other, value)) : scalars.has(value);
    if (isUnique && isObject(value)) at.room.left -= Math.floor(made.length / COMPARED);
    if (isUnique && isKnown()) continue;
    made.push(value);
    scalars.add(value);
  }
  if (made.length < min && at.room.left <= 0) return undefined;
  return withContained(shape, made, at);
}

/** So many comparisons with other items count as one more. */
const COMPARED = 20;

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** As many items as `contains` demands stand at the end, in the place of others where the array is long enough. */
function withContained(shape: Shape, made: readonly unknown[], at: Position): unknown[] | undefined {
  const contains = shape.find('contains');
  const least = contains ? (shape.highest('minContains') ?? 1) : 0;
  if (!contains || least === 0) return [...made];
  if (least > at.room.left) return undefined;
  at.room.left -= least;
  const item = new Shape([contains.spot, ...(shape.items?.parts ?? [])]);
  const contained = Array.from(
    { length: least },
    (_, index) => make(item, inside(shape, at, `contains/${index}`, '', item)) ?? null,
  );
  return [...made.slice(0, Math.max(shape.prefixItems.length, made.length - least)), ...contained];
}
