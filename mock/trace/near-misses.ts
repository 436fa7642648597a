import type { NearMiss } from '../http/trace.ts';
import type { Decided } from '../sessions/preferences/decided.ts';
import {
  type Condition,
  canBeAtPath,
  conditionsOf,
  type RuledRequest,
} from '../sessions/preferences/match.ts';
import type { ActiveRule } from '../sessions/preferences/rules.ts';

/** Of one request; a session may have a thousand rules. */
const MOST_MISSES = 10;

/**
 * The rules that would have applied to a request, but for one thing; in the order in which they are looked at, then those that
 * are used up.
 * @param refused why no rule was looked at; undefined: they were
 */
export function nearMisses(
  { rules: book, rule, sourceRule }: Decided,
  ruled: RuledRequest,
  refused: string | undefined,
): readonly NearMiss[] {
  if (!book) return [];
  const { rules, spent = [] } = book;
  const misses: NearMiss[] = [];
  for (const one of [...rules.toReversed(), ...spent.toReversed()]) {
    const isSpent = spent.includes(one);
    const applied = one.source === undefined ? rule : sourceRule;
    if (one.id === applied?.id) continue;
    const missed = missing(one, ruled, isSpent, applied, refused);
    if (missed) misses.push({ rule: one.id, ...missed });
    if (misses.length === MOST_MISSES) break;
  }
  return misses;
}

function missing(
  rule: ActiveRule,
  ruled: RuledRequest,
  isSpent: boolean,
  applied: ActiveRule | undefined,
  refused: string | undefined,
): Omit<NearMiss, 'rule'> | undefined {
  const conditions = conditionsOf(rule, ruled);
  const [unmet, ...others] = conditions.filter(({ but }) => but !== undefined);
  if (others.length > 0) return undefined;
  if (unmet?.but !== undefined)
    return !isSpent && isNear(unmet, conditions, ruled) ? { of: unmet.of, but: unmet.but } : undefined;
  if (rule.enabled === false) return { of: 'off', but: 'it is switched off' };
  if (isSpent) {
    const requests = rule.times === 1 ? 'request' : 'requests';
    return { of: 'times', but: `it was for ${rule.times} ${requests} and is used up` };
  }
  if (refused !== undefined) return { of: 'refused', but: refused };
  return applied && { of: 'order', but: `rule ${applied.id} goes before it and matches, too` };
}

/** A rule for another operation says nothing, unless the rest of it is the same. */
function isNear({ of }: Condition, conditions: readonly Condition[], { operation }: RuledRequest): boolean {
  const isMet = (...kinds: Condition['of'][]) =>
    conditions.some((one) => one.but === undefined && kinds.includes(one.of));
  if (of === 'operation' || of === 'tag') return isMet('query', 'headers', 'body');
  if (of === 'method') return isMet('operation', 'path');
  if (of === 'path')
    return conditions.some(
      (one) => one.of === 'path' && canBeAtPath(one.text.slice('path '.length), operation),
    );
  return true;
}
