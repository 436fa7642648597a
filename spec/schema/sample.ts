import { isEqual } from '../json/equal.ts';
import type { JsonType } from '../json/json-type.ts';
import { isRecord } from '../json/json-type.ts';
import { type Random, randomOf } from './random.ts';
import { makeNumber } from './sample-number.ts';
import { makeString, word } from './sample-string.ts';
import type { Shape } from './shape.ts';

export interface SampleOptions {
  /** Values are keyed by this text and the path to them, not by call order. */
  readonly key: string;
  /** Members to leave out: `readOnly` ones of a request, `writeOnly` ones of an answer. */
  readonly omit?: (member: Shape) => boolean;
  /** Whether an optional member is there; by default each is. */
  readonly include?: (name: string, random: Random) => boolean;
  /** A value of one's own for a member; undefined: the schema decides. */
  readonly fake?: (name: string, shape: Shape, random: Random) => unknown;
}

/** A value that fits a schema. Recursive schemas end at the first repetition that may be left out. */
export function sample(shape: Shape, options: SampleOptions): unknown {
  return make(shape, { options, name: '', key: options.key, above: [], hops: 0 });
}

/** Where in the value something is made. */
interface At {
  readonly options: SampleOptions;
  readonly name: string;
  readonly key: string;
  /** The schemas of the values that contain this one. */
  readonly above: readonly Shape[];
  /** How many of them were reached by a reference. */
  readonly hops: number;
}

/** No optional record or list behind more references: where all refer to all, samples grow by a power of that. */
const MAX_HOPS = 2;

/** No finite value has a schema that demands itself again and again. */
const HARD_LIMIT = 40;

function make(shape: Shape, at: At): unknown {
  const { options, name, key } = at;
  const random = randomOf(key);
  const values = shape.values;
  if (values && values.length > 0) return random.pick(values);
  const faked = options.fake?.(name, shape, random);
  if (faked !== undefined) return faked;
  if (shape.nullable && repeats(shape, at)) return null;
  const branches = branchesOf(shape, at);
  if (branches.length > 0) return make(random.pick(branches), { ...at, key: `${key}|` });
  return MAKERS[shape.mainType ?? 'object'](shape, random, at);
}

/** Null only where every other branch would go round in circles. */
function branchesOf(shape: Shape, at: At): readonly Shape[] {
  const ending = shape.alternatives.filter((branch) => !repeats(branch, at));
  const choice = ending.length > 0 ? ending : shape.alternatives;
  const filled = choice.filter((branch) => branch.mainType !== 'null');
  return filled.length > 0 ? filled : choice;
}

/** Whether a value of this schema stands inside another one of it. */
function repeats(shape: Shape, { above }: At): boolean {
  const own = shape.parts
    .map(({ value }) => value)
    .filter((value) => isRecord(value) && 'properties' in value);
  return above.some(({ parts }) => parts.some(({ value }) => own.includes(value)));
}

type Maker = (shape: Shape, random: Random, at: At) => unknown;

const MAKERS: Readonly<Record<JsonType, Maker>> = {
  null: () => null,
  boolean: (_shape, random) => random.next() < 0.5,
  integer: (shape, random) => makeNumber(shape, random, true),
  number: (shape, random) => makeNumber(shape, random, false),
  string: (shape, random) => makeString(shape, random),
  array: makeArray,
  object: makeObject,
};

function inside(shape: Shape, at: At, step: string, name: string, member: Shape | undefined): At {
  const hops = member && isReferred(member, shape) ? at.hops + 1 : at.hops;
  return { ...at, name, key: `${at.key}/${step}`, above: [...at.above, shape], hops };
}

/** Whether any part of a schema is written elsewhere than in the one that contains it. */
function isReferred(member: Shape, { parts }: Shape): boolean {
  return member.parts.some(
    ({ file, path }) =>
      !parts.some((outer) => outer.file === file && outer.path.every((step, index) => path[index] === step)),
  );
}

function makeObject(shape: Shape, random: Random, at: At): unknown {
  const { options, key, above } = at;
  if (above.length > HARD_LIMIT) return {};
  const { required, properties } = shape;
  const most = shape.lowest('maxProperties') ?? Number.POSITIVE_INFINITY;
  const optional = [...properties].filter(([name, member]) => {
    if (required.has(name) || options.omit?.(member) || isForbidden(member)) return false;
    if (isCompound(member) && endsAt(member, shape, at)) return false;
    return options.include?.(name, randomOf(`${key}/${name}?`)) ?? true;
  });
  const names = [...required.keys()].filter((name) => !isOmitted(properties.get(name), options));
  names.push(...optional.map(([name]) => name).slice(0, Math.max(0, most - names.length)));
  const least = shape.highest('minProperties') ?? 0;
  for (let extra = 1; names.length < least; extra++) names.push(`${word(random)}${extra}`);
  const { additional } = shape;
  return Object.fromEntries(
    names.map((name) => {
      const member = properties.get(name) ?? additional;
      return [
        name,
        member ? make(member, inside(shape, at, name, name, member)) : word(randomOf(`${key}/${name}`)),
      ];
    }),
  );
}

const isOmitted = (member: Shape | undefined, options: SampleOptions) =>
  member !== undefined && options.omit?.(member) === true;

const isForbidden = (member: Shape) => member.parts.some(({ value }) => value === false);

/** Whether an optional record or list had better be left out. */
function endsAt(member: Shape, shape: Shape, at: At): boolean {
  const below = inside(shape, at, '', '', member);
  if (below.hops > MAX_HOPS || repeats(member, below)) return true;
  const [only, ...more] = member.alternatives.filter((branch) => branch.mainType !== 'null');
  if (only && more.length === 0) return endsAt(only, shape, at);
  return member.items !== undefined && endsAt(member.items, shape, at);
}

function isCompound({ mainType, alternatives }: Shape): boolean {
  return mainType === 'object' || mainType === 'array' || alternatives.some(isCompound);
}

function makeArray(shape: Shape, random: Random, at: At): unknown {
  const least = shape.highest('minItems') ?? 0;
  const most = Math.min(shape.lowest('maxItems') ?? least + 3, least + 3);
  const { items } = shape;
  const isDeep = items !== undefined && isCompound(items) && endsAt(items, shape, at);
  const first = shape.prefixItems.slice(0, most);
  const closed = items ? isForbidden(items) : shape.find('items')?.value === false;
  const wanted = closed ? first.length : random.integer(Math.max(least, Math.min(1, most)), most);
  const length = isDeep || (!items && first.length === 0) ? least : Math.max(wanted, least);
  const unique = shape.all('uniqueItems').some(({ value }) => value === true);
  const made: unknown[] = [];
  for (let tried = 0; made.length < length && tried < length * 20; tried++) {
    const item = first[made.length] ?? items;
    const step = inside(shape, at, String(tried), '', item);
    const value = item ? make(item, step) : word(randomOf(step.key));
    if (!unique || !made.some((other) => isEqual(other, value))) made.push(value);
  }
  return made;
}
