import type { Operation } from '#spec';
import { refusePreference } from './forced-response.ts';
import { isForOperation } from './match-rule.ts';
import { ANSWER_MEMBERS, type AnswerForm, integer, sequence, text } from './read-answer.ts';
import { listOf, type MatchForm, match, named, resolveMatch } from './read-match.ts';
import { must, type ReadMember, type ReportProblem, type RuleProblem, readObject } from './read-members.ts';
import { type Answer, preferenceOf, type Rule } from './rule.ts';

/** A rule as it is given to `addRule`, `POST /__admin/rules` and a seed file. It must have at least one effect. */
export interface RuleForm extends AnswerForm {
  /** An operationId. Default: every operation. */
  readonly operation?: string;
  /** A tag of operations. Default: every operation. */
  readonly tag?: string;
  /** What a request must have. Default: every request. */
  readonly match?: MatchForm;
  /** From 1. Default: until the rule is removed. */
  readonly times?: number;
  /** One answer after the other, of which the last one stays; a number is a status, `'pass'` the ordinary response. */
  readonly sequence?: readonly (number | AnswerForm | 'pass')[];
}

type ReadRule = { readonly rule: Rule } | { readonly problems: readonly RuleProblem[] };

/** What a rule is read for. */
export interface RuledDocument {
  readonly operations: readonly Operation[];
  /** Precedes every path of the document in a request. */
  readonly basePath: string;
}

const MEMBERS: Readonly<Record<keyof RuleForm, ReadMember>> = {
  operation: must('an operationId', text),
  times: must('a whole number from 1', integer(1, 1e9)),
  ...ANSWER_MEMBERS,
  tag: must('a tag', text),
  match,
  sequence,
};

const readMembers = readObject('a rule', MEMBERS, '{"operation": "ID", "status": 503}');

const EFFECTS: readonly string[] = [...Object.keys(ANSWER_MEMBERS), 'sequence'];

/** Reads a rule from JSON: it, or everything that is wrong with it. */
export function readRule(value: unknown, document: RuledDocument): ReadRule {
  const problems: RuleProblem[] = [];
  const report: ReportProblem = (path, message) => problems.push({ path, message });
  const read = readMembers(value, [], report) as Rule | undefined;
  const rule = read && problems.length === 0 ? checkRule(read, document, report) : read;
  return rule && problems.length === 0 ? { rule } : { problems };
}

/** `times must be a whole number from 1, not 0` */
export function problemText({ path, message }: RuleProblem): string {
  return path.length === 0 ? message : `${path.join('.')} ${message}`;
}

function checkRule(rule: Rule, { operations, basePath }: RuledDocument, report: ReportProblem): Rule {
  const { operation: id, tag, match: wanted } = rule;
  const called = operations.filter((operation) => id === undefined || operation.id === id);
  if (called.length === 0)
    report(['operation'], `names no operation "${id}"; there are ${listOf(operations, 'id')}`);
  const tagged = called.filter((operation) => isForOperation(rule, operation));
  if (tagged.length === 0 && called.length > 0)
    report(['tag'], `names no tag "${tag}"; there are ${named(called.flatMap(({ tags }) => tags))}`);
  const resolved = wanted && tagged.length > 0 ? resolveMatch(wanted, tagged, basePath, report) : undefined;
  const matching = resolved?.operations ?? tagged;
  checkEffects(rule, report);
  for (const [answer, path] of answersOf(rule)) checkAnswer(answer, path, matching, report);
  return resolved ? { ...rule, match: resolved.match } : rule;
}

function checkEffects(rule: Rule, report: ReportProblem): void {
  const given = Object.keys(rule).filter((name) => EFFECTS.includes(name));
  if (given.length === 0)
    report([], `a rule must say what it does: ${EFFECTS.slice(0, -1).join(', ')} or ${EFFECTS.at(-1)}`);
  if (!rule.sequence) return;
  for (const name of given.filter((one) => one !== 'sequence' && one !== 'delay'))
    report([name], 'and sequence exclude each other; put it into an answer of the sequence');
}

function answersOf({ sequence: answers, ...rule }: Rule): (readonly [answer: Answer, path: string[]])[] {
  if (!answers) return [[rule, []]];
  return answers.flatMap((answer, index) =>
    answer === 'pass' ? [] : [[answer, ['sequence', String(index)]] as const],
  );
}

const NO_CONTENT: ReadonlySet<number | undefined> = new Set([204, 205, 304]);

function checkAnswer(
  answer: Answer,
  path: readonly string[],
  operations: readonly Operation[],
  report: ReportProblem,
): void {
  const { drop, truncate, status, example, body } = answer;
  if (drop && truncate) report([...path, 'drop'], 'and truncate exclude each other');
  if (body !== undefined) {
    if (example !== undefined) report([...path, 'body'], 'and example exclude each other');
    if (NO_CONTENT.has(status) && body !== '')
      report([...path, 'body'], `must be "" or absent: a response with status ${status} has none`);
    return;
  }
  const preference = preferenceOf(answer);
  if (!preference) return;
  const refusals = operations.flatMap((operation) => refusePreference(operation, preference)?.message ?? []);
  const [first, ...others] = refusals;
  if (first === undefined) return;
  const more = others.length > 0 ? `, nor do ${others.length} other operations` : '';
  const remedy = 'with a body of its own ("body") a rule may have any status';
  const isStatus = example === undefined;
  report(
    [...path, isStatus ? 'status' : 'example'],
    `is not possible: ${first}${more}${isStatus ? `; ${remedy}` : ''}`,
  );
}
