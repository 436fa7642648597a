import { isEqual, isRecord, parseJson } from '#spec';
import { type LoggedRequest, REDACTED } from '../control/logged-request.ts';

/** What a request must have to count. A value may be one of `expect.any(String)` and its like, or a regular expression. */
export interface ExpectedRequest {
  /** The end of the path: `/pets/7`. */
  readonly path?: string | undefined;
  /** Parameters by name, as text or as what is written like it; others may be there. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** By name, whatever the case; others may be there. Credentials are kept as `***`. */
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The value of a JSON body or of a form, else the text. Objects may have further members, lists may not have further items.
   * Secret members, such as a password, are kept as `***`, and fit any value.
   */
  readonly body?: unknown;
  /** How many such requests there must be. Default: one at least. */
  readonly times?: number | undefined;
}

/** Where a request is not as expected. */
export interface Difference {
  /** `body.name`, `query.limit` */
  readonly member: string;
  readonly expected: string;
  readonly received: string;
}

export function differences(request: LoggedRequest, expected: ExpectedRequest): Difference[] {
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

/** What travels as text is compared as text: 10 is "10". */
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

/** Of Vitest, Jest and others: `expect.stringContaining('a')`. */
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

/** Parameters by name; of one that is there several times a list. */
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
