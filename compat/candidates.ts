import { isNumber, isRecord, rawChild, Shape, type Spot, sample, stringifyJson } from '#spec';
import { type Difference, differenceOf, sameParts } from './same-schema.ts';

/** The maximum number of values that are tried for a schema. */
const MOST = 8000;
/** The maximum number of characters in them; nested places are tried separately, too. */
const MOST_TEXT = 1_500_000;
const MAX_DEPTH = 16;
const MAX_ITEMS = 300;
/** The maximum number of keyword values for each new member. */
const MOST_VALUES = 12;

/** Values that are tried for any schema. */
const GENERAL: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  2 ** 40,
  '',
  'a',
  'text',
  'Not of this format',
  '\u0001',
  [],
  {},
];

/**
 * Generates values on which the schemas of two documents may disagree: samples of both, and variants of these with one
 * change, at places where the schemas differ, to a value that a keyword of either suggests. A validator decides whether
 * they match.
 * @param others initial values
 */
export function* candidates(
  old: readonly Spot[],
  next: readonly Spot[],
  others: readonly unknown[] = [],
): Generator<unknown> {
  const schemas = [...old, ...next];
  const hints = hintsOf(schemas, sameParts(old, next));
  const difference = differenceOf(old, next);
  const atoms = [...GENERAL, ...hints.values, ...textsOf(hints), ...recordsOf(hints)];
  const bases = distinct([...others, ...schemas.flatMap(samplesOf)]);
  const seen = new Set<string>();
  let count = 0;
  let length = 0;
  for (const value of inOrder(
    bases,
    inTurn(bases.map((base) => changesOf(base, atoms, hints, difference, 0))),
    atoms,
  )) {
    const text = stringifyJson(value);
    if (text === undefined || seen.has(text)) continue;
    seen.add(text);
    yield value;
    count += 1;
    length += text.length;
    if (count >= MOST || length >= MOST_TEXT) return;
  }
}

/** Lazily: each value is generated just before it is tried. */
function* inOrder<T>(...sources: readonly Iterable<T>[]): Generator<T> {
  for (const source of sources) yield* source;
}

/** Round-robin, so that no base exhausts the limit. */
function* inTurn<T>(sources: readonly Generator<T>[]): Generator<T> {
  let open = [...sources];
  while (open.length > 0) {
    const still: Generator<T>[] = [];
    for (const source of open) {
      const { value, done } = source.next();
      if (done) continue;
      yield value;
      still.push(source);
    }
    open = still;
  }
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [stringifyJson(value), value])).values()];
}

/** Samples with all members, with required ones only, and with some, for each branch, too. */
function samplesOf(schema: Spot): unknown[] {
  const shape = new Shape([schema]);
  return [shape, ...shape.alternatives.slice(0, 8)].flatMap((one) =>
    [{ include: () => true }, { include: () => false }, {}, {}].flatMap((options, index) => {
      try {
        return [sample(one, { key: `candidate ${index}`, ...options })];
      } catch {
        return [];
      }
    }),
  );
}

/** Objects with one member each. */
function recordsOf({ names, values }: Hints): object[] {
  const few = ['text', 1, ...values.slice(0, MOST_VALUES)];
  return names.slice(0, MOST_VALUES).flatMap((name) => few.map((value) => ({ [name]: value })));
}

function textsOf({ sizes }: Hints): string[] {
  return sizes.map((size) => 'x'.repeat(size));
}

/** Variants of a value with one change, at any depth, where the schemas differ. */
function* changesOf(
  value: unknown,
  atoms: readonly unknown[],
  hints: Hints,
  difference: Difference,
  depth: number,
): Generator<unknown> {
  if (difference.isNone) return;
  if (Array.isArray(value)) yield* listChanges(value, atoms, hints);
  if (isRecord(value)) yield* recordChanges(value, hints);
  if (depth < MAX_DEPTH) {
    if (Array.isArray(value))
      for (const [index, item] of value.slice(0, 2).entries())
        for (const changed of changesOf(item, atoms, hints, difference.at(String(index)), depth + 1))
          yield value.with(index, changed);
    if (isRecord(value))
      for (const [name, member] of Object.entries(value))
        for (const changed of changesOf(member, atoms, hints, difference.at(name), depth + 1))
          yield { ...value, [name]: changed };
  }
  if (depth > 0) yield* atoms;
}

function* listChanges(
  value: readonly unknown[],
  atoms: readonly unknown[],
  hints: Hints,
): Generator<unknown> {
  const filler = value.length > 0 ? value : [1];
  for (const size of hints.sizes)
    if (size <= MAX_ITEMS) {
      yield Array.from({ length: size }, (_, index) => filler[index % filler.length]);
      yield Array.from({ length: size }, (_, index) => varied(filler[index % filler.length], index));
    }
  yield [];
  if (value.length > 0) yield [...value, value[0]];
  for (const atom of atoms) {
    yield [...value, atom];
    yield [atom];
    yield [atom, atom];
  }
}

function varied(value: unknown, index: number): unknown {
  if (typeof value === 'number') return value + index;
  return typeof value === 'string' ? `${value}${index}` : value;
}

function* recordChanges(value: Readonly<Record<string, unknown>>, hints: Hints): Generator<unknown> {
  for (const name of Object.keys(value)) {
    const { [name]: _, ...others } = value;
    yield others;
  }
  for (const name of ['unknown_member', ...hints.names])
    if (!Object.hasOwn(value, name))
      for (const member of ['text', 1, true, {}, [], ...hints.values.slice(0, MOST_VALUES)])
        yield { ...value, [name]: member };
  for (const size of hints.sizes)
    if (size <= MAX_ITEMS && size > Object.keys(value).length) {
      const more = size - Object.keys(value).length;
      const added = Array.from({ length: more }, (_, index) => [`member${index}`, 'text']);
      yield { ...value, ...Object.fromEntries(added) };
    }
}

/** Values that keywords suggest: those next to limits, and names of members. */
interface Hints {
  readonly values: readonly unknown[];
  readonly names: readonly string[];
  /** Sizes for strings, lists and objects. */
  readonly sizes: readonly number[];
}

const BOUNDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);
const SIZES = /^(?:min|max)(?:Length|Items|Properties|Contains)$/;
/** The first values outside the integer formats. */
const BEYOND: Readonly<Record<string, readonly (number | bigint)[]>> = {
  int32: [2 ** 31, -(2 ** 31) - 1],
  int64: [2n ** 63n, -(2n ** 63n) - 1n],
};
/** Longer values would only test the machine. */
const MAX_LENGTH = 10_000;
const MAX_NODES = 5000;

/**
 * Collects hints from schemas and everything that they refer to.
 * @param passedOver Schema Objects without relevant hints
 */
function hintsOf(schemas: readonly Spot[], passedOver: ReadonlySet<unknown>): Hints {
  const [values, names, sizes] = [new Map<string, unknown>(), new Set<string>(), new Set<number>()];
  const seen = new Set(passedOver);
  const waiting = [...schemas];
  let namesMembers = false;
  const addValue = (value: unknown) =>
    void values.set(typeof value + String(JSON.stringify(value, big)), value);
  const sampled = (spot: Spot, schema: object) =>
    [1, 2].flatMap((key) => sampleOf({ ...spot, value: { type: 'string', ...schema } }, key));

  for (let spot = waiting.pop(); spot && seen.size < passedOver.size + MAX_NODES; spot = waiting.pop()) {
    const { value } = spot;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isRecord(value) && typeof value.$ref === 'string') {
      const target = spot.document.resolve(spot);
      if (target) waiting.push(target);
    }
    for (const [keyword, member] of Object.entries(value)) {
      const child = rawChild(spot, keyword);
      if (child) waiting.push(child);
      if (BOUNDS.has(keyword) && isNumber(member)) beside(member).forEach(addValue);
      if (SIZES.test(keyword) && Number(member) <= MAX_LENGTH)
        for (const size of [Number(member) - 1, Number(member), Number(member) + 1])
          if (size >= 0) sizes.add(size);
      if (keyword === 'const' || keyword === 'default' || keyword === 'example') addValue(member);
      if ((keyword === 'enum' || keyword === 'examples') && Array.isArray(member)) member.forEach(addValue);
      if (keyword === 'format')
        (Object.hasOwn(BEYOND, String(member)) ? (BEYOND[String(member)] ?? []) : []).forEach(addValue);
      if (keyword === 'pattern' || keyword === 'format')
        sampled(spot, { [keyword]: member }).forEach(addValue);
      if (/^(?:properties|dependentRequired|dependentSchemas)$/.test(keyword) && isRecord(member))
        for (const name of Object.keys(member)) names.add(name);
      if (keyword === 'mapping' && isRecord(member)) Object.keys(member).forEach(addValue);
      if (keyword === 'required' && Array.isArray(member)) for (const name of member) names.add(String(name));
      if (keyword === 'patternProperties' && isRecord(member))
        for (const pattern of Object.keys(member))
          for (const name of sampled(spot, { pattern })) names.add(String(name));
      if (keyword === 'propertyNames') {
        namesMembers = true;
        for (const name of isRecord(member) ? sampled(spot, member) : [])
          for (const more of ['', '0', 'A', 'a', '_', '-', ' ']) names.add(name + more).add(more + name);
      }
    }
  }
  // Hints for texts apply to names there.
  if (namesMembers) {
    for (const value of values.values()) if (typeof value === 'string') names.add(value);
    for (const size of sizes) names.add('x'.repeat(size));
  }
  return { values: [...values.values()], names: [...names], sizes: [...sizes].sort((a, b) => a - b) };
}

const big = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);

function beside(value: number | bigint): (number | bigint)[] {
  if (typeof value === 'bigint') return [value - 1n, value, value + 1n];
  const near = [value - 1, value, value + 1, value + 0.5, value * 2, value * 3];
  return Number.isInteger(value) ? near : [...near, value - 0.01, value + 0.01];
}

function sampleOf(spot: Spot, key: number): unknown[] {
  try {
    const value = sample(Shape.of([spot]), { key: `hint ${key}` });
    return value === null ? [] : [value];
  } catch {
    return [];
  }
}
