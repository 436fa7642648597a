import { rawChild } from '../document/spot.ts';
import { isEqual, type JsonType, ownEntry, setMember } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { leastSize, MOST_GENERATED, sizeOfText } from './large-sizes.ts';
import { type Random, randomFrom, seedOf } from './random.ts';
import { roughlyFits } from './roughly-fits.ts';
import { demanded, isConditional, withDemands } from './sample-conditions.ts';
import {
  dependentOf,
  isForbidden,
  isOmitted,
  memberAt,
  membersOf,
  namesOf,
  optionalOf,
} from './sample-members.ts';
import {
  branchesOf,
  contains,
  inside,
  isCompound,
  isLeftOut,
  isRepeated,
  ownerAt,
  type Position,
  referencesIn,
  type SampleOptions,
} from './sample-position.ts';
import { makeNumber, makeString, word } from './sample-scalar.ts';
import { Shape } from './shape.ts';
import { shownMembers, shownValues, showsValues } from './shown-value.ts';
import { violationsOf } from './validator.ts';

/**
 * Makes a value that fits a schema: one of `enum`, else by type and keywords, strings by `format` and `pattern`. For
 * keywords that only a validator can judge (`if`, `not`, `patternProperties` and the like) values are tried, and remade
 * with the schemas that they broke. Optional members of recursive schemas end at the first repetition. An optional
 * member without a valid value is omitted; any other gets an invalid value of its type.
 */
export function sample(shape: Shape, options: SampleOptions): unknown {
  const value = findSample(shape, options);
  if (value !== undefined) return value;
  const forced = make(shape, startOf(options, true));
  return forced === undefined ? plainValue(shape, options.key) : forced;
}

/** Like {@link sample}, but undefined if no valid value is found. */
export function findSample(shape: Shape, options: SampleOptions): unknown {
  return make(shape, startOf(options, false));
}

function startOf(options: SampleOptions, isForced: boolean): Position {
  const { name = '', owner, key } = options;
  const start = { options, name, owner, seed: seedOf(key), ancestors: [], references: 0, isForced };
  return { ...start, path: '', demands: new Map(), room: { left: MOST_GENERATED, tries: MOST_TRIES } };
}

/** A simple value of the right type. */
function plainValue(shape: Shape, key: string): unknown {
  const random = randomFrom(seedOf(key));
  switch (shape.nullable ? 'null' : shape.mainType) {
    case 'null':
      return null;
    case 'array':
      return [];
    case 'string':
      return word(random).slice(0, shape.lowest('maxLength'));
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return makeNumber(shape, random, shape.mainType === 'integer');
    default:
      return shape.alternatives[0] ? plainValue(shape.alternatives[0], key) : {};
  }
}

/** A schema that requires itself has no finite value. */
const MAX_DEPTH = 40;

/** The value of a member or item, by its schema and by what earlier values broke; undefined if it can have none. */
function makeInside(shape: Shape | undefined, at: Position): unknown {
  const whole = demanded(shape, at);
  if (!whole) return (at.options.word ?? word)(randomFrom(at.seed));
  const value = make(whole, at);
  return value === undefined && at.isForced ? plainValue(whole, `${at.seed}`) : value;
}

/** Undefined if no value can be made. */
function make(shape: Shape, at: Position): unknown {
  const [shownValue] = shownAt(shape, at);
  if (shownValue !== undefined) return shownValue;
  if (at.isForced && shape.mainType === 'array' && leastSize(shape) > at.room.left) return undefined;
  return isConditional(shape) ? makeFitting(shape, at) : makeOnce(shape, at);
}

/** The example that the schema has for this place. */
function shownAt(shape: Shape, { options }: Position): readonly unknown[] {
  return options.withExamples ? shownValues(shape, options.direction ?? 'response') : [];
}

const withoutShown = (at: Position): Position =>
  at.options.withExamples ? { ...at, options: { ...at.options, withExamples: false } } : at;

function withoutFake(at: Position): Position {
  const { fake, ...options } = at.options;
  return fake ? { ...at, options } : at;
}

/** The number of retries for invalid values in a whole sample. */
const MOST_TRIES = 100;

/** The selections of optional members to try if the usual one gives no valid value: none, all, or others. */
const INCLUDED: readonly (SampleOptions['include'] | undefined)[] = [
  undefined,
  () => false,
  () => true,
  ...Array.from({ length: 9 }, () => (_name: string, random: Random) => random.next() < 0.5),
];

/** If a schema has no type, values of another type satisfy most of its keywords. */
const otherForms = oncePer((shape: Shape): readonly Shape[] => {
  const types = ['string', 'number', 'boolean', 'null', 'array'].map((type) => ({ type }));
  const demands = shape.types ? [] : [{ minProperties: 1 }, ...types];
  return demands.map((value) => shape.and(new Shape([{ ...shape.spot, value }])));
});

/** Joins each schema that a value breaks to those that it is made from, until the value is valid. */
function makeFitting(shape: Shape, at: Position): unknown {
  const { options, room } = at;
  const { direction = 'response' } = options;
  const broken = (value: unknown) => violationsOf(shape, value, direction);
  const values = shape.values?.filter((value) => broken(value).length === 0);
  if (values && values.length > 0) return randomFrom(at.seed).pick(values);
  let first: unknown;
  const attempts = [
    ...INCLUDED.map((include) => ({ include, whole: shape })),
    ...otherForms(shape).map((whole) => ({ include: options.include, whole })),
  ];
  for (const [attempt, { include, whole }] of attempts.entries()) {
    const seed = attempt === 0 ? at.seed : seedOf(`?${attempt}`, at.seed);
    let { demands } = at;
    for (let more = true; more && room.tries > 0; ) {
      room.tries -= 1;
      const others = include && { options: { ...options, include, withExamples: false } };
      const position = { ...at, seed, demands, ...others };
      const made = makeOnce(demanded(whole, position), position);
      if (made === undefined) break;
      const violations = broken(made);
      if (violations.length === 0) return made;
      first ??= made;
      const grown = withDemands(demands, at.path, violations);
      more = grown !== undefined;
      demands = grown ?? demands;
    }
  }
  return at.isForced ? first : undefined;
}

function makeOnce(shape: Shape, at: Position): unknown {
  const { options, name, seed, ancestors } = at;
  const random = randomFrom(seed);
  const { values } = shape;
  if (values && values.length > 0) return random.pick(admittedOf(shape));
  const faked = options.fake?.(name, shape, random, at.owner);
  if (faked !== undefined) return faked;
  if (shape.nullable && isRepeated(shape, ancestors)) return null;
  const branches = branchesOf(shape, at);
  if (branches.length > 0) {
    const showing = options.withExamples ? branches.find(showsValues) : undefined;
    return makeInBranch(shape, branches, showing ?? random.pick(branches), {
      ...at,
      seed: seedOf('|', seed),
    });
  }
  if (shape.parts.some(({ value }) => value === false)) return undefined;
  return MAKERS[shape.mainType ?? 'object'](shape, random, at);
}

/** The enumerated values that other keywords allow, if there are any. */
const admittedOf = oncePer((shape: Shape): readonly unknown[] => {
  const values = shape.values ?? [];
  const admitted = values.filter((value) => roughlyFits(shape, value));
  return admitted.length > 0 ? admitted : values;
});

/** Uses the picked branch. If the value also fits other branches of a `oneOf`, tries fewer members or another branch. */
function makeInBranch(shape: Shape, branches: readonly Shape[], picked: Shape, at: Position): unknown {
  const isUnique = (value: unknown) =>
    shape.alternatives.filter((branch) => roughlyFits(branch, value)).length <= 1;
  // A branch alone is not judged by the whole schema's keywords, such as `unevaluatedProperties`.
  const makeOf = isConditional(shape) ? makeOnce : make;
  const makeBranch = (branch: Shape, position: Position) =>
    makeOf(branch, { ...position, references: referencesIn(branch, shape, position) });
  const bare = { ...at, options: { ...at.options, include: () => false } };
  const others = SEEDS.map((name) => ({ ...at, seed: seedOf(name, at.seed) }));
  const ordered = [picked, ...branches.filter((branch) => branch !== picked)];
  const first = firstOf(ordered, (branch) => makeBranch(branch, at));
  if (first === undefined || !shape.find('oneOf') || isUnique(first)) return first;
  for (const branch of ordered.slice(0, MAX_BRANCHES)) {
    const made = firstOf([at, bare, ...others], (position) => {
      const one = makeBranch(branch, position);
      return one !== undefined && isUnique(one) ? one : undefined;
    });
    if (made !== undefined) return made;
  }
  return first;
}

/** Seeds for other values, if one fits several branches. */
const SEEDS = ['|1', '|2', '|3', '|4'];

function firstOf<T>(candidates: readonly T[], made: (candidate: T) => unknown): unknown {
  for (const candidate of candidates) {
    const value = made(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The number of branches to try for a value that fits just one. */
const MAX_BRANCHES = 8;

type Maker = (shape: Shape, random: Random, at: Position) => unknown;

const MAKERS: Readonly<Record<JsonType, Maker>> = {
  null: () => null,
  boolean: (_shape, random) => random.next() < 0.5,
  integer: (shape, random) => makeNumber(shape, random, true),
  number: (shape, random) => makeNumber(shape, random, false),
  string: (shape, random, { room, options }) => {
    const size = sizeOfText(shape.highest('minLength') ?? 0);
    if (size > room.left) return undefined;
    room.left -= size;
    return makeString(shape, random, options.unshown);
  },
  array: makeArray,
  object: makeObject,
};

function makeObject(shape: Shape, random: Random, at: Position): unknown {
  if (at.ancestors.length > MAX_DEPTH) return {};
  const { properties, additional } = shape;
  const { required, min, max } = membersOf(shape);
  if (min - required.length > at.room.left) return undefined;
  at.room.left -= Math.max(0, min - required.length);
  const { settle, word: makeWord = word } = at.options;
  const owner = ownerAt(shape, at);
  const made: Record<string, unknown> = {};
  const around = at.options.withExamples ? shownMembers(shape, at.options.direction ?? 'response') : {};
  const shownNames = new Set<string>();
  let count = 0;
  let isWhole = true;

  function add(name: string, member: Shape | undefined, isRequired: boolean): void {
    count++;
    const step = inside(shape, isRequired ? at : { ...at, isForced: false }, name, name, member, owner);
    const [shownValue = ownEntry(around, name)] = member ? shownAt(member, at) : [];
    if (shownValue !== undefined) shownNames.add(name);
    const value = shownValue === undefined ? makeInside(member, step) : shownValue;
    if (value !== undefined) setMember(made, name, value);
    else if (isRequired) isWhole = false;
  }

  for (const { name, shape: member } of required)
    if (!member || !isOmitted(member, at)) add(name, member, true);
  for (const { name, shape: member } of optionalOf(shape, at, min - count, max - count))
    add(name, member, false);
  for (const [name, others] of dependentOf(shape))
    for (const other of Object.hasOwn(made, name) ? others : [])
      if (!Object.hasOwn(made, other)) add(other, memberAt(shape, other), true);
  if (!isWhole) return undefined;
  const names = namesOf(shape);
  const isMap =
    properties.size === 0 &&
    min === 0 &&
    max > 0 &&
    (additional ? names.length > 0 : !!names[0] && !names.includes(undefined));
  const entries =
    isMap && !(additional && (isLeftOut(additional, shape, at) || contains(additional, shape, at)))
      ? random.integer(1, Math.min(max, 2))
      : min;
  // There may be fewer possible names than wanted entries.
  const most = names.includes(undefined) ? Number.POSITIVE_INFINITY : entries * NAMES_TRIED;
  for (let extra = 1; count < entries && extra <= most && names.length > 0; extra++) {
    const named = names[(extra - 1) % names.length];
    const name = named && make(named, inside(shape, at, `propertyNames/${extra}`, '', named));
    if (named && typeof name !== 'string') continue;
    const fresh = typeof name === 'string' ? name : `${makeWord(random)}${extra > WORDS_ALONE ? extra : ''}`;
    const member = memberAt(shape, fresh);
    if (!Object.hasOwn(made, fresh) && !(member && isForbidden(member))) add(fresh, member, false);
  }
  settle?.(made, owner, (name) => !shownNames.has(name));
  return made;
}

/** Up to this number of entries, words alone are likely to give distinct names. */
const WORDS_ALONE = 2;

/** For each entry of a map. */
const NAMES_TRIED = 20;

function makeArray(shape: Shape, random: Random, at: Position): unknown {
  const { items } = shape;
  const min = shape.highest('minItems') ?? 0;
  if (min > at.room.left) return undefined;
  // Reserved first, so that optional parts of one item leave room for the other items.
  at.room.left -= min;
  const max = Math.min(shape.lowest('maxItems') ?? min + 3, min + 3);
  const first = shape.prefixItems.slice(0, max);
  const ordinary = ordinaryItems(shape);
  const isClosed = items
    ? isForbidden(items)
    : ['items', 'unevaluatedItems'].some((keyword) =>
        shape.all(keyword).some(({ value }) => value === false),
      );
  const shownItems = ordinary ? shownAt(ordinary, at) : [];
  const isShown = at.options.withExamples && ordinary !== undefined && showsValues(ordinary);
  const wanted = isClosed
    ? first.length
    : isShown
      ? Math.min(max, Math.max(1, shownItems.length))
      : random.integer(Math.max(min, Math.min(1, max)), max);
  const isShort = items ? isCompound(items) && isLeftOut(items, shape, at) : first.length === 0;
  const length = isShort ? min : Math.max(wanted, min);
  const isUnique = shape.has('uniqueItems');
  const made: unknown[] = [];
  const owner = ownerAt(shape, at);
  const scalars = new Set<unknown>();
  for (let attempt = 0; made.length < length && attempt < length * 20; attempt++) {
    if (attempt >= min && at.room.left-- <= 0) break;
    const item = first[made.length] ?? ordinary;
    // An example is used for one item only; the others are generated.
    const here = isShown && attempt > 0 ? withoutShown(at) : at;
    // There may be too few realistic values for all items to differ.
    const outer = isUnique && attempt >= length * 10 ? withoutFake(here) : here;
    const position = inside(shape, outer, String(attempt), '', item, owner, String(made.length));
    const value =
      attempt < shownItems.length
        ? shownItems[attempt]
        : makeInside(item, made.length < min ? position : { ...position, isForced: false });
    // Further attempts would fail, too.
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
  if (isUnique && made.length < min && items?.nullable && !scalars.has(null)) made.push(null);
  if (made.length < min && at.room.left <= 0) return undefined;
  return withContained(shape, made, at);
}

/** This number of comparisons with other items counts as one more item. */
const COMPARED = 20;

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** The schema of items that do not count for `contains`, if `maxContains` limits those that do. */
const ordinaryItems = oncePer((shape: Shape): Shape | undefined => {
  const { items, parts } = shape;
  const spots = parts.flatMap((part) => {
    const spot = rawChild(part, 'contains');
    if (!spot || rawChild(part, 'maxContains') === undefined) return [];
    return [{ ...spot, value: { not: spot.value } }];
  });
  return spots.length > 0 ? new Shape([...(items?.parts ?? []), ...spots]) : items;
});

/** The items that `contains` requires are at the end; they replace others if the array is long enough. */
function withContained(shape: Shape, made: readonly unknown[], at: Position): unknown[] | undefined {
  const contained: unknown[] = [];
  for (const part of shape.parts) {
    const contains = rawChild(part, 'contains');
    const least = contains ? Number(rawChild(part, 'minContains')?.value ?? 1) : 0;
    if (!contains || least === 0) continue;
    if (least > at.room.left) return undefined;
    at.room.left -= least;
    const item = new Shape([contains, ...(shape.items?.parts ?? [])]);
    for (let count = 0; count < least; count++) {
      const value = makeInside(item, inside(shape, at, `contains/${contained.length}`, '', item));
      if (value === undefined) return undefined;
      contained.push(value);
    }
  }
  return [...made.slice(0, Math.max(shape.prefixItems.length, made.length - contained.length)), ...contained];
}
