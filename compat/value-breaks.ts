import { Shape, type Spot, showPlace, stringifyJson, type Violation } from '#spec';
import { candidates } from './candidates.ts';
import type { Contracts } from './contracts.ts';
import { isDocumented } from './documented.ts';
import { stepsOf } from './find-draft.ts';
import { schemasAlong } from './members.ts';
import type { Pace } from './pace.ts';
import { wasReadWhole } from './read-whole.ts';

/** A value that NEW allows in a response, and a rule of OLD that it breaks. */
export interface Counterexample {
  readonly violation: Violation;
  readonly value: unknown;
  readonly oldSpot: Spot;
  readonly newSpot: Spot;
}

/**
 * Of each rule of OLD that a value of NEW breaks one value: the one that breaks the fewest, and is the shortest.
 * @param examples values of either document, tried first
 */
export async function valueBreaks(
  contracts: Contracts,
  old: Spot,
  next: Spot,
  examples: readonly unknown[],
  pace: Pace,
): Promise<Counterexample[]> {
  const [before, after] = [
    contracts.old.validators.compile(old, 'response'),
    contracts.new.validators.compile(next, 'response'),
  ];
  const found = new Map<string, Counterexample & { readonly cost: number }>();
  const [mine, theirs] = [[old], [next]];
  for (const value of candidates(mine, theirs, examples)) {
    await pace.breathe();
    if (pace.stopped()) break;
    const violations = before(value);
    if (violations.length === 0 || after(value).length > 0) continue;
    if (!isDocumented(theirs, mine, value, 'writeOnly')) continue;
    const cost = violations.length * 1_000_000 + stringifyJson(value).length;
    for (const violation of violations) {
      const rule = `${showPlace(violation.at)}:${violation.at.column} ${violation.keyword}`;
      const known = found.get(rule);
      if (known && known.cost <= cost) continue;
      const steps = stepsOf(violation.pointer);
      if (!wasReadWhole(contracts.new, [next], steps)) continue;
      const owner = violation.keyword === 'required' ? steps.slice(0, -1) : steps;
      const keyworded = ([spot]: readonly Spot[]) =>
        spot && (new Shape([spot]).find(violation.keyword)?.spot ?? spot);
      found.set(rule, {
        violation,
        value,
        cost,
        oldSpot: keyworded(schemasAlong([old], owner)) ?? old,
        newSpot: keyworded(schemasAlong([next], owner)) ?? next,
      });
    }
  }
  return [...found.values()];
}
