import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The names in the table for lookalikes, and for mutants without a verdict. */
export const [OF_LOOKALIKES, NO_VERDICT] = ['lookalikes', 'no verdict'];

/** Services of commit 8b290824 that were removed since, represented by one of the same kind. */
export interface StandIn {
  /** The rule that both violate. */
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

/** Services with this prefix were added later. */
const LATER = 'freight-';

/** The number of services of that commit that these are or represent, and of those that pass. */
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
