import type { Operation } from '#spec';
import type { Change } from './changes/change.ts';
import { RULES, type RuleName } from './changes/rules.ts';
import type { Pair } from './pair.ts';

/** What must be run of an operation that differs: its requests, and the suite, which stores and reads. */
export type Need = 'requests' | 'suite';

export interface Needs {
  readonly of: (need: Need) => readonly Pair[];
  readonly isNeeded: (need: Need, operationId: string) => boolean;
}

/**
 * Of what these rules say, the behaviour of a service may depend: what it stores, filters, and returns. What values show is
 * not among them: what follows from it, has the same cause.
 */
const OF_BEHAVIOUR =
  /^(?:meaning-changed|(?:meaningful-)?parameter-(?:removed|default-changed|style-changed)|request-body-removed|success-status-.*)$/;

/** Of these methods a body stores nothing (RFC 9110, 9.3). */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

/** What is not compared member by member: values show more than the documents. */
const AS_A_WHOLE =
  /^(?:meaning|variant|discriminator|condition|not|contains|dependent|unevaluated|property-names|pattern|parameter-style)/;

/** Where every change is known, and none of them can break, nothing is run. */
export function needsOf(pairs: readonly Pair[], changes: readonly Change[]): Needs {
  const own = Map.groupBy(
    changes.flatMap((change) => change.operations.map((operation) => ({ operation, change }))),
    ({ operation }) => operation,
  );
  const needed = new Map<string, ReadonlySet<Need>>();
  for (const pair of pairs) {
    if (!pair.isChanged || pair.isOver) continue;
    const found = (own.get(pair.old) ?? []).map(({ change }) => change);
    needed.set(pair.old.id, needsOfOne(pair, found));
  }
  const isNeeded = (need: Need, id: string) => needed.get(id)?.has(need) ?? false;
  return { isNeeded, of: (need) => pairs.filter(({ old }) => isNeeded(need, old.id)) };
}

function needsOfOne(pair: Pair, changes: readonly Change[]): ReadonlySet<Need> {
  if (!pair.new) return new Set(['requests']);
  // What differs, and no rule names.
  if (changes.length === 0) return new Set(['requests']);
  const needs = new Set<Need>();
  for (const { rule, direction, level } of changes) {
    // What another type means for a text, its other keywords say.
    const isOfText = level?.written.wire !== 'json' && rule.startsWith('type-');
    const isOpen = RULES[rule][direction] === 'breaking' || isOfText || AS_A_WHOLE.test(rule);
    if (isOpen && direction === 'request') needs.add('requests');
    if (isOfBehaviour(rule, pair.old)) {
      needs.add('requests');
      needs.add('suite');
    }
  }
  return needs;
}

function isOfBehaviour(rule: RuleName, { method }: Operation): boolean {
  if (rule === 'request-body-removed' && WITHOUT_BODY.has(method)) return false;
  return OF_BEHAVIOUR.test(rule);
}
