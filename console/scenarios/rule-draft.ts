import { parseJson, stringifyJson } from '../shell/exact-json.ts';
import type { RuleAnswer, RuleForm, Source, Wanted } from '../shell/rule.ts';
import type { ContractView, LoggedRequest } from '../wire.ts';
import { readPlaces } from './json-place.ts';

/** What a request must have under a name. */
export interface WantedDraft {
  readonly name: string;
  readonly kind: 'is' | 'are' | 'absent';
  /** Of `are`: all values, a line each. */
  readonly value: string;
}

/** What a person enters of one answer. */
export interface AnswerDraft {
  /** Of a step of a sequence: the usual response. */
  readonly isPass: boolean;
  readonly status: string;
  readonly example: string;
  readonly bodyKind: 'usual' | 'json' | 'text';
  readonly body: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Milliseconds, or a range such as 50-150. */
  readonly delay: string;
  /** Empty: it is not. A number: after so many messages. */
  readonly drop: string;
  /** Empty: it is not; `true`, or a number of messages. */
  readonly truncate: string;
  readonly isTemplate: boolean;
}

/** What a person enters of a rule. */
export interface RuleDraft {
  /** Empty: every operation. */
  readonly operation: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly WantedDraft[];
  readonly headers: readonly WantedDraft[];
  /** JSON; empty: whatever the body. */
  readonly body: string;
  readonly times: string;
  readonly isOn: boolean;
  readonly effect: 'answer' | 'sequence' | 'source';
  readonly answer: AnswerDraft;
  readonly sequence: readonly AnswerDraft[];
  readonly source: Source;
}

export const EMPTY_ANSWER: AnswerDraft = {
  isPass: false,
  status: '',
  example: '',
  bodyKind: 'usual',
  body: '',
  headers: [],
  delay: '',
  drop: '',
  truncate: '',
  isTemplate: true,
};

const EMPTY_DRAFT: RuleDraft = {
  operation: '',
  tag: '',
  method: '',
  path: '',
  query: [],
  headers: [],
  body: '',
  times: '',
  isOn: true,
  effect: 'answer',
  answer: EMPTY_ANSWER,
  sequence: [],
  source: 'mock',
};

/** The draft as `POST /__admin/answers` takes it, which says what is wrong with it; its JSON must be readable. */
export function ruleOf(draft: RuleDraft): RuleForm {
  const { operation, tag, method, path, query, headers, body, times, isOn, effect, answer } = draft;
  const match = {
    ...(method !== '' && { method }),
    ...(path.trim() !== '' && { path: path.trim() }),
    ...(query.length > 0 && { query: wantedOf(query) }),
    ...(headers.length > 0 && { headers: wantedOf(headers) }),
    ...(body.trim() !== '' && { body: parseJson(body) }),
  };
  return {
    ...(operation !== '' && { operation }),
    ...(tag.trim() !== '' && { tag: tag.trim() }),
    ...(Object.keys(match).length > 0 && { match }),
    ...(effect === 'answer' && answerOf(answer)),
    ...(effect === 'sequence' && {
      sequence: draft.sequence.map(stepOf),
      ...(answer.delay.trim() !== '' && { delay: numberOr(answer.delay) }),
    }),
    ...(effect === 'source' && { source: draft.source }),
    ...(times.trim() !== '' && { times: numberOr(times) as number }),
    ...(!isOn && { enabled: false }),
  };
}

function wantedOf(rows: readonly WantedDraft[]): Readonly<Record<string, Wanted>> {
  return Object.fromEntries(
    rows.map(({ name, kind, value }) => {
      if (kind === 'absent') return [name, null];
      return [name, kind === 'are' ? value.split('\n') : value];
    }),
  );
}

function answerOf(draft: AnswerDraft): RuleAnswer {
  const { status, example, bodyKind, body, headers, delay, drop, truncate, isTemplate } = draft;
  return {
    ...(status.trim() !== '' && { status: numberOr(status) }),
    ...(example.trim() !== '' && { example: example.trim() }),
    ...(bodyKind === 'json' && { body: parseJson(body) }),
    ...(bodyKind === 'text' && { body }),
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    }),
    ...(delay.trim() !== '' && { delay: numberOr(delay) }),
    ...(drop !== '' && { drop: numberOr(drop) as RuleAnswer['drop'] & {} }),
    ...(truncate !== '' && { truncate: truncate === 'true' || (numberOr(truncate) as number) }),
    ...(!isTemplate && { template: false }),
  };
}

function stepOf(draft: AnswerDraft): number | RuleAnswer | 'pass' {
  if (draft.isPass) return 'pass';
  const answer = answerOf(draft);
  return typeof answer.status === 'number' && Object.keys(answer).length === 1 ? answer.status : answer;
}

function numberOr(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text.trim();
}

/** The draft that a rule was made from, or could have been. */
export function draftOf(rule: RuleForm): RuleDraft {
  const { operation = '', tag = '', match = {}, times, sequence, source, enabled = true, ...answer } = rule;
  const effect = source !== undefined ? 'source' : sequence ? 'sequence' : 'answer';
  return {
    operation,
    tag,
    method: match.method ?? '',
    path: match.path ?? '',
    query: wantedDrafts(match.query),
    headers: wantedDrafts(match.headers),
    body: 'body' in match ? stringifyJson(match.body, 2) : '',
    times: times === undefined ? '' : String(times),
    isOn: enabled,
    effect,
    answer: answerDraft(answer),
    sequence: (sequence ?? []).map(stepDraft),
    source: source ?? 'mock',
  };
}

function wantedDrafts(wanted: Readonly<Record<string, Wanted>> = {}): readonly WantedDraft[] {
  return Object.entries(wanted).map(([name, value]) => {
    if (value === null) return { name, kind: 'absent', value: '' };
    return Array.isArray(value)
      ? { name, kind: 'are', value: value.join('\n') }
      : { name, kind: 'is', value: String(value) };
  });
}

function stepDraft(step: number | RuleAnswer | 'pass'): AnswerDraft {
  if (step === 'pass') return { ...EMPTY_ANSWER, isPass: true };
  return answerDraft(typeof step === 'number' ? { status: step } : step);
}

function answerDraft(answer: RuleAnswer): AnswerDraft {
  const { status, example = '', body, headers = {}, delay, drop, truncate, template } = answer;
  return {
    ...EMPTY_ANSWER,
    status: status === undefined ? '' : String(status),
    example,
    ...(body !== undefined && bodyDraft(body)),
    headers: Object.entries(headers).map(([name, value]) => ({ name, value: String(value) })),
    delay: delay === undefined ? '' : String(delay),
    drop: drop === undefined ? '' : drop === true ? 'before' : String(drop),
    truncate: truncate === undefined ? '' : String(truncate),
    isTemplate: template !== false,
  };
}

/** As JSON, unless it is a text. */
export function bodyDraft(body: unknown): Pick<AnswerDraft, 'bodyKind' | 'body'> {
  if (typeof body === 'string') return { bodyKind: 'text', body };
  return { bodyKind: 'json', body: stringifyJson(body, 2) };
}

export interface DraftProblem {
  /** The member of the rule: `match.body`, `sequence.0.body`. */
  readonly where: string;
  readonly message: string;
}

/** What keeps a draft from being a rule before the mock is asked: JSON that is none, names that are missing or said twice. */
export function draftProblems(draft: RuleDraft): readonly DraftProblem[] {
  const { body, query, headers, effect, answer, sequence } = draft;
  const answers: readonly (readonly [string, AnswerDraft])[] =
    effect === 'answer'
      ? [['', answer]]
      : effect === 'sequence'
        ? sequence.map((step, index) => [`sequence.${index}.`, step] as const)
        : [];
  return [
    ...(body.trim() === '' ? [] : jsonProblems('match.body', body)),
    ...nameProblems('match.query', query),
    ...nameProblems('match.headers', headers),
    ...answers.flatMap(([place, one]) => [
      ...(one.bodyKind === 'json' && !one.isPass ? jsonProblems(`${place}body`, one.body) : []),
      ...nameProblems(`${place}headers`, one.headers),
    ]),
  ];
}

function jsonProblems(where: string, text: string): readonly DraftProblem[] {
  const read = readPlaces(text);
  if (!('error' in read)) return [];
  const { line, column, message } = read.error;
  return [{ where, message: `is no JSON: line ${line}, column ${column}: ${message}` }];
}

function nameProblems(where: string, rows: readonly { readonly name: string }[]): readonly DraftProblem[] {
  const names = rows.map(({ name }) => name.trim());
  if (names.includes('')) return [{ where, message: 'needs a name in each row' }];
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return twice === undefined ? [] : [{ where, message: `names ${twice} twice` }];
}

/** A draft for requests like one that was seen; without one, for any. */
export function draftFor(seen: LoggedRequest | undefined, served: ContractView | undefined): RuleDraft {
  const operation = served?.operations.find(({ id }) => id === seen?.operation);
  if (!seen || !served || !operation) return EMPTY_DRAFT;
  const [target = '', search = ''] = seen.target.split('?');
  // What precedes it is a base path.
  const path = `/${target
    .split('/')
    .slice(1 - operation.path.split('/').length)
    .join('/')}`;
  const query = [...new URLSearchParams(search)].filter(([name], index, all) => {
    // A secret is not shown, and would match nothing.
    const isFirst = all.findIndex(([other]) => other === name) === index;
    return isFirst && !operation.security.some((one) => one.in === 'query' && one.name === name);
  });
  return {
    ...EMPTY_DRAFT,
    operation: operation.id,
    // Of a path with parameters the operation alone would mean every record.
    path: path === operation.path ? '' : path,
    query: query.map(([name, value]) => ({ name, kind: 'is', value })),
    answer: { ...EMPTY_ANSWER, status: '503' },
  };
}
