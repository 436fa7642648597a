import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The rule of correct services in the table, and that of mutants without a verdict. */
export const [OF_LOOKALIKES, NO_VERDICT] = ['lookalikes', 'no verdict'];

/** Services that were run at commit 8b290824, and are no longer: another one of the same kind stands for each. */
export interface StandIn {
  /** The law that both break. */
  readonly rule: string;
  readonly name: string;
  readonly gone: readonly string[];
}

const table: Record<string, Record<string, string>> = parse(
  readFileSync(new URL('./stands-for.yaml', import.meta.url), 'utf8'),
);
export const STAND_INS: readonly StandIn[] = Object.entries(table).flatMap(([rule, all]) =>
  Object.entries(all).map(([name, gone]) => ({ rule, name, gone: gone.split(' ') })),
);

/** What was added later is not of that list. */
const LATER = 'freight-';

/** How many services of that commit these were, or stood for, and how many of them pass. */
export function countOriginal(outcomes: Iterable<readonly [name: string, passes: boolean]>) {
  const weights = new Map<string, number>();
  for (const { name, gone } of STAND_INS) weights.set(name, (weights.get(name) ?? 0) + gone.length);
  let [passed, total] = [0, 0];
  for (const [name, passes] of outcomes) {
    if (name.startsWith(LATER)) continue;
    const weight = 1 + (weights.get(name) ?? 0);
    total += weight;
    if (passes) passed += weight;
  }
  return { passed, total };
}
