import { curlCode } from '../code/request-code.ts';
import { scriptValue } from '../code/script-value.ts';
import { stringifyJson } from '../shell/exact-json.ts';
import { count, inBrief } from '../shell/words.ts';
import type { AnswerForm, MatchForm, OperationView, RuleForm, RuleView, Source } from '../wire.ts';

/** A rule as code for tests. */
export function ruleCode(rule: RuleForm): string {
  return `mock.addRule(${scriptValue(rule)});`;
}

/** A seed file with the rules: JSON is YAML, too. */
export function ruleYaml(rules: readonly RuleForm[]): string {
  return `rules:\n${rules.map((rule) => `  - ${stringifyJson(rule)}\n`).join('')}`;
}

/** A command that adds the rule; `url` is the endpoint. */
export function ruleCurl(rule: RuleForm, url: string, needsToken: boolean): string {
  const headers = [
    ...(needsToken ? [['Authorization', 'Bearer $PADDOCK_ADMIN_TOKEN'] as const] : []),
    ['Content-Type', 'application/json'] as const,
  ];
  return curlCode({ method: 'POST', url, headers, cookies: [], body: stringifyJson(rule) });
}

/** The requests of a rule: `GET /pets with query status=sold`. */
export function requestsOf(
  { operation, tag, match = {} }: RuleForm,
  operations: readonly OperationView[] = [],
): string {
  const named = operations.find(({ id }) => id === operation);
  const method = match.method ?? named?.method;
  const path = match.path ?? named?.path;
  const target = [method, path].filter(Boolean).join(' ');
  const start = target || operation || 'Every request';
  const having = [
    ...(tag === undefined ? [] : [`tag ${tag}`]),
    ...pairs('query', match.query),
    ...pairs('header', match.headers),
    ...('body' in match ? [`body ${inBrief(stringifyJson(match.body), MOST)}`] : []),
  ];
  return having.length === 0 ? start : `${start} with ${having.join(' and ')}`;
}

function pairs(what: string, wanted: NonNullable<MatchForm['query']> = {}): string[] {
  return Object.entries(wanted).map(([name, value]) =>
    value === null ? `no ${what} ${name}` : `${what} ${name}=${[value].flat().join(',')}`,
  );
}

/** The effect of a rule: `answers 503, twice, then the normal response`. */
export function effectOf(rule: RuleForm): string {
  const { sequence, delay, source, times } = rule;
  if (source !== undefined) return `is answered by ${SOURCE_TEXTS[source]}`;
  const waits = delay === undefined ? '' : `waits ${delay} ms, `;
  if (sequence) return `${waits}answers ${sequenceText(sequence)}${timesText(times)}`;
  return `${answerText(rule)}${timesText(times)}${times === undefined ? '' : ', then the normal response'}`;
}

/** Counts equal consecutive steps. */
function sequenceText(steps: NonNullable<RuleForm['sequence']>): string {
  const runs: { text: string; count: number }[] = [];
  for (const step of steps) {
    const text = stepText(step);
    const last = runs.at(-1);
    if (last?.text === text) last.count++;
    else runs.push({ text, count: 1 });
  }
  return runs
    .map(({ text, count }, index) => {
      const isLast = index === runs.length - 1;
      return `${text}${count > 1 && !isLast ? ` ${COUNTS[count] ?? `${count} times`}` : ''}`;
    })
    .join(', then ');
}

function stepText(step: number | AnswerForm | 'pass'): string {
  if (step === 'pass') return 'as usual';
  if (typeof step === 'number') return String(step);
  return (
    parts(step)
      .join(' ')
      .replace(/^answers /, '') || 'as usual'
  );
}

function answerText(answer: AnswerForm): string {
  return parts(answer).join(', ') || 'answers as usual';
}

function parts({ status, example, body, headers, delay, drop, truncate }: AnswerForm): string[] {
  const what = [
    status === undefined ? '' : String(status),
    example === undefined ? '' : `with the example ${example}`,
    body === undefined
      ? ''
      : `with the body ${inBrief(typeof body === 'string' ? body : stringifyJson(body), MOST)}`,
    headers === undefined ? '' : `with ${Object.keys(headers).join(' and ')}`,
  ].filter(Boolean);
  return [
    delay === undefined ? '' : `waits ${delay} ms`,
    what.length > 0 ? `answers ${what.join(' ')}` : '',
    drop === undefined ? '' : `drops the connection${dropText(drop)}`,
    truncate === undefined
      ? ''
      : `truncates the response${typeof truncate === 'number' ? ` after ${truncate} messages` : ''}`,
  ].filter(Boolean);
}

function dropText(drop: NonNullable<AnswerForm['drop']>): string {
  if (typeof drop === 'number') return ` after ${drop} messages`;
  return drop === 'after' ? ' after the operation' : '';
}

const COUNTS: Readonly<Record<number, string>> = { 1: 'once', 2: 'twice' };

function timesText(times: number | undefined): string {
  return times === undefined ? '' : `, ${COUNTS[times] ?? `${times} times`}`;
}

export const SOURCE_TEXTS: Readonly<Record<Source, string>> = {
  auto: 'upstream, or the mock where that lacks the operation',
  real: 'the upstream alone',
  mock: 'the mock alone',
};

export function usageOf({ used, times }: RuleView): string {
  if (times === undefined) return `used ${count(used, 'time')}`;
  return `used ${used} of ${count(times, 'time')}${used >= times ? ', done' : ''}`;
}

/** In characters: the shown part of a body. */
const MOST = 60;
