import { isReference, rawChild, type Spot } from './spot.ts';

/** Two parts of two documents that stand for the same. */
export type Pair = readonly [before: Spot, after: Spot];

interface Comparison {
  differs: boolean;
  /** Those that refer to this one, and differ if it does. */
  readonly users: Set<Comparison>;
}

/**
 * Whether the parts of each pair differ in what they mean: in their values, or in what their references lead to. The
 * order of members means nothing. Each two targets are compared once, however often and in whatever circle they are used.
 */
export function differing(pairs: readonly Pair[]): boolean[] {
  const known = new Map<unknown, Map<unknown, Comparison>>();
  const waiting: { readonly pair: Pair; readonly comparison: Comparison }[] = [];
  const found: Comparison[] = [];

  function comparisonOf(pair: Pair): Comparison {
    const [before, after] = pair;
    const others = known.get(before.value) ?? new Map<unknown, Comparison>();
    known.set(before.value, others);
    const old = others.get(after.value);
    if (old) return old;
    const comparison: Comparison = { differs: false, users: new Set() };
    others.set(after.value, comparison);
    waiting.push({ pair, comparison });
    found.push(comparison);
    return comparison;
  }

  function compare(before: Spot, after: Spot, within: Comparison): boolean {
    const [one, other] = [before.value, after.value];
    if (isReference(one) || isReference(other)) {
      const targets = [targetOf(before), targetOf(after)] as const;
      if (!targets[0] || !targets[1]) return one === other;
      comparisonOf([targets[0], targets[1]]).users.add(within);
      const siblings = (spot: Spot) => (isReference(spot.value) ? without$ref(spot.value) : {});
      return compare({ ...before, value: siblings(before) }, { ...after, value: siblings(after) }, within);
    }
    if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other;
    const keys = Object.keys(one);
    if (Array.isArray(one) !== Array.isArray(other) || keys.length !== Object.keys(other).length)
      return false;
    return keys.every((key) => {
      const next = rawChild(after, key);
      return next !== undefined && compare(rawChild(before, key) as Spot, next, within);
    });
  }

  const wanted = pairs.map(comparisonOf);
  for (let next = waiting.pop(); next; next = waiting.pop())
    next.comparison.differs = !compare(...next.pair, next.comparison);
  const changed = found.filter(({ differs }) => differs);
  for (let one = changed.pop(); one; one = changed.pop())
    for (const user of one.users) {
      if (user.differs) continue;
      user.differs = true;
      changed.push(user);
    }
  return wanted.map(({ differs }) => differs);
}

/** One step: a reference to a reference is compared as such. */
function targetOf(spot: Spot): Spot | undefined {
  return isReference(spot.value) ? spot.document.resolve(spot) : spot;
}

function without$ref({ $ref: _, ...siblings }: { readonly $ref: string }): object {
  return siblings;
}
