import type { Operation } from '#spec';
import type { Change } from './changes/change.ts';
import { ruleOf } from './changes/rules.ts';
import type { Pair } from './pair.ts';

/** What to run for a changed operation: its requests, and the suite, which stores and reads. */
export type Need = 'requests' | 'suite';

export interface Needs {
  readonly of: (need: Need) => readonly Pair[];
  /** The changes of an operation of OLD. */
  readonly changesOf: (operationId: string) => readonly Change[];
  readonly isNeeded: (need: Need, operationId: string) => boolean;
}

/** The body of these methods stores nothing (RFC 9110 §9.3). */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

/** If all changes are covered by rules, and none can break, nothing is run. */
export function needsOf(pairs: readonly Pair[], changes: readonly Change[]): Needs {
  const byOperation = Map.groupBy(
    changes.flatMap((change) => change.operations.map(({ id }) => ({ id, change }))),
    ({ id }) => id,
  );
  const changesOf = (id: string) => (byOperation.get(id) ?? []).map(({ change }) => change);
  const needed = new Map<string, ReadonlySet<Need>>();
  for (const pair of pairs) {
    if (!pair.isChanged || pair.isOver) continue;
    needed.set(pair.old.id, pair.new ? needsOfOne(pair.old, changesOf(pair.old.id)) : new Set(['requests']));
  }
  const isNeeded = (need: Need, id: string) => needed.get(id)?.has(need) ?? false;
  return { changesOf, isNeeded, of: (need) => pairs.filter(({ old }) => isNeeded(need, old.id)) };
}

function needsOfOne({ method }: Operation, changes: readonly Change[]): ReadonlySet<Need> {
  // A difference that no rule covers.
  const needs = new Set<Need>(changes.length === 0 ? ['requests'] : []);
  for (const { rule, direction, level } of changes) {
    const { isOpen, isOfBehaviour, keywords, ...classes } = ruleOf(rule);
    // Other keywords decide what a changed type means for a text.
    const isOfText = level?.written.wire !== 'json' && keywords?.includes('type');
    const mayBreak = classes[direction] === 'breaking' || isOpen || isOfText;
    if (mayBreak && direction === 'request') needs.add('requests');
    const storesNothing = rule === 'request-body-removed' && WITHOUT_BODY.has(method);
    if (isOfBehaviour && !storesNothing) needs.add('requests').add('suite');
  }
  return needs;
}
