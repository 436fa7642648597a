import type { Operation } from '#spec';
import { shownValue } from '../../http/refusal.ts';
import { LONGEST_DELAY, readDelay } from './delay.ts';
import { refusePreference } from './forced-response.ts';
import { isForOperation, listOf, match, named, resolveMatch } from './match.ts';
import {
  integer,
  isFieldValue,
  must,
  type ReadMember,
  type ReportProblem,
  type RuleProblem,
  readByName,
  readObject,
  text,
} from './read-members.ts';
import { type Answer, type AnswerForm, NO_CONTENT, type Rule, type RuleForm, type Source } from './rules.ts';
import { isTemplate } from './template.ts';
import { markTemplates } from './templated-answer.ts';

export interface RuledDocument {
  readonly operations: readonly Operation[];
  /** Whether the mock is in front of a real service. Default: false. */
  readonly hasUpstream?: boolean;
}

type ReadRule = { readonly rule: Rule } | { readonly problems: readonly RuleProblem[] };

/** Reads a rule from JSON, or returns all of its problems. */
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

function checkRule(
  rule: Rule,
  { operations, hasUpstream = false }: RuledDocument,
  report: ReportProblem,
): Rule {
  const { operation: id, tag, match: wanted } = rule;
  const called = operations.filter((operation) => id === undefined || operation.id === id);
  if (called.length === 0)
    report(['operation'], `names no operation "${id}"; there are ${listOf(operations, 'id')}`);
  const tagged = called.filter((operation) => isForOperation(rule, operation));
  if (tagged.length === 0 && called.length > 0)
    report(['tag'], `names no tag "${tag}"; there are ${named(called.flatMap(({ tags }) => tags))}`);
  const resolved = wanted && tagged.length > 0 ? resolveMatch(wanted, tagged, report) : undefined;
  const matching = resolved?.operations ?? tagged;
  checkEffects(rule, report);
  if (rule.source !== undefined && !hasUpstream)
    report(['source'], 'needs a real service: start the mock with --upstream URL');
  const checked = mapAnswers(rule, (answer, path) => {
    checkAnswer(answer, path, matching, report);
    return markTemplates(answer, path, matching, report);
  });
  return resolved ? { ...checked, match: resolved.match } : checked;
}

function checkEffects(rule: Rule, report: ReportProblem): void {
  const effects = Object.keys(rule).filter((name) => EFFECTS.includes(name));
  if (effects.length === 0)
    report([], `a rule must say what it does: ${EFFECTS.slice(0, -1).join(', ')} or ${EFFECTS.at(-1)}`);
  if (rule.source !== undefined)
    for (const name of effects.filter((effect) => effect !== 'source'))
      report([name], 'and source exclude each other; make a rule for each');
  if (!rule.sequence) return;
  for (const name of effects.filter((effect) => effect !== 'sequence' && effect !== 'delay'))
    report([name], 'and sequence exclude each other; put it into an answer of the sequence');
}

function mapAnswers(rule: Rule, change: <T extends Answer>(answer: T, path: readonly string[]) => T): Rule {
  const { sequence: answers } = rule;
  if (!answers) return change(rule, []);
  const changed = answers.map((answer, index) =>
    answer === 'pass' ? answer : change(answer, ['sequence', String(index)]),
  );
  return { ...rule, sequence: changed };
}

function checkAnswer(
  answer: Answer,
  path: readonly string[],
  operations: readonly Operation[],
  report: ReportProblem,
): void {
  const { drop, truncate, status, example, body } = answer;
  if (drop !== undefined && truncate !== undefined)
    report([...path, 'drop'], 'and truncate exclude each other');
  if (body !== undefined) {
    if (example !== undefined) report([...path, 'body'], 'and example exclude each other');
    if (NO_CONTENT.has(status) && body !== '')
      report([...path, 'body'], `must be "" or absent: a response with status ${status} has none`);
    return;
  }
  if (example === undefined) return;
  const code = typeof status === 'number' ? status : undefined;
  const refusals = operations.flatMap(
    (operation) => refusePreference(operation, { code, example })?.message ?? [],
  );
  const [first, ...others] = refusals;
  if (first === undefined) return;
  const more = others.length > 0 ? `, nor do ${others.length} other operations` : '';
  report([...path, 'example'], `is not possible: ${first}${more}`);
}

const isStatus = integer(200, 599);

const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/;

/** The server sets these headers itself (RFC 9110 §7.6.1, §8.6). */
const OWN_HEADERS = /^(?:connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

/** The rule's own response headers, by name in the spelling in which they are sent. */
export const readHeaders = readByName(
  '{"Retry-After": "1"}',
  must('a text of Latin-1 without control characters', (value) => {
    const line = typeof value === 'number' ? String(value) : text(value);
    return line !== undefined && isFieldValue(line) ? line : undefined;
  }),
  (name, path, report) => {
    if (!TOKEN.test(name)) report(path, 'must be the name of a header');
    if (OWN_HEADERS.test(name.toLowerCase())) report(path, 'is set by the mock; leave it out');
    return spelled(name);
  },
);

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['etag', 'ETag'],
  ['www-authenticate', 'WWW-Authenticate'],
]);

/** The mock's own spelling, since a name must not be sent in two spellings. */
function spelled(name: string): string {
  const lower = name.toLowerCase();
  return IRREGULAR.get(lower) ?? lower.replace(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());
}

const FLAG = must('true or false', (value) => (typeof value === 'boolean' ? value : undefined));

const ANSWER_MEMBERS: Readonly<Record<keyof AnswerForm, ReadMember>> = {
  status: must(
    'a status from 200 to 599, or a template that gives one',
    (value) => isStatus(value) ?? (isTemplate(text(value) ?? '') ? value : undefined),
  ),
  example: must('the name of an example', text),
  delay: must(`milliseconds up to ${LONGEST_DELAY}, or a range such as "100-500"`, (value) =>
    typeof value === 'number' ? readDelay(String(value)) : readDelay(text(value) ?? ''),
  ),
  drop: must('true, "before", "after" or a number of messages from 1', (value) =>
    value === true ? 'before' : (['before', 'after'].find((one) => one === value) ?? integer(1, 1e9)(value)),
  ),
  truncate: must('true or a number of messages', (value) => (value === true ? true : integer(0, 1e9)(value))),
  body: (value) => value,
  headers: readHeaders,
  template: FLAG,
};

const readAnswer = readObject('an answer', ANSWER_MEMBERS, '{"status": 503, "delay": 100}');

const MOST_ANSWERS = 100;

/** `[503, {"status": 503, "delay": 100}, "pass"]` */
const sequence: ReadMember = (value, path, report) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_ANSWERS) {
    const allowed = `a list of 1 to ${MOST_ANSWERS} answers such as [503, 503, "pass"]`;
    report(path, `must be ${allowed}, not ${shownValue(value)}`);
    return undefined;
  }
  return value.map((item, index) => {
    const inner = [...path, String(index)];
    if (item === 'pass') return item;
    if (typeof item === 'object') return readAnswer(item, inner, report);
    if (isStatus(item) !== undefined) return { status: item };
    report(inner, `must be a status from 200 to 599, "pass" or an object, not ${shownValue(item)}`);
    return undefined;
  });
};

const SOURCES: readonly Source[] = ['real', 'mock', 'auto'];

const MEMBERS: Readonly<Record<keyof RuleForm, ReadMember>> = {
  operation: must('an operationId', text),
  times: must('a whole number from 1', integer(1, 1e9)),
  ...ANSWER_MEMBERS,
  tag: must('a tag', text),
  match,
  sequence,
  source: must('"real", "mock" or "auto"', (value) => SOURCES.find((source) => source === value)),
  // Default values are not stored.
  enabled: (...args) => (FLAG(...args) === false ? false : undefined),
  validate: (...args) => (FLAG(...args) === false ? false : undefined),
};

const readMembers = readObject('a rule', MEMBERS, '{"operation": "ID", "status": 503}');

const EFFECTS: readonly string[] = [
  ...Object.keys(ANSWER_MEMBERS).filter((name) => name !== 'template'),
  'source',
  'sequence',
];
