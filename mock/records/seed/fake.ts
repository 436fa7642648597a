import {
  exactNumber,
  isInteger,
  isLargeHint,
  isRecord,
  type Random,
  type Shape,
  type Validators,
} from '#spec';
import { type CallFaker, createFaker } from './faker.ts';
import { NUMBER_METHODS, STRING_METHODS } from './faker-methods.ts';

/** A realistic value for a member; undefined: one is sampled from the schema. */
export type Fake = (name: string, shape: Shape, random: Random) => unknown;

interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
}

interface Plan extends Call {
  readonly fits: (value: unknown) => boolean;
}

/** Values from `x-faker`, else from the member's name, if they fit the schema. */
export function createFake(validators: Validators): Fake {
  const callFaker: CallFaker = createFaker();
  const plans = new WeakMap<Shape, Plan | 'none'>();
  return (name, shape, random) => {
    let plan = plans.get(shape);
    if (!plan) {
      plan = planFor(name, shape, validators) ?? 'none';
      plans.set(shape, plan);
    }
    if (plan === 'none') return undefined;
    const value = plain(callFaker(plan.method, plan.args, random), shape);
    return value !== undefined && plan.fits(value) ? value : undefined;
  };
}

function planFor(name: string, shape: Shape, validators: Validators): Plan | undefined {
  const wanted = methodOf(name, shape);
  return wanted && { ...wanted, fits: compileFit(shape, validators) };
}

/** The method of faker to call; undefined: none. */
export function methodOf(name: string, shape: Shape): Call | undefined {
  return hintOf(shape) ?? methodFor(name, shape);
}

/** `x-faker: person.firstName`, or `x-faker: { number.int: { min: 1 } }`; a list stands for several arguments. */
function hintOf(shape: Shape): Call | undefined {
  const hint = shape.find('x-faker')?.value;
  if (typeof hint === 'string') return { method: hint, args: [] };
  if (isLargeHint(hint)) return undefined;
  const [entry] = isRecord(hint) ? Object.entries(hint) : [];
  return entry && { method: entry[0], args: Array.isArray(entry[1]) ? entry[1] : [entry[1]] };
}

function methodFor(name: string, shape: Shape): Call | undefined {
  if (shape.mainType === 'string') {
    const found = STRING_METHODS.find(([pattern]) => pattern.test(name));
    return found && { method: found[1], args: [] };
  }
  if (shape.mainType !== 'integer' && shape.mainType !== 'number') return undefined;
  const found = NUMBER_METHODS.find(([pattern]) => pattern.test(name));
  return found && { method: found[1], args: [found[2]] };
}

const KEYWORDS_OF_NUMBERS = ['multipleOf', 'not', 'oneOf', 'anyOf', 'if'];
const KEYWORDS_OF_STRINGS = ['pattern', 'format', 'not', 'oneOf', 'anyOf', 'if'];

/** Most members have a type and bounds only: for them no validator need be loaded when the mock starts. */
export function compileFit(shape: Shape, validators: Validators): (value: unknown) => boolean {
  const has = (keyword: string) => shape.find(keyword) !== undefined;
  const { low, high } = shape.range;
  if (shape.mainType === 'string' && !KEYWORDS_OF_STRINGS.some(has)) {
    const [least = 0, most = Number.POSITIVE_INFINITY] = [
      shape.highest('minLength'),
      shape.lowest('maxLength'),
    ];
    return (value) => typeof value === 'string' && isWithin(Array.from(value).length, least, most);
  }
  if (shape.mainType === 'integer' && !KEYWORDS_OF_NUMBERS.some(has) && !low?.exclusive && !high?.exclusive) {
    return (value) => isInteger(value) && (!low || value >= low.value) && (!high || value <= high.value);
  }
  const checks = shape.parts.map((part) => validators.compile(part, 'response'));
  return (value) => checks.every((check) => check(value).length === 0);
}

const isWithin = (length: number, least: number, most: number) => length >= least && length <= most;

/** As JSON: dates are strings (RFC 3339), integers exact. */
function plain(value: unknown, shape: Shape): unknown {
  if (typeof value === 'bigint') return exactNumber(String(value));
  if (!(value instanceof Date)) return value;
  const text = value.toISOString();
  return shape.find('format')?.value === 'date' ? text.slice(0, 10) : text;
}
