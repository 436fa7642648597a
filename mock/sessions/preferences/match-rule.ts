import {
  isEqual,
  isRecord,
  type Operation,
  ownEntry,
  pathForm,
  percentDecode,
  type ReadRequest,
} from '#spec';
import type { MockRequest } from '../../http/exchange.ts';
import type { Match, Rule, Wanted } from './rule.ts';

/** A valid request of an operation. */
export interface RuledRequest {
  readonly operation: Operation;
  readonly request: MockRequest;
  readonly values: ReadRequest;
}

/** Whether a rule is for a request. */
export function matchesRule(rule: Rule, ruled: RuledRequest): boolean {
  return isForOperation(rule, ruled.operation) && (!rule.match || matches(rule.match, ruled));
}

/** Whether a rule is for some requests of an operation, as far as these two tell. */
export function isForOperation(
  { operation: id, tag }: Pick<Rule, 'operation' | 'tag'>,
  operation: Operation,
): boolean {
  return (id === undefined || id === operation.id) && (tag === undefined || operation.tags.includes(tag));
}

function matches(match: Match, { operation, request, values }: RuledRequest): boolean {
  const { method, path, query, headers } = match;
  if (method !== undefined && method !== operation.method) return false;
  if (path !== undefined && !isAtPath(path, operation, request)) return false;
  if (query && !hasAll(query, textsIn(request))) return false;
  if (headers && !hasAll(headers, (name) => [ownEntry(request.headers, name) ?? []].flat())) return false;
  return !('body' in match) || contains(values.body, match.body);
}

/** As long as the operation's path: what precedes it is the base path. */
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

/** Whether some request of an operation can be at a path. */
export function canBeAtPath(path: string, operation: Operation): boolean {
  const [wanted, documented] = [segmentsOf(path), segmentsOf(operation.path)];
  return (
    wanted.length === documented.length &&
    wanted.every((segment, index) => {
      const own = documented[index] ?? '';
      if (segment.includes('{')) return pathForm(segment) === pathForm(own);
      return own.includes('{')
        ? fitsTemplate(percentDecode(segment), own)
        : percentDecode(segment) === percentDecode(own);
    })
  );
}

const segmentsOf = (path: string) => path.split('/').slice(1);

function fitsTemplate(segment: string, template: string): boolean {
  const [start = '', ...others] = pathForm(template).split('{}');
  const end = others.at(-1) ?? '';
  return segment.length > start.length + end.length && segment.startsWith(start) && segment.endsWith(end);
}

function textsIn({ query }: MockRequest): (name: string) => readonly string[] {
  const parameters = new URLSearchParams(query);
  return (name) => parameters.getAll(name);
}

function hasAll(
  wanted: Readonly<Record<string, Wanted>>,
  find: (name: string) => readonly string[],
): boolean {
  return Object.entries(wanted).every(([name, want]) => {
    const texts = find(name);
    if (want === null) return texts.length === 0;
    return typeof want === 'string' ? texts.includes(want) : isEqual(texts, want);
  });
}

/** Of objects the members that are wanted count, at every depth. */
function contains(value: unknown, wanted: unknown): boolean {
  if (!isRecord(wanted)) return isEqual(value, wanted);
  if (!isRecord(value)) return false;
  return Object.entries(wanted).every(
    ([name, inner]) => Object.hasOwn(value, name) && contains(value[name], inner),
  );
}
