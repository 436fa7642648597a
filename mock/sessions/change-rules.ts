import { stringifyJson } from '#spec';
import { type Awaitable, andThen } from '../http/exchange.ts';
import { type ActiveRule, type Rule, type Rules, ruleJson } from './preferences/rules.ts';
import type { Session } from './session.ts';

/** Adds a rule, of which pages hear whoever has added it. */
export function addRule({ rules, events }: Session, rule: Rule): Awaitable<ActiveRule> {
  return andThen(rules.add(rule), (added) => {
    if (events.hasListeners) events.publish('rule', stringifyJson(ruleJson(added)));
    return added;
  });
}

/** Replaces, orders or removes rules, of which pages then get all. */
export function changeRules<T>(
  { rules, events }: Session,
  change: (rules: Rules) => Awaitable<T>,
): Awaitable<T> {
  return andThen(change(rules), (result) => {
    if (events.hasListeners) events.publish('rules', stringifyJson(rules.all().map(ruleJson)));
    return result;
  });
}
