import { rawChild, type Spot } from './document/spot.ts';
import { stringifyJson } from './json/exact-json.ts';
import { isEqual, isRecord } from './json/json-value.ts';

/** What a comparison overlooks, by the names of members. */
export interface Overlooked {
  /** Whether a member does not count. */
  readonly isIgnored: (name: string, value: unknown) => boolean;
  /** Members with data as their value, in which every member counts. */
  readonly data: ReadonlySet<string>;
  /** Members with a map as their value: the document chooses its names. */
  readonly maps: ReadonlySet<string>;
  /** Lists whose order has no meaning; a text is a list of one. */
  readonly sets: ReadonlySet<string>;
}

/** The result for two values, which are equal until a difference is found. */
interface Verdict {
  isDifferent: boolean;
  /** Results that differ if this one does. */
  readonly dependents: Verdict[];
}

interface Reading {
  readonly left: Spot;
  readonly right: Spot;
  readonly isData: boolean;
  readonly verdict: Verdict;
}

type Verdicts = WeakMap<object, WeakMap<object, Verdict>>;

const NOTHING: Overlooked = { isIgnored: () => false, data: new Set(), maps: new Set(), sets: new Set() };

/**
 * Compares parts of two documents, with references resolved. Each pair of reference targets is read once, however many
 * parts lead to it, also in cycles; results are kept as long as the documents. The order of members has no meaning.
 */
export class PartComparison {
  readonly #overlooked: Overlooked;
  readonly #ofSchemas: Verdicts = new WeakMap();
  readonly #ofData: Verdicts = new WeakMap();
  /** What must be read before a verdict is valid. */
  readonly #waiting: Reading[] = [];

  constructor(overlooked: Overlooked = NOTHING) {
    this.#overlooked = overlooked;
  }

  isSame(one: Spot | undefined, other: Spot | undefined): boolean {
    if (!one || !other) return one === other;
    const verdict = this.#verdictOf(one, other, false);
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) this.#read(next);
    return !verdict.isDifferent;
  }

  /** The result for the targets of two references. */
  #verdictOf(one: Spot, other: Spot, isData: boolean): Verdict {
    const [left, right] = [this.#targetOf(one), this.#targetOf(other)];
    if (!isContainer(left.value) || !isContainer(right.value))
      return { isDifferent: !isEqual(left.value, right.value), dependents: [] };
    const verdicts = isData ? this.#ofData : this.#ofSchemas;
    const row = verdicts.get(left.value) ?? new WeakMap<object, Verdict>();
    verdicts.set(left.value, row);
    const cached = row.get(right.value);
    if (cached) return cached;
    const verdict: Verdict = { isDifferent: false, dependents: [] };
    row.set(right.value, verdict);
    this.#waiting.push({ left, right, isData, verdict });
    return verdict;
  }

  /** Compares two values up to the next references, on whose targets the result then depends. */
  #read({ left, right, isData, verdict }: Reading): void {
    const targets = new Set<Verdict>();
    const open = new Map<unknown, unknown>();
    const { data, maps, sets } = this.#overlooked;

    const matches = (one: Spot, other: Spot, isData: boolean, isMap = false): boolean => {
      if (this.#targetOf(one) !== one || this.#targetOf(other) !== other)
        return dependsOn(this.#verdictOf(one, other, isData));
      if (!isContainer(one.value) || !isContainer(other.value)) return isEqual(one.value, other.value);
      if (Array.isArray(one.value) !== Array.isArray(other.value)) return false;
      if (open.get(one.value) === other.value) return true;
      open.set(one.value, other.value);
      const areAll = isData || isMap;
      const names = this.#namesIn(one.value, areAll);
      return (
        names.length === this.#namesIn(other.value, areAll).length &&
        names.every((name) => {
          const [mine, theirs] = [rawChild(one, name), rawChild(other, name)];
          if (mine === undefined || theirs === undefined) return false;
          // Beside other keywords, the target of a reference counts, and not its name.
          if (name === '$ref' && !areAll)
            return dependsOn(this.#verdictOf(referred(one) ?? mine, referred(other) ?? theirs, isData));
          if (!areAll && sets.has(name) && isSameSet(mine.value, theirs.value)) return true;
          return matches(mine, theirs, isData || (!isMap && data.has(name)), !isMap && maps.has(name));
        })
      );
    };

    function dependsOn(target: Verdict): boolean {
      targets.add(target);
      return !target.isDifferent;
    }

    if (matches(left, right, isData)) for (const target of targets) target.dependents.push(verdict);
    else refute(verdict);
  }

  /** The target of a reference, or of an `allOf` with a single one. What counts for nothing beside it is ignored. */
  #targetOf(spot: Spot): Spot {
    let here = spot;
    for (let step = 0; step < MAX_STEPS; step++) {
      const { value } = here;
      if (!isRecord(value) || (typeof value.$ref !== 'string' && !isOfOne(value.allOf))) return here;
      if (this.#namesIn(value, false).length > 1) return here;
      const all = rawChild(here, 'allOf');
      const target = typeof value.$ref === 'string' ? here.document.resolve(here) : all && rawChild(all, '0');
      if (!target) return here;
      here = target;
    }
    return here;
  }

  #namesIn(value: object, areAll: boolean): string[] {
    const names = Object.keys(value);
    if (areAll) return names;
    return names.filter(
      (name) => !this.#overlooked.isIgnored(name, (value as Record<string, unknown>)[name]),
    );
  }
}

const MAX_STEPS = 100;

function refute(verdict: Verdict): void {
  const waiting = [verdict];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.isDifferent) continue;
    next.isDifferent = true;
    waiting.push(...next.dependents.splice(0));
  }
}

function referred(spot: Spot): Spot | undefined {
  return isRecord(spot.value) && typeof spot.value.$ref === 'string'
    ? spot.document.resolve(spot)
    : undefined;
}

function isSameSet(one: unknown, other: unknown): boolean {
  const texts = (all: unknown) =>
    [all]
      .flat()
      .map((value) => stringifyJson(value))
      .sort();
  return isEqual(texts(one), texts(other));
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isOfOne = (value: unknown) => Array.isArray(value) && value.length === 1 && isRecord(value[0]);
