import type { Arbitrary } from 'fast-check';
import { fastCheck } from '#libraries';
import { canonicalInteger } from '../json/exact-json.ts';
import { leastSize } from './large-sizes.ts';
import { sample } from './sample.ts';
import { rivalsOf } from './sample-members.ts';
import type { Shape } from './shape.ts';
import type { Validate } from './validator.ts';

export interface ExploreOptions {
  /** A 32-bit integer; the same seed gives the same values in the same order. */
  readonly seed: number;
  /** The number of values to try; shrinking tries further ones. */
  readonly runs: number;
  /** Members to leave out. */
  readonly omit: (member: Shape) => boolean;
  /** The value of a member; undefined for any that its schema allows. */
  readonly fixed: (name: string, shape: Shape) => unknown;
}

/**
 * Tests a property with generated valid values, and shrinks the first counterexample: the last value for which `holds`
 * returned false is the smallest. Strings are ordinary ones: 1 to 64 printable characters of any script, in NFC,
 * without spaces at their ends.
 * @returns false if there is a counterexample; true if too few values of the schema could be generated
 */
export async function explore(
  shape: Shape,
  validate: Validate,
  options: ExploreOptions,
  holds: (value: unknown, salt: number) => Promise<boolean>,
): Promise<boolean> {
  const fc = fastCheck();
  let misses = 0;
  const values = arbitraryOf(shape, options, '').filter((value) => {
    const isValid = validate(value).length === 0;
    misses = isValid ? 0 : misses + 1;
    // A filter would never end.
    if (misses > MOST_MISSES) throw new TooFewValues();
    return isValid;
  });
  const property = fc.asyncProperty(values, fc.nat(), holds);
  try {
    const result = await fc.check(property, {
      seed: options.seed | 0,
      numRuns: options.runs,
      maxSkipsPerRun: 100,
    });
    return !result.failed || result.counterexample === null;
  } catch (error) {
    if (error instanceof TooFewValues) return true;
    throw error;
  }
}

/** The number of rejected values in a row after which the schema is taken to have none. */
const MOST_MISSES = 200;

class TooFewValues extends Error {}

const MAX_DEPTH = 4;
/** At this depth, required members that lead back to their own schema (also through alternatives) are sampled. */
const MAX_REQUIRED_DEPTH = 8;

/** One longer array or text would take as long as all other values. */
const MAX_SIZE = 1000;

function arbitraryOf(shape: Shape, options: ExploreOptions, name: string, depth = 0): Arbitrary<unknown> {
  const fc = fastCheck();
  const fixed = options.fixed(name, shape);
  if (fixed !== undefined) return fc.constant(fixed);
  const values = shape.values;
  if (values && values.length > 0) return fc.constantFrom(...values);
  if (depth > MAX_REQUIRED_DEPTH) return sampled(shape);
  const branches = shape.alternatives;
  if (branches.length > 0)
    return fc.oneof(...branches.map((branch) => arbitraryOf(branch, options, name, depth + 1)));
  const made = byType(shape, options, depth);
  return shape.nullable ? fc.option(made, { nil: null }) : made;
}

function byType(shape: Shape, options: ExploreOptions, depth: number): Arbitrary<unknown> {
  const fc = fastCheck();
  switch (shape.mainType) {
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
      return integers(shape);
    case 'string':
      return strings(shape);
    case 'array':
      return shape.items && depth < MAX_DEPTH ? arrays(shape, shape.items, options, depth) : fc.constant([]);
    case 'object':
      return objects(shape, options, depth);
    default:
      // For numbers with fractions, and values of any type.
      return sampled(shape);
  }
}

const USUAL_ITEMS = 4;

function arrays(shape: Shape, items: Shape, options: ExploreOptions, depth: number): Arbitrary<unknown> {
  const minLength = shape.highest('minItems') ?? 0;
  if (leastSize(shape) > MAX_SIZE) return sampled(shape);
  const maxLength = Math.max(minLength, Math.min(shape.lowest('maxItems') ?? USUAL_ITEMS, USUAL_ITEMS));
  return fastCheck().array(arbitraryOf(items, options, '', depth + 1), { minLength, maxLength });
}

function objects(shape: Shape, options: ExploreOptions, depth: number): Arbitrary<unknown> {
  const { required } = shape;
  const members = [...shape.properties].filter(
    ([name, member]) => !options.omit(member) && (required.has(name) || depth < MAX_DEPTH),
  );
  const model = Object.fromEntries(
    members.map(([name, member]) => [name, arbitraryOf(member, options, name, depth + 1)]),
  );
  const requiredKeys = members.map(([name]) => name).filter((name) => required.has(name));
  const made = fastCheck().record(model, { requiredKeys, noNullPrototype: true });
  const rivals = rivalsOf(shape);
  return rivals.length === 0 ? made : made.map((value) => withoutRivals(value, rivals, required));
}

/** Of members that exclude each other, keeps the first, or a required one. */
function withoutRivals(
  value: object,
  groups: readonly (readonly string[])[],
  required: ReadonlyMap<string, unknown>,
): object {
  const left = groups.flatMap((rivals) => {
    const names = rivals.filter((name) => Object.hasOwn(value, name));
    const kept = names.find((name) => required.has(name)) ?? names[0];
    return names.filter((name) => name !== kept && !required.has(name));
  });
  return Object.fromEntries(Object.entries(value).filter(([name]) => !left.includes(name)));
}

/** Larger integers are not exact in every language. */
const MAX_INTEGER = 2n ** 53n - 1n;

function integers(shape: Shape): Arbitrary<unknown> {
  if (shape.find('multipleOf')) return sampled(shape);
  const { low, high } = shape.range;
  const min = low ? BigInt(Math.ceil(Number(low.value))) : -MAX_INTEGER;
  const max = high ? BigInt(Math.floor(Number(high.value))) : MAX_INTEGER;
  const range = { min: min < -MAX_INTEGER ? -MAX_INTEGER : min, max: max > MAX_INTEGER ? MAX_INTEGER : max };
  return fastCheck().bigInt(range).map(canonicalInteger);
}

const MAX_TEXT = 64;
const PRINTABLE = /^[\p{L}\p{N}\p{P}\p{S}][\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]*$/u;

function strings(shape: Shape): Arbitrary<unknown> {
  const minLength = Math.max(1, shape.highest('minLength') ?? 1);
  if (shape.find('pattern') || shape.find('format') || leastSize(shape) > MAX_SIZE) return sampled(shape);
  const maxLength = Math.max(minLength, Math.min(shape.lowest('maxLength') ?? MAX_TEXT, MAX_TEXT));
  const isOrdinary = (text: string) =>
    PRINTABLE.test(text) && text === text.normalize('NFC') && [...text].length >= minLength;
  return fastCheck()
    .string({ unit: 'grapheme', minLength, maxLength })
    .map((text) => [...text.normalize('NFC').trim()].slice(0, maxLength).join('').trim())
    .filter(isOrdinary);
}

/** A value from `sample` with a random key. */
function sampled(shape: Shape): Arbitrary<unknown> {
  const keys = fastCheck().nat();
  return keys.map((key) => sample(shape, { key: `explored ${key}` }));
}
