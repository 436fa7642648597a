import { type Place, rawChild, rawChildren } from '../document/spot.ts';
import { hasType, isEqual, isRecord, isWithin, toPointer } from '../json/json-value.ts';
import { invalidValues, itemOf } from './invalid-values.ts';
import { findSample } from './sample.ts';
import { memberAt } from './sample-members.ts';
import { Shape } from './shape.ts';
import type { Validate, Violation } from './validator.ts';

/** An invalid value that breaks its schema in one place and one way. */
export interface BrokenValue {
  /** JSON Pointer (RFC 6901) of the changed part; empty for the whole. */
  readonly pointer: string;
  readonly keyword: string;
  /** For reports: `without name`, `status of type integer`. */
  readonly title: string;
  readonly value: unknown;
  /** The source position of the keyword. */
  readonly at: Place;
}

/** A change to a valid value. */
interface Change {
  readonly path: readonly string[];
  /** The new value, or `REMOVED`. */
  readonly to: unknown;
  readonly title: string;
  readonly keyword: string;
}

const REMOVED = Symbol('removed');

/**
 * Derives from a valid value all values that break a single keyword of its schema, each confirmed by the validator.
 * Changes near the root come first, and `readOnly` properties are not changed.
 * @param most the maximum number. Default: all
 */
export function breakEachKeyword(
  shape: Shape,
  valid: unknown,
  validate: Validate,
  most = Number.POSITIVE_INFINITY,
): BrokenValue[] {
  const byTitle = new Map<string, BrokenValue>();
  for (const change of changesOf(shape, valid)) {
    if (byTitle.size >= most) break;
    // Of several values with the same title the first confirmed one counts.
    const broken = byTitle.has(change.title) ? undefined : confirmed(change, valid, validate);
    if (broken) byTitle.set(change.title, broken);
  }
  return [...byTitle.values()];
}

/**
 * One of the values of {@link breakEachKeyword}, chosen by a number from 0 on: that one or the next that is accepted.
 * Undefined if none is. Other values are not created.
 */
export function breakOneKeyword(
  shape: Shape,
  valid: unknown,
  validate: Validate,
  { number, accepts }: { readonly number: number; readonly accepts: (broken: BrokenValue) => boolean },
): BrokenValue | undefined {
  const changes = [...changesOf(shape, valid)];
  for (const index of changes.keys()) {
    const change = changes[(number + index) % changes.length] as Change;
    const broken = confirmed(change, valid, validate);
    if (broken && accepts(broken)) return broken;
  }
  return undefined;
}

/** The changed value if the validator reports that keyword, and no other. */
function confirmed(
  { path, to, keyword, title }: Change,
  valid: unknown,
  validate: Validate,
): BrokenValue | undefined {
  const value = apply(valid, path, to);
  const pointer = toPointer(path);
  const violation = intendedViolation(validate(value), pointer, keyword);
  return violation && { pointer, keyword: violation.keyword, title, value, at: violation.at };
}

/** The violation that the change was made for, if it is the only one. */
function intendedViolation(
  violations: readonly Violation[],
  pointer: string,
  keyword: string,
): Violation | undefined {
  const [only, ...more] = violations;
  // No branch fits any more, and none was evidently meant.
  if (only && more.length === 0 && CHOICES.has(only.keyword) && isWithin(pointer, only.pointer)) return only;
  if (!violations.every((violation) => isWithin(violation.pointer, pointer))) return undefined;
  const intended = violations.find((violation) => violation.keyword === keyword);
  // Inside `oneOf` or `anyOf` the violation is that of the outer keyword.
  if (!intended) return violations.length === 1 ? violations[0] : undefined;
  const isAlone = violations.every((violation) =>
    BREAKS_OTHERS.has(keyword) ? violation.pointer === intended.pointer : violation.keyword === keyword,
  );
  return isAlone ? intended : undefined;
}

/** A value of the wrong type, or outside the enumeration, may break other keywords of the same schema too. */
const BREAKS_OTHERS = new Set(['type', 'enum', 'const']);

const CHOICES = new Set(['oneOf', 'anyOf']);

/** A part of the valid value. */
interface Part {
  readonly shape: Shape;
  readonly value: unknown;
  readonly path: readonly string[];
  readonly isRequired?: boolean;
  /** The Schema Objects of the values that contain it. */
  readonly outer: ReadonlySet<unknown>;
}

/**
 * The limit of changed objects for one schema: the number of paths through mutually recursive schemas grows
 * exponentially.
 */
const MOST_OF_A_SCHEMA = 4;

/** Generates the changes on demand, since there may be very many; outer parts first. */
function* changesOf(whole: Shape, valid: unknown, isBranched = true): Generator<Change> {
  const visits = new Map<unknown, number>();
  const parts: Part[] = [{ shape: whole, value: valid, path: [], outer: new Set() }];
  // The list grows during the loop.
  for (const part of parts) {
    const { shape, value, path, outer, isRequired } = part;
    const name = path.join('.');
    if (isRequired) yield without(path);
    const schemas = shape.parts.map((spot) => spot.value).filter(describesInner);
    if (schemas.length > 0 && schemas.every((schema) => outer.has(schema) || isSpent(schema, visits)))
      continue;
    for (const schema of schemas) visits.set(schema, (visits.get(schema) ?? 0) + 1);
    const branch = branchOf(shape, value);
    // Required members that the schema does not describe; described ones follow as parts.
    for (const other of isRecord(value) ? branch.required.keys() : [])
      if (!branch.properties.has(other) && Object.hasOwn(value as object, other))
        yield without([...path, other]);
    for (const { title, keyword, value: to } of invalidValues(branch, value))
      yield { path, keyword, to, title: `${name || 'the body'} ${title}` };
    if (isBranched && schemas.length > 0) yield* ofOtherForms({ ...part, shape: branch }, shape);
    parts.push(...innerParts({ ...part, shape: branch, outer: outer.union(new Set(schemas)) }));
  }
}

const without = (path: readonly string[]): Change => ({
  path,
  to: REMOVED,
  keyword: 'required',
  title: `without ${path.join('.')}`,
});

function isSpent(schema: unknown, visits: ReadonlyMap<unknown, number>): boolean {
  return (visits.get(schema) ?? 0) >= MOST_OF_A_SCHEMA;
}

const INNER = [
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  'patternProperties',
  'oneOf',
  'anyOf',
  'if',
  'dependentSchemas',
];

/**
 * Values of the branches that the valid value does not have, below the body, and of conditional schemas; each broken in
 * one way.
 */
function* ofOtherForms({ shape, value, path }: Part, whole: Shape): Generator<Change> {
  const name = path.join('.');
  const others = path.length === 0 ? [] : whole.alternatives.slice(0, MOST_BRANCHES);
  for (const [index, other] of others.entries()) {
    if (isEvidentlyOf(other, value)) continue;
    const valid = findSample(other, { key: `${name} ${index}`, direction: 'request' });
    yield* broken(other, valid, path, `${name} in form ${index + 1}`);
  }
  if (!isRecord(value)) return;
  for (const { under, demands, says } of conditionsOf(shape)) {
    const made = findSample(shape.and(under).and(demands), { key: `${name} ${says}`, direction: 'request' });
    if (!isRecord(made)) continue;
    const names = [under, demands].flatMap((one) => [...one.properties.keys(), ...one.required.keys()]);
    const meant = names.filter((one) => Object.hasOwn(made, one)).map((one) => [one, made[one]]);
    yield* broken(demands, { ...value, ...Object.fromEntries(meant) }, path, `${name || 'the body'} ${says}`);
  }
}

function* broken(shape: Shape, valid: unknown, path: readonly string[], title: string): Generator<Change> {
  if (valid === undefined) return;
  for (const change of changesOf(shape, valid, false))
    if (change.path.length > 0 || change.keyword !== 'type')
      yield { ...change, path, to: apply(valid, change.path, change.to), title: `${title} ${change.title}` };
}

/** A schema that applies under a condition, and the schema that a value must fit for it. */
interface Condition {
  readonly under: Shape;
  readonly demands: Shape;
  readonly says: string;
}

/** `if` with `then`, and without it `else`; a member with its `dependentSchemas`. */
function conditionsOf({ parts }: Shape): Condition[] {
  return parts.flatMap((part): Condition[] => {
    const premise = rawChild(part, 'if');
    const not = premise && { ...premise, value: { not: premise.value } };
    const rows = [
      [premise, rawChild(part, 'then'), 'under its condition'],
      [not, rawChild(part, 'else'), 'without its condition'],
      ...rawChildren(rawChild(part, 'dependentSchemas')).map(
        ([name, spot]) => [{ ...spot, value: { required: [name] } }, spot, `with ${name}`] as const,
      ),
    ] as const;
    return rows.flatMap(([under, demands, says]) =>
      under && demands ? [{ under: Shape.of([under]), demands: Shape.of([demands]), says }] : [],
    );
  });
}

function describesInner(schema: unknown): boolean {
  return isRecord(schema) && INNER.some((keyword) => keyword in schema);
}

/** The branch that a value evidently has, through nested branches. */
function branchOf(shape: Shape, value: unknown, seen: ReadonlySet<Shape> = new Set([shape])): Shape {
  const branch = shape.alternatives.find(
    (alternative) => !seen.has(alternative) && isEvidentlyOf(alternative, value),
  );
  return branch && seen.size < MOST_BRANCHES ? branchOf(branch, value, new Set([...seen, branch])) : shape;
}

/** The limit of nested branches; one that contains itself would have no end. */
const MOST_BRANCHES = 20;

function* innerParts({ shape, value, path, outer }: Part): Generator<Part> {
  if (isRecord(value)) {
    for (const [name, member] of shape.properties) {
      if (!Object.hasOwn(value, name) || member.readOnly) continue;
      const isRequired = shape.required.has(name);
      yield { shape: member, value: value[name], path: [...path, name], isRequired, outer };
    }
    const named = Object.keys(value).filter((name) => !shape.properties.has(name));
    const seen = new Set<Shape>();
    for (const name of shape.additional && named.length === 0 ? ['unknown_member'] : named) {
      const member = memberAt(shape, name);
      if (!member || seen.has(member)) continue;
      seen.add(member);
      const inner = value[name] ?? itemOf({ items: member }, 0);
      yield { shape: member, value: inner, path: [...path, name], outer };
    }
  }
  if (!Array.isArray(value)) return;
  const { prefixItems, items } = shape;
  for (const [index, item] of prefixItems.entries())
    if (index < value.length)
      yield { shape: item, value: value[index], path: [...path, String(index)], outer };
  const next = prefixItems.length;
  if (items && value.length > next)
    yield { shape: items, value: value[next], path: [...path, String(next)], outer };
}

/** Whether a valid value has the form of a branch, by type, members and enumerated values. */
function isEvidentlyOf(branch: Shape, value: unknown): boolean {
  if (branch.types && ![...branch.types].some((type) => hasType(value, type))) return false;
  if (branch.values) return branch.values.some((listed) => isEqual(listed, value));
  if (!isRecord(value)) return true;
  const { properties, required, additional } = branch;
  const isThere = (name: string) => name in value || properties.get(name)?.readOnly === true;
  return (
    [...required.keys()].every(isThere) &&
    Object.entries(value).every(([name, member]) => {
      const values = properties.get(name)?.values;
      return values
        ? values.some((listed) => isEqual(listed, member))
        : properties.has(name) || Boolean(additional);
    })
  );
}

function apply(value: unknown, [step, ...rest]: readonly string[], to: unknown): unknown {
  if (step === undefined) return to;
  const change = (key: string, member: unknown) => (key === step ? apply(member, rest, to) : member);
  if (Array.isArray(value)) return value.map((item, index) => change(String(index), item));
  const object = { ...(value as object) };
  if (!Object.hasOwn(object, step)) Object.assign(object, { [step]: undefined });
  const members = Object.entries(object).map(([name, member]) => [name, change(name, member)]);
  return Object.fromEntries(members.filter(([, member]) => member !== REMOVED));
}
