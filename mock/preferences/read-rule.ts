import { isRecord, type Operation, stringifyJson } from '#spec';
import { LONGEST_DELAY, readDelay } from './delay.ts';
import { refusePreference } from './forced-response.ts';
import { preferenceOf, type Rule } from './rules.ts';

/** A rule as it is given to `addRule` and `POST /__admin/rules`. It must have at least one effect. */
export interface RuleForm extends Omit<Rule, 'delay' | 'drop'> {
  /** Milliseconds up to 600,000, or a range of them such as `'100-500'`. */
  readonly delay?: number | string;
  /** `true` is `'before'`. */
  readonly drop?: true | 'before' | 'after';
}

type ReadRule = { readonly rule: Rule } | { readonly problems: readonly string[] };

/** Reads a rule from JSON: it, or everything that is wrong with it. */
export function readRule(value: unknown, operations: readonly Operation[]): ReadRule {
  if (!isRecord(value)) return { problems: ['a rule must be an object'] };
  const problems: string[] = [];
  const rule: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(value)) {
    const member = Object.hasOwn(MEMBERS, name) ? MEMBERS[name as keyof RuleForm] : undefined;
    const read = member?.read(given);
    if (!member) {
      problems.push(`${name} is no member of a rule; there are ${Object.keys(MEMBERS).join(', ')}`);
    } else if (read === undefined) {
      problems.push(`${name} must be ${member.allowed}, not ${stringifyJson(given)}`);
    } else rule[name] = read;
  }
  return problems.length > 0 ? { problems } : checkRule(rule, operations);
}

interface Member {
  readonly allowed: string;
  /** Undefined: it is not allowed. */
  readonly read: (value: unknown) => unknown;
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

const integer = (low: number, high: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= low && Number(value) <= high ? value : undefined;

const MEMBERS: Readonly<Record<keyof RuleForm, Member>> = {
  operation: { allowed: 'an operationId', read: text },
  times: { allowed: 'a whole number from 1', read: integer(1, 1e9) },
  status: { allowed: 'a status from 200 to 599', read: integer(200, 599) },
  example: { allowed: 'the name of an example', read: text },
  delay: {
    allowed: `milliseconds up to ${LONGEST_DELAY}, or a range such as "100-500"`,
    read: (value) => (typeof value === 'number' ? readDelay(String(value)) : readDelay(text(value) ?? '')),
  },
  drop: {
    allowed: 'true, "before" or "after"',
    read: (value) => (value === true ? 'before' : ['before', 'after'].find((one) => one === value)),
  },
  truncate: { allowed: 'true', read: (value) => (value === true ? true : undefined) },
};

function checkRule(rule: Rule, operations: readonly Operation[]): ReadRule {
  const { operation: id, times: _, ...effects } = rule;
  const matching = operations.filter((operation) => id === undefined || operation.id === id);
  if (matching.length === 0) {
    const ids = operations.map((operation) => operation.id).join(', ');
    return { problems: [`there is no operation "${id}"; there are ${ids}`] };
  }
  if (Object.keys(effects).length === 0) {
    return { problems: ['a rule must say what it does: status, example, delay, drop or truncate'] };
  }
  if (effects.drop && effects.truncate) return { problems: ['drop and truncate exclude each other'] };
  const preference = preferenceOf(rule);
  if (!preference) return { rule };
  const problems = matching.flatMap((operation) => refusePreference(operation, preference)?.message ?? []);
  return problems.length > 0 ? { problems } : { rule };
}
