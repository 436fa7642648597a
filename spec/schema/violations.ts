import type { Place } from '../document/spot.ts';
import { isRecord } from '../document/spot.ts';
import type { JsonType, Shape } from './shape.ts';
import type { Validate, Violation } from './validator.ts';

/** A value that breaks its schema in one place and one way. */
export interface BrokenValue {
  /** JSON Pointer of what was changed; empty for the whole. */
  readonly pointer: string;
  readonly keyword: string;
  /** For people: `without name`, `status of type integer`. */
  readonly title: string;
  readonly value: unknown;
  /** The line of the keyword that it breaks. */
  readonly at: Place;
}

/** A change to a valid value; `REMOVED` takes the member out. */
interface Change {
  readonly path: readonly string[];
  readonly to: unknown;
  readonly title: string;
}

const REMOVED = Symbol('removed');

/** From a valid value all values that break just one keyword of its schema, each proven by the validator. */
export function breakEachKeyword(shape: Shape, valid: unknown, validate: Validate): BrokenValue[] {
  return [...changesOf(shape, valid, [])].flatMap((change) => {
    const value = apply(valid, change);
    const violations = validate(value);
    const pointer = change.path.map((token) => `/${token}`).join('');
    return breaksOnlyHere(violations, pointer) ? [broken(change, pointer, value, violations)] : [];
  });
}

/** A change may break several keywords at its own place (`type` and `enum`), and nothing elsewhere. */
function breaksOnlyHere(violations: readonly Violation[], pointer: string): boolean {
  return violations.length > 0 && violations.every((violation) => violation.pointer.startsWith(pointer));
}

function broken(
  { title }: Change,
  pointer: string,
  value: unknown,
  violations: readonly Violation[],
): BrokenValue {
  const [first] = violations as [Violation];
  return { pointer, keyword: first.keyword, title, value, at: first.at };
}

function* changesOf(shape: Shape, valid: unknown, path: readonly string[]): Generator<Change> {
  const name = path.join('.') || 'the body';
  for (const [title, to] of wrongValues(shape, valid)) yield { path, to, title: `${name} ${title}` };
  if (isRecord(valid)) {
    for (const [member, inner] of shape.properties) {
      if (!(member in valid) || inner.readOnly) continue;
      if (shape.required.has(member))
        yield { path: [...path, member], to: REMOVED, title: `without ${[...path, member].join('.')}` };
      yield* changesOf(inner, valid[member], [...path, member]);
    }
  }
  if (Array.isArray(valid) && valid.length > 0 && shape.items)
    yield* changesOf(shape.items, valid[0], [...path, '0']);
}

const OTHER_TYPES: readonly (readonly [type: JsonType, value: unknown])[] = [
  ['string', 'text'],
  ['integer', 7],
  ['number', 1.5],
  ['boolean', true],
  ['object', {}],
  ['array', []],
  ['null', null],
];

function* wrongValues(shape: Shape, valid: unknown): Generator<[title: string, value: unknown]> {
  const types = shape.types;
  for (const [type, value] of types ? OTHER_TYPES : []) {
    if (!types?.has(type)) yield [type === 'null' ? 'null' : `of type ${type}`, value];
  }
  // A digit string is what careless clients send for a number, and what lenient servers convert.
  if (types?.has('integer') || types?.has('number')) yield ['as digits in a string', '7'];
  const { low, high } = shape.range;
  if (low) yield ['below the least value', beyond(low.value, low.exclusive ? 0n : -1n)];
  if (high) yield ['above the greatest value', beyond(high.value, high.exclusive ? 0n : 1n)];
  if (typeof valid === 'string') yield* wrongStrings(shape, valid);
  if (Array.isArray(valid)) yield* wrongArrays(shape, valid);
}

function* wrongStrings(shape: Shape, valid: string): Generator<[string, unknown]> {
  if (shape.values) {
    yield ['outside its enumeration', `${valid}-x`];
    yield ['in another case', valid === valid.toUpperCase() ? valid.toLowerCase() : valid.toUpperCase()];
  }
  const least = Number(shape.find('minLength')?.value ?? 0);
  const most = shape.find('maxLength')?.value;
  if (least > 0) yield ['too short', valid.slice(0, least - 1)];
  if (most !== undefined) yield ['too long', valid.padEnd(Number(most) + 1, 'x')];
  if (shape.find('pattern')) yield ['off its pattern', '\u0001'];
  if (shape.find('format')) yield ['off its format', 'not of this format'];
}

function* wrongArrays(shape: Shape, valid: readonly unknown[]): Generator<[string, unknown]> {
  const least = Number(shape.find('minItems')?.value ?? 0);
  const most = shape.find('maxItems')?.value;
  if (least > 0) yield ['with too few items', valid.slice(0, least - 1)];
  if (most !== undefined && valid.length > 0)
    yield ['with too many items', Array(Number(most) + 1).fill(valid[0])];
  if (shape.find('uniqueItems')?.value === true && valid.length > 0)
    yield ['with an item twice', [valid[0], valid[0]]];
}

function beyond(limit: number | bigint, by: bigint): number | bigint {
  if (typeof limit === 'number' && !Number.isInteger(limit)) return limit + Number(by);
  const value = BigInt(limit) + by;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function apply(value: unknown, { path, to }: Change): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  if (Array.isArray(value))
    return value.map((item, index) =>
      String(index) === step ? apply(item, { path: rest, to, title: '' }) : item,
    );
  const { [step]: inner, ...others } = value as Record<string, unknown>;
  if (rest.length === 0 && to === REMOVED) return others;
  return { ...(value as object), [step]: apply(inner, { path: rest, to, title: '' }) };
}
