import { isEqual, type Operation, pathForm, percentDecode } from '#spec';
import { canBeAtPath, contains, isForOperation, segmentsOf } from './match.ts';
import { type ActiveRule, isSpent, type Match, type Rule, ruleJson, type Wanted } from './rules.ts';

/** Rules as they are shown, each with the one that takes all of its requests. */
export function showRules(rules: readonly ActiveRule[], operations: readonly Operation[]) {
  const shadows = findShadows(rules, operations);
  return rules.map((rule) => {
    const shadowedBy = shadows.get(rule.id);
    return { ...ruleJson(rule), ...(shadowedBy !== undefined && { shadowedBy }) };
  });
}

/**
 * Of each rule that no request can reach, the one that takes them all: `rules` are in their order, the one that wins last.
 * Only what is certain: a rule that is switched off, or applies a number of times, takes nothing for ever.
 */
function findShadows(
  rules: readonly ActiveRule[],
  operations: readonly Operation[],
): ReadonlyMap<number, number> {
  const shadows = new Map<number, number>();
  const active = rules.filter((rule) => rule.enabled !== false && !isSpent(rule));
  for (const [index, rule] of active.entries()) {
    const reached = operationsOf(rule, operations);
    const over = active.findLast(
      (one, at) => at > index && one.times === undefined && covers(one, rule, reached),
    );
    if (over) shadows.set(rule.id, over.id);
  }
  return shadows;
}

/** The operations whose requests a rule may be for. */
export function operationsOf(rule: Rule, operations: readonly Operation[]): readonly Operation[] {
  const { method, path } = rule.match ?? {};
  return operations.filter(
    (operation) =>
      isForOperation(rule, operation) &&
      (method === undefined || method === operation.method) &&
      (path === undefined || canBeAtPath(path, operation)),
  );
}

/**
 * Whether each request that the one below matches is matched by the one above, too.
 * @param reached the operations that the one below may be for
 */
function covers(above: Rule, below: Rule, reached: readonly Operation[]): boolean {
  // Who responds is decided apart from how.
  if ((above.source === undefined) !== (below.source === undefined)) return false;
  if (above.operation !== undefined && below.operation !== undefined && above.operation !== below.operation)
    return false;
  const { match: high = {} } = above;
  const { match: low = {} } = below;
  if (!demandsAll(high.query, low.query) || !demandsAll(high.headers, low.headers)) return false;
  if ('body' in high && !('body' in low && contains(low.body, high.body))) return false;
  if (reached.length === 0) return false;
  return reached.every(
    (operation) =>
      isForOperation(above, operation) &&
      (high.method === undefined || high.method === operation.method) &&
      isPathCovered(high, low, operation),
  );
}

function demandsAll(high: Match['query'] = {}, low: Match['query'] = {}): boolean {
  return Object.entries(high).every(([name, wanted]) => {
    const own = Object.hasOwn(low, name) ? low[name] : undefined;
    return own !== undefined && implies(own, wanted);
  });
}

/** A text that is wanted is one of all values; a list is all of them. */
function implies(own: Wanted, wanted: Wanted): boolean {
  if (typeof wanted === 'string') return own === wanted || (Array.isArray(own) && own.includes(wanted));
  return isEqual(own, wanted);
}

/** As the requests of the operation are matched: by what the path of the document leaves open, or what both rules name. */
function isPathCovered({ path: high }: Match, { path: low }: Match, { path }: Operation): boolean {
  if (high === undefined) return true;
  const documented = segmentsOf(path);
  const named = low === undefined ? [] : segmentsOf(low);
  const wanted = segmentsOf(high);
  if (wanted.length !== documented.length) return false;
  return wanted.every((segment, index) => {
    const own = documented[index] ?? '';
    if (segment.includes('{')) return pathForm(segment) === pathForm(own);
    const fixed = own.includes('{') ? (named[index] ?? '{') : own;
    return !fixed.includes('{') && percentDecode(segment) === percentDecode(fixed);
  });
}
