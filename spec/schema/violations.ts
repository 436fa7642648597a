import type { Place } from '../document/spot.ts';
import { isRecord } from '../document/spot.ts';
import { isWithin } from './choices.ts';
import type { Shape } from './shape.ts';
import { escapePointer, type Validate, type Violation } from './validator.ts';
import { wrongValues } from './wrong-values.ts';

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
  readonly keyword: string;
}

const REMOVED = Symbol('removed');

/** From a valid value all values that break just one keyword of its schema, each proven by the validator. */
export function breakEachKeyword(shape: Shape, valid: unknown, validate: Validate): BrokenValue[] {
  const titles = new Set<string>();
  return [...changesOf(shape, valid, [])].flatMap((change) => {
    // Several values may be offered for one fault: the first that works is taken.
    if (titles.has(change.title)) return [];
    const value = apply(valid, change.path, change.to);
    const pointer = change.path.map((token) => `/${escapePointer(token)}`).join('');
    const violation = theOne(validate(value), pointer, change.keyword);
    if (!violation) return [];
    titles.add(change.title);
    return [{ pointer, keyword: violation.keyword, title: change.title, value, at: violation.at }];
  });
}

/** The violation that the change was made for, if it is the only one. */
function theOne(violations: readonly Violation[], pointer: string, keyword: string): Violation | undefined {
  const [first, ...more] = violations;
  if (!first || !violations.every((violation) => isWithin(violation.pointer, pointer))) return undefined;
  const intended = violations.find((violation) => violation.keyword === keyword);
  // Inside a choice the choice itself is what breaks.
  if (!intended) return more.length === 0 ? first : undefined;
  const alone = violations.every((violation) =>
    FIRST_OF_ALL.has(keyword) ? violation.pointer === intended.pointer : violation.keyword === keyword,
  );
  return alone ? intended : undefined;
}

/** A value of the wrong type, or outside the listed ones, may break the other keywords of its place as well. */
const FIRST_OF_ALL = new Set(['type', 'enum', 'const']);

function* changesOf(shape: Shape, valid: unknown, path: readonly string[]): Generator<Change> {
  const name = path.join('.') || 'the body';
  for (const { title, keyword, value } of wrongValues(shape, valid))
    yield { path, keyword, to: value, title: `${name} ${title}` };
  if (isRecord(valid)) yield* memberChanges(shape, valid, path);
  if (Array.isArray(valid) && valid.length > 0 && shape.items && shape.prefixItems.length === 0)
    yield* changesOf(shape.items, valid[0], [...path, '0']);
}

function* memberChanges(shape: Shape, valid: Record<string, unknown>, path: readonly string[]) {
  for (const [member, inner] of shape.properties) {
    if (!Object.hasOwn(valid, member) || inner.readOnly) continue;
    const here = [...path, member];
    if (shape.required.has(member))
      yield { path: here, to: REMOVED, keyword: 'required', title: `without ${here.join('.')}` };
    yield* changesOf(inner, valid[member], here);
  }
}

function apply(value: unknown, path: readonly string[], to: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? apply(item, rest, to) : item));
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, member]) => {
      if (name !== step) return [[name, member]];
      return rest.length === 0 && to === REMOVED ? [] : [[name, apply(member, rest, to)]];
    }),
  );
}
