import { parseJson, stringifyJson } from '../shell/exact-json.ts';
import type { RuleAnswer, RuleForm, Source, Wanted } from '../shell/rule.ts';
import type { ContractView, LoggedRequest } from '../wire.ts';
import { readPlaces } from './json-place.ts';

type Texts<Member extends string> = Readonly<Record<Member, string>>;

/** What a person enters of one answer; headers are lines such as `Retry-After: 1`. */
export interface AnswerDraft
  extends Texts<'status' | 'example' | 'body' | 'headers' | 'delay' | 'drop' | 'truncate'> {
  /** Of a step of a sequence: the normal response. */
  readonly isPass: boolean;
  readonly bodyKind: 'usual' | 'json' | 'text';
  readonly isTemplate: boolean;
}

/** What a person enters of a rule: `query` and `headers` as lines (`status: sold`; `!status`: none), `body` as JSON. */
export interface RuleDraft
  extends Texts<'operation' | 'tag' | 'method' | 'path' | 'query' | 'headers' | 'body' | 'times'> {
  readonly isOn: boolean;
  readonly effect: 'answer' | 'sequence' | 'source';
  readonly answer: AnswerDraft;
  readonly sequence: readonly AnswerDraft[];
  readonly source: Source;
}

export const EMPTY_ANSWER: AnswerDraft = {
  ...{ status: '', example: '', body: '', headers: '', delay: '', drop: '', truncate: '' },
  ...{ isPass: false, bodyKind: 'usual', isTemplate: true },
};

const EMPTY_DRAFT: RuleDraft = {
  ...{ operation: '', tag: '', method: '', path: '', query: '', headers: '', body: '', times: '' },
  ...{ isOn: true, effect: 'answer', answer: EMPTY_ANSWER, sequence: [], source: 'mock' },
};

type Members = Readonly<Record<string, unknown>>;

/** The texts that are not empty, each as a number where it is one. */
function entered(texts: Readonly<Record<string, string>>): Members {
  const members = Object.entries(texts).map(([name, text]) => [name, text.trim()] as const);
  return Object.fromEntries(
    members.flatMap(([name, text]) => (text === '' ? [] : [[name, numberOr(text)] as const])),
  );
}

const numberOr = (text: string) => (/^\d+$/.test(text) ? Number(text) : text);

/** The draft as `POST /__admin/answers` takes it, which says what is wrong with it; its JSON must be readable. */
export function ruleOf(draft: RuleDraft): RuleForm {
  const { operation, tag, method, path, query, headers, body, times, isOn, effect, answer } = draft;
  const match = {
    ...entered({ method, path }),
    ...(query.trim() !== '' && { query: readLines(query) }),
    ...(headers.trim() !== '' && { headers: readLines(headers) }),
    ...(body.trim() !== '' && { body: parseJson(body) }),
  };
  return {
    ...entered({ operation, tag }),
    ...(Object.keys(match).length > 0 && { match }),
    ...(effect === 'answer' && answerOf(answer)),
    ...(effect === 'sequence' && {
      sequence: draft.sequence.map(stepOf),
      ...entered({ delay: answer.delay }),
    }),
    ...(effect === 'source' && { source: draft.source }),
    ...entered({ times }),
    ...(!isOn && { enabled: false }),
  };
}

function answerOf({
  bodyKind,
  body,
  headers,
  truncate,
  isTemplate,
  isPass: _,
  ...texts
}: AnswerDraft): RuleAnswer {
  return {
    ...entered({ ...texts, truncate }),
    ...(truncate === 'true' && { truncate: true }),
    ...(bodyKind === 'json' && { body: parseJson(body) }),
    ...(bodyKind === 'text' && { body }),
    ...(headers.trim() !== '' && { headers: readLines(headers) as Readonly<Record<string, string>> }),
    ...(!isTemplate && { template: false }),
  };
}

function stepOf(draft: AnswerDraft): number | RuleAnswer | 'pass' {
  if (draft.isPass) return 'pass';
  const answer = answerOf(draft);
  return typeof answer.status === 'number' && Object.keys(answer).length === 1 ? answer.status : answer;
}

/** `name: value` in each line; several of a name are a list, and `!name` is null. */
function readLines(text: string): Readonly<Record<string, Wanted>> {
  const read: Record<string, Wanted> = {};
  for (const [name, value] of pairsIn(text)) {
    const before = Object.hasOwn(read, name) ? read[name] : undefined;
    read[name] = value === null || before === undefined ? value : ([before, value].flat() as string[]);
  }
  return read;
}

function pairsIn(text: string): (readonly [name: string, value: string | null])[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    if (line.startsWith('!')) return [line.slice(1).trim(), null];
    const [name = '', ...rest] = line.split(':');
    return [rest.length === 0 ? '' : name.trim(), rest.join(':').replace(/^ /, '')];
  });
}

function linesOf(wanted: Readonly<Record<string, Wanted>> = {}): string {
  return Object.entries(wanted)
    .flatMap(([name, value]) =>
      value === null ? [`!${name}`] : [value].flat().map((one) => `${name}: ${one}`),
    )
    .join('\n');
}

const textsOf = (members: Members) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)]));

/** The draft that a rule was made from, or could have been. */
export function draftOf(rule: RuleForm): RuleDraft {
  const { operation, tag, match = {}, times, sequence, source, enabled = true, ...answer } = rule;
  const { query, headers, body, ...place } = match;
  const given = { operation, tag, times, ...place };
  return {
    ...EMPTY_DRAFT,
    ...textsOf(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))),
    query: linesOf(query),
    headers: linesOf(headers),
    body: 'body' in match ? stringifyJson(body, 2) : '',
    isOn: enabled,
    effect: source !== undefined ? 'source' : sequence ? 'sequence' : 'answer',
    answer: answerDraft(answer),
    sequence: (sequence ?? []).map((step) =>
      step === 'pass'
        ? { ...EMPTY_ANSWER, isPass: true }
        : answerDraft(typeof step === 'number' ? { status: step } : step),
    ),
    source: source ?? 'mock',
  };
}

function answerDraft({ body, headers, template, drop, ...texts }: RuleAnswer): AnswerDraft {
  return {
    ...EMPTY_ANSWER,
    ...textsOf(texts),
    ...(drop !== undefined && { drop: drop === true ? 'before' : String(drop) }),
    ...(body !== undefined && bodyDraft(body)),
    headers: linesOf(headers),
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

/** What keeps a draft from being a rule before the mock is asked: JSON that is none, lines without a name. */
export function draftProblems(draft: RuleDraft): readonly DraftProblem[] {
  const { body, query, headers, effect, answer, sequence } = draft;
  const steps = sequence.map((step, index) => [`sequence.${index}.`, step] as const);
  const answers = { answer: [['', answer] as const], sequence: steps, source: [] }[effect];
  return [
    ...(body.trim() === '' ? [] : jsonProblems('match.body', body)),
    ...lineProblems('match.query', query),
    ...lineProblems('match.headers', headers),
    ...answers.flatMap(([place, one]) => [
      ...(one.bodyKind === 'json' && !one.isPass ? jsonProblems(`${place}body`, one.body) : []),
      ...lineProblems(`${place}headers`, one.headers),
    ]),
  ];
}

function jsonProblems(where: string, text: string): readonly DraftProblem[] {
  const read = readPlaces(text);
  if (!('error' in read)) return [];
  const { line, column, message } = read.error;
  return [{ where, message: `is no JSON: line ${line}, column ${column}: ${message}` }];
}

function lineProblems(where: string, text: string): readonly DraftProblem[] {
  const isWrong = pairsIn(text).some(([name]) => name === '');
  return isWrong ? [{ where, message: 'needs "name: value" in each line' }] : [];
}

/** A draft for requests like one that was seen; without one, for any. */
export function draftFor(seen: LoggedRequest | undefined, served: ContractView | undefined): RuleDraft {
  const operation = served?.operations.find(({ id }) => id === seen?.operation);
  if (!seen || !operation) return EMPTY_DRAFT;
  const [target = '', search = ''] = seen.target.split('?');
  // What precedes it is a base path.
  const steps = target.split('/').slice(1 - operation.path.split('/').length);
  const path = `/${steps.join('/')}`;
  // A secret is not shown, and would match nothing.
  const isShown = (name: string) =>
    !operation.security.some((one) => one.in === 'query' && one.name === name);
  return {
    ...EMPTY_DRAFT,
    operation: operation.id,
    // Of a path with parameters the operation alone would mean every record.
    path: path === operation.path ? '' : path,
    query: linesOf(
      Object.fromEntries([...new URLSearchParams(search)].reverse().filter(([name]) => isShown(name))),
    ),
    answer: { ...EMPTY_ANSWER, status: '503' },
  };
}
