import type { Arbitrary } from 'fast-check';
import { canonicalInteger } from '../json/exact-json.ts';
import { fastCheck } from './fast-check.ts';
import { sample } from './sample.ts';
import type { Shape } from './shape.ts';
import type { Validate } from './validator.ts';

export interface ExploreOptions {
  /** The same seed gives the same values in the same order. */
  readonly seed: number;
  /** How many values are tried. */
  readonly runs: number;
  /** Members to leave out. */
  readonly omit: (member: Shape) => boolean;
  /** A value that a member must have; undefined: any that its schema allows. */
  readonly fixed: (name: string, shape: Shape) => unknown;
}

/**
 * Tries generated values that fit a schema until one does not hold, and then smaller ones that do not hold either.
 * The last value for which `holds` said false is the smallest. Texts are ordinary ones: 1 to 64 printable
 * characters of any script, NFC, without spaces at their ends.
 * @returns false when some value did not hold
 */
export async function explore(
  shape: Shape,
  validate: Validate,
  options: ExploreOptions,
  holds: (value: unknown, salt: number) => Promise<boolean>,
): Promise<boolean> {
  const fc = fastCheck();
  const values = arbitraryOf(shape, options, '').filter((value) => validate(value).length === 0);
  const property = fc.asyncProperty(values, fc.nat(), holds);
  const result = await fc.check(property, {
    seed: options.seed | 0,
    numRuns: options.runs,
    maxSkipsPerRun: 100,
  });
  return !result.failed || result.counterexample === null;
}

const MAX_DEPTH = 4;

function arbitraryOf(shape: Shape, options: ExploreOptions, name: string, depth = 0): Arbitrary<unknown> {
  const fc = fastCheck();
  const fixed = options.fixed(name, shape);
  if (fixed !== undefined) return fc.constant(fixed);
  const values = shape.values;
  if (values && values.length > 0) return fc.constantFrom(...values);
  const branches = shape.alternatives;
  if (branches.length > 0)
    return fc.oneof(...branches.map((branch) => arbitraryOf(branch, options, name, depth)));
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
      return shape.items && depth < MAX_DEPTH
        ? fc.array(arbitraryOf(shape.items, options, '', depth + 1), {
            minLength: shape.highest('minItems') ?? 0,
            maxLength: Math.min(shape.lowest('maxItems') ?? 4, 4),
          })
        : fc.constant([]);
    case 'object':
      return objects(shape, options, depth);
    default:
      // Numbers with fractions and free-form values: what the samples make of them, by another key each time.
      return sampled(shape);
  }
}

function objects(shape: Shape, options: ExploreOptions, depth: number): Arbitrary<unknown> {
  const fc = fastCheck();
  const required = shape.required;
  const members = [...shape.properties].filter(
    ([name, member]) => !options.omit(member) && (required.has(name) || depth < MAX_DEPTH),
  );
  const model = Object.fromEntries(
    members.map(([name, member]) => [name, arbitraryOf(member, options, name, depth + 1)]),
  );
  const requiredKeys = members.map(([name]) => name).filter((name) => required.has(name));
  return fc.record(model, { requiredKeys, noNullPrototype: true });
}

/** Bounds of integers for which the document gives none: what every language holds exactly. */
const ORDINARY = 2n ** 53n - 1n;

function integers(shape: Shape): Arbitrary<unknown> {
  const fc = fastCheck();
  const { low, high } = shape.range;
  if (shape.find('multipleOf')) return sampled(shape);
  const min = low ? BigInt(Math.ceil(Number(low.value))) : -ORDINARY;
  const max = high ? BigInt(Math.floor(Number(high.value))) : ORDINARY;
  const within = { min: min < -ORDINARY ? -ORDINARY : min, max: max > ORDINARY ? ORDINARY : max };
  return fc.bigInt(within).map(canonicalInteger);
}

const LONGEST_TEXT = 64;
const PRINTABLE = /^[\p{L}\p{N}\p{P}\p{S}][\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]*$/u;

function strings(shape: Shape): Arbitrary<unknown> {
  const fc = fastCheck();
  if (shape.find('pattern') || shape.find('format')) return sampled(shape);
  const minLength = Math.max(1, shape.highest('minLength') ?? 1);
  const maxLength = Math.max(minLength, Math.min(shape.lowest('maxLength') ?? LONGEST_TEXT, LONGEST_TEXT));
  return fc
    .string({ unit: 'grapheme', minLength, maxLength })
    .map((text) => [...text.normalize('NFC').trim()].slice(0, maxLength).join('').trim())
    .filter(
      (text) => PRINTABLE.test(text) && text === text.normalize('NFC') && [...text].length >= minLength,
    );
}

function sampled(shape: Shape): Arbitrary<unknown> {
  return fastCheck()
    .nat()
    .map((key) => sample(shape, { key: `explored ${key}` }));
}
