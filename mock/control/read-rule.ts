import { isRecord, type Operation } from '#spec';
import { refuseForce } from '../answer/force.ts';
import { LONGEST_DELAY, readDelay } from '../session/delay.ts';
import type { Rule } from '../session/rules.ts';

/** Reads a rule from JSON: it, or all that is wrong with it. */
export function readRule(
  value: unknown,
  operations: readonly Operation[],
): { rule: Rule } | { problems: string[] } {
  if (!isRecord(value)) return { problems: ['a rule must be an object'] };
  const problems: string[] = [];
  const rule: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(value)) {
    const member = MEMBERS[name];
    if (!member) {
      problems.push(`${name} is no member of a rule; there are ${Object.keys(MEMBERS).join(', ')}`);
      continue;
    }
    const read = member.read(given);
    if (read === undefined) problems.push(`${name} must be ${member.wanted}, not ${JSON.stringify(given)}`);
    else rule[name] = read;
  }
  return problems.length > 0 ? { problems } : checkRule(rule, operations);
}

interface Member {
  readonly wanted: string;
  /** Undefined: it is not what is wanted. */
  readonly read: (value: unknown) => unknown;
}

const MEMBERS: Readonly<Record<string, Member>> = {
  operation: { wanted: 'an operationId', read: (value) => (typeof value === 'string' ? value : undefined) },
  times: { wanted: 'a whole number from 1', read: (value) => wholeFrom(1, 1e9, value) },
  status: { wanted: 'a status from 200 to 599', read: (value) => wholeFrom(200, 599, value) },
  example: {
    wanted: 'the name of an example',
    read: (value) => (typeof value === 'string' ? value : undefined),
  },
  delay: {
    wanted: `milliseconds up to ${LONGEST_DELAY}, or a range such as "100-500"`,
    read: (value) =>
      typeof value === 'string' || typeof value === 'number' ? readDelay(String(value)) : undefined,
  },
  drop: {
    wanted: 'true, "before" or "after"',
    read: (value) =>
      value === true ? 'before' : value === 'before' || value === 'after' ? value : undefined,
  },
  truncate: { wanted: 'true', read: (value) => (value === true ? true : undefined) },
};

function wholeFrom(low: number, high: number, value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high
    ? value
    : undefined;
}

function checkRule(rule: Rule, operations: readonly Operation[]): { rule: Rule } | { problems: string[] } {
  const { operation: id, times: _, ...effects } = rule;
  const meant = operations.filter((operation) => id === undefined || operation.id === id);
  if (meant.length === 0) {
    return {
      problems: [`there is no operation "${id}"; there are ${operations.map((one) => one.id).join(', ')}`],
    };
  }
  if (Object.keys(effects).length === 0) {
    return { problems: ['a rule must say what it does: status, example, delay, drop or truncate'] };
  }
  if (effects.drop && effects.truncate) return { problems: ['drop and truncate exclude each other'] };
  const { status, example } = effects;
  if (status === undefined && example === undefined) return { rule };
  const wish = { ...(status !== undefined && { code: status }), ...(example !== undefined && { example }) };
  const problems = meant.flatMap((operation) => refuseForce(operation, wish)?.message ?? []);
  return problems.length > 0 ? { problems } : { rule };
}
