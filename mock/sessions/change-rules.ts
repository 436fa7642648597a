import { stringifyJson } from '#spec';
import { type Awaitable, andThen } from '../http/exchange.ts';
import { type ActiveRule, type Rule, type Rules, ruleJson } from './preferences/rules.ts';
import type { Session } from './session.ts';

/** Adds a rule and notifies open pages, whoever has added it. */
export function addRule({ rules, events }: Session, rule: Rule): Awaitable<ActiveRule> {
  return andThen(rules.add(rule), (added) => {
    if (events.hasListeners) events.publish('rule', stringifyJson(ruleJson(added)));
    return added;
  });
}

/**
 * Orders rules by their ids, such as `[3, 1, 2]`: the last one wins, and unnamed rules win over all of these.
 * @returns what is wrong with the ids; undefined: nothing
 */
export function orderRules(session: Session, ids: unknown): Awaitable<string | undefined> {
  const ruleIds = new Set<unknown>(session.rules.all().map(({ id }) => id));
  const order: readonly unknown[] = Array.isArray(ids) ? ids : [];
  if (order.length === 0 || new Set(order).size < order.length || !order.every((id) => ruleIds.has(id)))
    return 'must be a list of ids of rules, each once, such as [3, 1, 2]: the last one wins';
  return andThen(
    changeRules(session, (rules) => rules.order(order as number[])),
    () => undefined,
  );
}

/** Replaces, orders or removes rules, and sends the new list to open pages. */
export function changeRules<T>(
  { rules, events }: Session,
  change: (rules: Rules) => Awaitable<T>,
): Awaitable<T> {
  return andThen(change(rules), (result) => {
    if (events.hasListeners) events.publish('rules', stringifyJson(rules.all().map(ruleJson)));
    return result;
  });
}
