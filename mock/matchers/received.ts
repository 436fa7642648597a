import { isEqual, isRecord, nameHint, parseJson } from '#spec';
import { type LoggedRequest, REDACTED } from '../control/logged-request.ts';
import type { MockSession } from '../mock.ts';

/**
 * Types of the document for the matchers, declared by a project: `declare module 'openapi-paddock/matchers' { interface
 * DocumentTypes { operations: operations } }`, with the `operations` that openapi-typescript generates.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is declared further by whoever has types
export interface DocumentTypes {}

/** The name of an operation: any, unless a project has declared {@link DocumentTypes}. */
export type ReceivedOperation = DocumentTypes extends { operations: infer O } ? keyof O & string : string;

/** The part of a mock, or session, that matchers need. */
export type Receiver = Pick<MockSession, 'requests'> & {
  readonly operations?: readonly { readonly id: string }[];
};

/** Whether a mock has received the expected request, with a message. */
export interface Received {
  readonly pass: boolean;
  /** For a failure, with the nearest request; for a success, the message of a negated matcher. */
  readonly message: () => string;
}

/** @throws RangeError if the document has no such operation, and for an unknown member */
function received(mock: Receiver, operation: string, expected: ExpectedRequest = {}): Received {
  const requests = mock.requests();
  const candidates = requests.filter((request) => request.operation === operation);
  const ids = mock.operations?.map(({ id }) => id);
  if (ids && !ids.includes(operation)) throw new RangeError(unknown(operation, ids));
  for (const name of Object.keys(expected)) if (!isMember(name)) throw new RangeError(unknownMember(name));
  const judged = candidates.map((request) => ({ request, mismatches: differences(request, expected) }));
  const fitting = judged.filter(({ mismatches }) => mismatches.length === 0);
  const { times } = expected;
  const pass = times === undefined ? fitting.length > 0 : fitting.length === times;
  const message = () => {
    const count = times === undefined ? '' : ` ${timesOf(times)}`;
    const [first] = fitting;
    if (pass && first)
      return `expected not to receive ${operation}${count}, and received ${lineOf(first.request)}`;
    if (pass) return `expected to receive ${operation} other than${count}`;
    const title = `expected to receive ${operation}${count}`;
    if (fitting.length > 0)
      return [
        `${title}, and received it ${timesOf(fitting.length)}:`,
        ...fitting.map(({ request }) => lineOf(request)),
      ].join('\n  ');
    const [near] = judged.toSorted((left, right) => left.mismatches.length - right.mismatches.length);
    if (!near) return `${title}, and received ${summaryOf(requests)}`;
    const lines = near.mismatches.map(showDifference);
    return [`${title}; the nearest of ${judged.length} is ${lineOf(near.request)}, where`, ...lines].join(
      '\n  ',
    );
  };
  return { pass, message };
}

/**
 * Requires that a mock, or one of its sessions, has received a request.
 * @throws Error with the nearest request and the differences; RangeError if the document has no such operation
 * @example
 * ```ts
 * assertReceived(mock, 'createPet', { body: { name: 'Rex' }, times: 1 });
 * ```
 */
export function assertReceived(
  mock: Receiver,
  operation: ReceivedOperation,
  expected: ExpectedRequest = {},
): void {
  const { pass, message } = received(mock, operation, expected);
  if (!pass) throw new Error(message());
}

/** The matcher for `expect.extend` of Jest, and of runners with the same form of matchers. */
export function toHaveReceived(mock: Receiver, operation: string, expected?: ExpectedRequest): Received {
  return received(mock, operation, expected);
}

const MEMBERS: Readonly<Record<keyof ExpectedRequest, true>> = {
  path: true,
  query: true,
  headers: true,
  body: true,
  times: true,
};
const isMember = (name: string) => Object.hasOwn(MEMBERS, name);

function unknownMember(name: string): string {
  return `no request is expected by ${JSON.stringify(name)}; ${nameHint(name, Object.keys(MEMBERS))}`;
}

function unknown(operation: string, ids: readonly string[]): string {
  return `the document has no operation ${JSON.stringify(operation)}; ${nameHint(operation, ids)}`;
}

const timesOf = (count: number) => (count === 1 ? 'once' : `${count} times`);

function lineOf({ number, method, target, status, message }: LoggedRequest): string {
  return `#${number} ${method} ${target} (${status}${message === undefined ? '' : `: ${message}`})`;
}

function showDifference({ member, expected, received: value }: Difference): string {
  return `${member} is ${value}, not ${expected}`;
}

function summaryOf(requests: readonly LoggedRequest[]): string {
  if (requests.length === 0) return 'no request';
  const counts = [...Map.groupBy(requests, ({ operation }) => operation ?? 'unknown paths')];
  return `only ${counts.map(([name, all]) => `${name} (${all.length})`).join(', ')}`;
}

/** The expected parts of a request. A value may be a matcher such as `expect.any(String)`, or a regular expression. */
export interface ExpectedRequest {
  /** The end of the path: `/pets/7`. */
  readonly path?: string | undefined;
  /** Parameters by name, compared as text; others are ignored. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** By name in any case; others are ignored. Credentials appear as `***`. */
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The value of a JSON body or form, else the text. Objects may have further members, lists may not have further items.
   * Secret members, such as a password, appear as `***`, and match any value.
   */
  readonly body?: unknown;
  /** The number of such requests. Default: at least one. */
  readonly times?: number | undefined;
}

/** A difference between a request and what is expected. */
interface Difference {
  /** `body.name`, `query.limit` */
  readonly member: string;
  readonly expected: string;
  readonly received: string;
}

function differences(request: LoggedRequest, expected: ExpectedRequest): Difference[] {
  const { path, query, headers, body } = expected;
  const [sentPath = '', sentQuery = ''] = request.target.split(/\?(.*)/s);
  const named = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return [
    ...(path === undefined || sentPath.endsWith(path) ? [] : [differ('path', path, sentPath)]),
    ...Object.entries(query ?? {}).flatMap(([name, value]) =>
      asText(['query', name], value, valuesIn(sentQuery)[name]),
    ),
    ...named.flatMap(([name, value]) => asText(['headers', name], value, request.headers[name])),
    ...(body === undefined ? [] : compare(['body'], body, bodyOf(request))),
  ];
}

/** Texts of the request are compared as text: 10 is "10". */
function asText(path: readonly string[], expected: unknown, sent: unknown): Difference[] {
  const text = (value: unknown): unknown =>
    ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : value;
  return compare(path, Array.isArray(expected) ? expected.map(text) : text(expected), sent);
}

function compare(path: readonly string[], expected: unknown, sent: unknown): Difference[] {
  const isOther = () => [differ(path.join('.'), expected, sent)];
  if (sent === REDACTED && path[0] === 'body') return [];
  if (isAsymmetric(expected)) return expected.asymmetricMatch(sent) ? [] : isOther();
  if (expected instanceof RegExp) return typeof sent === 'string' && expected.test(sent) ? [] : isOther();
  if (Array.isArray(expected)) {
    if (!Array.isArray(sent) || sent.length !== expected.length) return isOther();
    return expected.flatMap((one, index) => compare([...path, `${index}`], one, sent[index]));
  }
  if (isRecord(expected) && !(expected instanceof Date)) {
    if (!isRecord(sent)) return isOther();
    return Object.entries(expected).flatMap(([name, one]) =>
      compare([...path, name], one, Object.hasOwn(sent, name) ? sent[name] : undefined),
    );
  }
  const value = expected instanceof Date ? expected.toISOString() : expected;
  if (value === undefined || sent === undefined) return value === sent ? [] : isOther();
  return isEqual(value, sent) ? [] : isOther();
}

/** A matcher of Vitest, Jest and others: `expect.stringContaining('a')`. */
interface Asymmetric {
  asymmetricMatch(value: unknown): boolean;
}

function isAsymmetric(value: unknown): value is Asymmetric {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<Asymmetric>).asymmetricMatch === 'function'
  );
}

function differ(member: string, expected: unknown, sent: unknown): Difference {
  return { member, expected: show(expected), received: show(sent) };
}

function show(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value instanceof RegExp || isAsymmetric(value)) return String(value);
  return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? Number(member) : member));
}

/** Parameters by name; a repeated one is a list. */
function valuesIn(query: string): Readonly<Record<string, unknown>> {
  const all = Map.groupBy(new URLSearchParams(query), ([name]) => name);
  const entries = [...all].map(([name, pairs]) => {
    const values = pairs.map(([, value]) => value);
    return [name, values.length === 1 ? values[0] : values] as const;
  });
  return Object.fromEntries(entries);
}

function bodyOf({ body, headers }: LoggedRequest): unknown {
  if (body === undefined) return undefined;
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) return valuesIn(body);
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}
