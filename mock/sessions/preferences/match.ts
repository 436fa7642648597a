import {
  isEqual,
  isRecord,
  isSecretHeader,
  isSecretName,
  longestFirst,
  type Operation,
  ownEntry,
  pathForm,
  percentDecode,
  type ReadRequest,
  someOf,
} from '#spec';
import type { MockRequest } from '../../http/exchange.ts';
import { shownValue } from '../../http/refusal.ts';
import { must, type ReadMember, type ReportProblem, readByName, readObject, text } from './read-members.ts';
import type { Match, MatchForm, Rule, Wanted } from './rules.ts';

/** A valid request of an operation. */
export interface RuledRequest {
  readonly operation: Operation;
  readonly request: MockRequest;
  readonly values: ReadRequest;
}

/** Whether a rule applies to a request. */
export function matchesRule(rule: Rule, ruled: RuledRequest): boolean {
  for (const { holds } of compared(rule, ruled)) if (!holds) return false;
  return true;
}

/** Whether operation and tag of a rule select an operation. */
export function isForOperation(
  { operation: id, tag }: Pick<Rule, 'operation' | 'tag'>,
  operation: Operation,
): boolean {
  return (id === undefined || id === operation.id) && (tag === undefined || operation.tags.includes(tag));
}

/** One condition of a rule. */
export interface Condition {
  readonly of: 'operation' | 'tag' | 'method' | 'path' | 'query' | 'headers' | 'body';
  /** `query.status = "sold"` */
  readonly text: string;
  /** The request's actual value. Undefined: the condition holds. */
  readonly but: string | undefined;
}

/** A rule's conditions, compared with a request; none: it applies to every request. */
export function conditionsOf(rule: Rule, ruled: RuledRequest): Condition[] {
  return [...compared(rule, ruled)].map(({ of, holds, say }) => {
    const [text, but] = say();
    return { of, text, but: holds ? undefined : but };
  });
}

/** A condition whose text is only made on demand. */
interface Compared extends Pick<Condition, 'of'> {
  readonly holds: boolean;
  readonly say: () => readonly [text: string, but: string];
}

function* compared({ operation: id, tag, match = {} }: Rule, ruled: RuledRequest): Generator<Compared> {
  const { operation, request, values } = ruled;
  const { method, path, query, headers } = match;
  if (id !== undefined) {
    const say = () => [`operation ${id}`, `it is for ${id}, not ${operation.id}`] as const;
    yield { of: 'operation', holds: id === operation.id, say };
  }
  if (tag !== undefined) {
    const say = () => [`tag ${tag}`, `${operation.id} has no tag ${tag}`] as const;
    yield { of: 'tag', holds: operation.tags.includes(tag), say };
  }
  if (method !== undefined) {
    const say = () => [`method ${method}`, `it is for ${method}`] as const;
    yield { of: 'method', holds: method === operation.method, say };
  }
  if (path !== undefined) {
    const say = () => [`path ${path}`, `it is for the path ${path}`] as const;
    yield { of: 'path', holds: isAtPath(path, operation, request), say };
  }
  if (query) {
    const parameters = new URLSearchParams(request.query);
    yield* comparedTexts('query', query, (name) => parameters.getAll(name), isSecretName);
  }
  const lines = (name: string) => [ownEntry(request.headers, name) ?? []].flat();
  if (headers) yield* comparedTexts('headers', headers, lines, isSecretHeader);
  if ('body' in match) yield* comparedBody('body', match.body, values.body);
}

function* comparedTexts(
  of: 'query' | 'headers',
  wanted: Readonly<Record<string, Wanted>>,
  textsOf: (name: string) => readonly string[],
  isSecret: (name: string) => boolean,
): Generator<Compared> {
  for (const [name, want] of Object.entries(wanted)) {
    const texts = textsOf(name);
    const say = () => wantedText(`${of}.${name}`, want, texts, isSecret(name));
    yield { of, holds: hasTexts(texts, want), say };
  }
}

function hasTexts(texts: readonly string[], want: Wanted): boolean {
  if (want === null) return texts.length === 0;
  return typeof want === 'string' ? texts.includes(want) : isEqual(texts, want);
}

/** A condition for each required member of the body, at every depth. */
function* comparedBody(where: string, wanted: unknown, value: unknown): Generator<Compared> {
  if (isRecord(wanted) && Object.keys(wanted).length > 0) {
    const object = isRecord(value) ? value : {};
    for (const [name, inner] of Object.entries(wanted))
      yield* comparedBody(`${where}.${name}`, inner, ownEntry(object, name));
    return;
  }
  const say = () => {
    const had = value === undefined ? 'is missing' : `is ${shownValue(value)}`;
    return [`${where} = ${shownValue(wanted)}`, `${where} ${had}, not ${shownValue(wanted)}`] as const;
  };
  yield { of: 'body', holds: isRecord(wanted) ? isRecord(value) : isEqual(value, wanted), say };
}

function wantedText(where: string, want: Wanted, texts: readonly string[], isSecret: boolean) {
  if (want === null) return [`no ${where}`, `${where} is there`] as const;
  if (isSecret) return [`${where} as it says`, `${where} is another one`] as const;
  const wanted = shownValue(want);
  const had = texts.length === 0 ? 'is missing' : `is ${shownValue(texts.length === 1 ? texts[0] : texts)}`;
  return [`${where} = ${wanted}`, `${where} ${had}, not ${wanted}`] as const;
}

/** Compares the last segments, as many as the operation's path has; those before are the base path. */
function isAtPath(path: string, operation: Operation, request: MockRequest): boolean {
  const [wanted, documented] = [segmentsOf(path), segmentsOf(operation.path)];
  if (wanted.length !== documented.length) return false;
  const sent = segmentsOf(request.path).slice(-documented.length);
  return wanted.every((segment, index) =>
    segment.includes('{')
      ? pathForm(segment) === pathForm(documented[index] ?? '')
      : percentDecode(segment) === percentDecode(sent[index] ?? ''),
  );
}

/** Whether a request of some operation can have the path. */
export function canBeAtPath(path: string, operation: Operation): boolean {
  const [wanted, documented] = [segmentsOf(path), segmentsOf(operation.path)];
  return (
    wanted.length === documented.length &&
    wanted.every((segment, index) => {
      const template = documented[index] ?? '';
      if (segment.includes('{')) return pathForm(segment) === pathForm(template);
      return template.includes('{')
        ? fitsTemplate(percentDecode(segment), template)
        : percentDecode(segment) === percentDecode(template);
    })
  );
}

const segmentsOf = (path: string) => path.split('/').slice(1);

function fitsTemplate(segment: string, template: string): boolean {
  const [start = '', ...others] = pathForm(template).split('{}');
  const end = others.at(-1) ?? '';
  return segment.length > start.length + end.length && segment.startsWith(start) && segment.endsWith(end);
}

const scalar = (value: unknown) =>
  ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : undefined;

const wanted = must('a text, a list of texts, or null for "none"', (value) => {
  if (value === null) return null;
  if (!Array.isArray(value)) return scalar(value);
  const texts = value.map(scalar);
  return texts.length > 0 && texts.every((one) => one !== undefined) ? texts : undefined;
});

const MEMBERS: Readonly<Record<keyof MatchForm, ReadMember>> = {
  method: must('a method such as "POST"', (value) => text(value)?.toUpperCase()),
  path: must('a path such as "/things/{id}" or "/things/7", without a query (see "query")', (value) =>
    /^\/[^?#]*$/.test(text(value) ?? '') ? value : undefined,
  ),
  query: readByName('{"status": "sold"}', wanted),
  headers: readByName('{"X-Tenant": "a"}', wanted, (name) => name.toLowerCase()),
  body: (value) => value,
};

const readMembers = readObject('match', MEMBERS, '{"method": "POST", "path": "/things"}');

export const match: ReadMember = (value, path, report) => {
  const read = readMembers(value, path, report);
  if (read && Object.keys(value as object).length === 0)
    report(path, `must have a member; there are ${Object.keys(MEMBERS).join(', ')}`);
  return read;
};

/** The operations that can match, and the match with the document's form of the path. */
export function resolveMatch(
  { method, path, ...others }: Match,
  operations: readonly Operation[],
  report: ReportProblem,
): { readonly match: Match; readonly operations: readonly Operation[] } {
  const withMethod = operations.filter((operation) => method === undefined || operation.method === method);
  if (withMethod.length === 0)
    report(['match', 'method'], `must be one of these operations' methods: ${listOf(operations, 'method')}`);
  const route = path === undefined ? undefined : findPath(path, withMethod);
  if (path !== undefined && route === undefined && withMethod.length > 0) {
    const paths = listOf(withMethod, 'path');
    report(['match', 'path'], `must be the path of an operation or of a request of it; there are ${paths}`);
  }
  const matching = route?.operations ?? (path === undefined ? withMethod : []);
  const at = route && { path: route.path };
  return { match: { ...others, ...(method !== undefined && { method }), ...at }, operations: matching };
}

/** With and without a base path: requests have one, the document does not. */
function findPath(path: string, operations: readonly Operation[]) {
  const bases = new Set(operations.flatMap(({ basePaths }) => basePaths));
  for (const base of new Set(['', ...longestFirst(bases)])) {
    const rest = path.slice(base.length);
    if (!path.startsWith(`${base}/`)) continue;
    const matching = operations.filter(
      (operation) => (base === '' || operation.basePaths.includes(base)) && canBeAtPath(rest, operation),
    );
    const fixed = matching.filter((operation) => !operation.path.includes('{'));
    // Concrete paths take precedence over templated ones (OpenAPI 3.1 §4.8.8.2).
    if (matching.length > 0) return { path: rest, operations: fixed.length > 0 ? fixed : matching };
  }
  return undefined;
}

const MOST_NAMED = 20;

/** The possible values, without repetition. */
export function listOf(operations: readonly Operation[], member: 'id' | 'method' | 'path'): string {
  return named(operations.map((operation) => operation[member]));
}

export function named(texts: readonly string[]): string {
  return someOf([...new Set(texts)], MOST_NAMED) || 'none';
}
