import { type Contract, nearestOperations } from '#spec';
import type { MockRequest, MockResponse } from './exchange.ts';
import type { Outcome } from './refusal.ts';

type Methods<T> = ReadonlyMap<string, T>;

/** HEAD is GET without the body (RFC 9110 §9.3.2), where it is documented by itself, too. */
export function findMethod<T>(methods: Methods<T>, method: string): T | undefined {
  return (method === 'HEAD' ? methods.get('GET') : undefined) ?? methods.get(method);
}

/** The value of `Allow` (RFC 9110 §10.2.1): HEAD comes with every GET, OPTIONS with every path. */
export function allowedMethods(methods: Iterable<string>): string {
  const offered = [...methods];
  return [...new Set([...offered, ...(offered.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
}

/** Responds to OPTIONS, and refuses any other method that a path does not offer. */
export function methodNotAllowed(method: string, path: string, methods: Methods<unknown>): Outcome {
  const allow = allowedMethods(methods.keys());
  if (method === 'OPTIONS') return { status: 204, type: undefined, headers: { Allow: allow }, body: '' };
  return {
    refuse: 'method not allowed',
    message: `${method} is not allowed at ${path}, only ${allow}`,
    headers: { Allow: allow },
  };
}

/** @param baseUrl what precedes most paths */
export function noSuchPath(
  { method, path }: Pick<MockRequest, 'method' | 'path'>,
  baseUrl: string,
  { operations }: Pick<Contract, 'operations'>,
): Outcome {
  const nearest = nearestOperations({ method, path: path.slice(0, LONGEST) }, operations);
  const hint = nearest.length === 0 ? '' : `; nearest: ${nearest.join(', ')}`;
  return { refuse: 'no such path', message: `No such path: ${path}. Base URL: ${baseUrl || '/'}${hint}` };
}

const LONGEST = 500;

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

/** Any origin may read responses; with credentials only where {@link withOrigin} says so. */
const ANY_ORIGIN = { [ALLOW_ORIGIN]: '*' };

export const EXPOSED = 'Access-Control-Expose-Headers';

/** Scripts of another origin see only exposed headers (Fetch §4.10). */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  ...ANY_ORIGIN,
  [EXPOSED]:
    'Allow, Date, Deprecation, Link, Location, Preference-Applied, Retry-After, Sunset, WWW-Authenticate',
  // Of responses to other requests, too: a cache must not give them to a page (Fetch, "CORS protocol and HTTP caches").
  Vary: 'Origin',
};

/** With further headers, which they may read, too, where they may read any. */
export function withExposed(headers: Headers, added: Headers): Headers {
  const exposed = headers[EXPOSED];
  const names = exposed !== undefined && { [EXPOSED]: [exposed, ...Object.keys(added)].join(', ') };
  return { ...headers, ...added, ...names };
}

type Headers = MockResponse['headers'];

/** RFC 6454 §7: what can be repeated in a header. */
const ORIGIN = /^[\x21-\x7e]+$/;

/**
 * For a page of some origin: it may read the response to a request with credentials (`credentials: 'include'`), for which
 * `*` is not enough (Fetch §4.9). Any page may, since the records are made up. A rule's own header stays.
 */
export function withOrigin(
  response: MockResponse,
  origin: string | readonly string[] | undefined,
): MockResponse {
  const { headers } = response;
  if (typeof origin !== 'string' || !ORIGIN.test(origin) || headers[ALLOW_ORIGIN] !== '*') return response;
  const own = { [ALLOW_ORIGIN]: origin, 'Access-Control-Allow-Credentials': 'true' };
  return { ...response, headers: { ...headers, ...own } };
}

/** Of a preflight: the method that it asks for. */
export const REQUESTED_METHOD = 'access-control-request-method';

/** Fetch §4.8: what a browser sends before a request that is not simple. */
export function isPreflight({ method, headers }: MockRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers[REQUESTED_METHOD] !== undefined;
}

const TOKENS = /^[!#$%&'*+.^`|~\w-]+(?:\s*,\s*[!#$%&'*+.^`|~\w-]+)*$/;
const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/;

/**
 * Without a credential, since browsers send none; for unknown paths and for methods that are not offered, too, so that
 * a page can read the 404 or the 405 that follows.
 */
export function respondPreflight({ headers }: MockRequest, methods: string): MockResponse {
  const method = String(headers[REQUESTED_METHOD]);
  const isOffered = methods.split(', ').includes(method) || !TOKEN.test(method);
  const requested = String(headers['access-control-request-headers'] ?? '');
  const isPrivate = headers['access-control-request-private-network'] === 'true';
  return {
    status: 204,
    headers: {
      ...ANY_ORIGIN,
      'Access-Control-Allow-Methods': isOffered ? methods : `${methods}, ${method}`,
      // `*` would not cover Authorization, so the requested names are repeated.
      ...(TOKENS.test(requested) && { 'Access-Control-Allow-Headers': requested }),
      ...(isPrivate && { 'Access-Control-Allow-Private-Network': 'true' }),
      'Access-Control-Max-Age': '600',
      Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers, Access-Control-Request-Private-Network',
    },
    body: '',
  };
}
