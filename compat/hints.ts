import { isNumber, isRecord, rawChild, Shape, type Spot, sample } from '#spec';

/** What the keywords of schemas name: values just beside their limits, and the names of members. */
export interface Hints {
  readonly values: readonly unknown[];
  readonly names: readonly string[];
  /** Of strings, lists and objects. */
  readonly sizes: readonly number[];
}

const BOUNDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);
const SIZES = /^(?:min|max)(?:Length|Items|Properties|Contains)$/;
/** Just outside of the formats of integers. */
const BEYOND: Readonly<Record<string, readonly (number | bigint)[]>> = {
  int32: [2 ** 31, -(2 ** 31) - 1],
  int64: [2n ** 63n, -(2n ** 63n) - 1n],
};
/** Longer values would measure the machine. */
const MAX_LENGTH = 10_000;
const MAX_NODES = 5000;

/**
 * Gathers hints from schemas and all that they refer to.
 * @param passedOver Schema Objects that name nothing of interest
 */
export function hintsOf(schemas: readonly Spot[], passedOver: ReadonlySet<unknown>): Hints {
  const [values, names, sizes] = [new Map<string, unknown>(), new Set<string>(), new Set<number>()];
  const seen = new Set(passedOver);
  const waiting = [...schemas];
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
      if (keyword === 'propertyNames' && isRecord(member))
        for (const name of sampled(spot, member)) names.add(String(name));
    }
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
