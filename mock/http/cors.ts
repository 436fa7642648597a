import { type Contract, nearestOperations } from '#spec';
import type { MockRequest, MockResponse } from './exchange.ts';
import type { Outcome } from './refusal.ts';

type Methods<T> = ReadonlyMap<string, T>;

/** Finds a method; HEAD is GET without the body (RFC 9110 §9.3.2), even where it is documented itself. */
export function findMethod<T>(methods: Methods<T>, method: string): T | undefined {
  return (method === 'HEAD' ? methods.get('GET') : undefined) ?? methods.get(method);
}

/** The value of `Allow` (RFC 9110 §10.2.1): every GET includes HEAD, every path OPTIONS. */
export function allowedMethods(methods: Iterable<string>): string {
  const offered = [...methods];
  return [...new Set([...offered, ...(offered.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
}

/** Responds to OPTIONS, and refuses other methods that a path does not offer. */
export function methodNotAllowed(method: string, path: string, methods: Methods<unknown>): Outcome {
  const allow = allowedMethods(methods.keys());
  if (method === 'OPTIONS') return { status: 204, type: undefined, headers: { Allow: allow }, body: '' };
  return {
    refuse: 'method not allowed',
    message: `${method} is not allowed at ${path}, only ${allow}`,
    headers: { Allow: allow },
  };
}

/** @param baseUrl the base URL of most paths */
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

/** Any origin may read responses; with credentials only by {@link withOrigin}. */
const ANY_ORIGIN = { [ALLOW_ORIGIN]: '*' };

export const EXPOSED = 'Access-Control-Expose-Headers';

/** Scripts of another origin see only exposed headers (Fetch §4.10). */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  ...ANY_ORIGIN,
  [EXPOSED]:
    'Allow, Date, Deprecation, Link, Location, Preference-Applied, Retry-After, Sunset, WWW-Authenticate',
  // Also for requests without an origin: a cache must not give their responses to a page (Fetch, "CORS protocol and HTTP
  // caches").
  Vary: 'Origin',
};

/** Adds headers, and exposes them to scripts if the response exposes any. */
export function withExposed(headers: Headers, added: Headers): Headers {
  const exposed = headers[EXPOSED];
  const names = exposed !== undefined && { [EXPOSED]: [exposed, ...Object.keys(added)].join(', ') };
  return { ...headers, ...added, ...names };
}

type Headers = MockResponse['headers'];

/** RFC 6454 §7: an origin that is safe to repeat in a header. */
const ORIGIN = /^[\x21-\x7e]+$/;

/**
 * Lets a page of some origin read the response to a request with credentials (`credentials: 'include'`), for which `*` is
 * not enough (Fetch §4.9). Any page may, since the records are made up. A rule's own header stays.
 */
export function withOrigin(
  response: MockResponse,
  origin: string | readonly string[] | undefined,
): MockResponse {
  const { headers } = response;
  if (typeof origin !== 'string' || !ORIGIN.test(origin) || headers[ALLOW_ORIGIN] !== '*') return response;
  const allowed = { [ALLOW_ORIGIN]: origin, 'Access-Control-Allow-Credentials': 'true' };
  return { ...response, headers: { ...headers, ...allowed } };
}

/** The method that a preflight asks for. */
export const REQUESTED_METHOD = 'access-control-request-method';

/** Fetch §4.8: what a browser sends before a request that is not simple. */
export function isPreflight({ method, headers }: MockRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers[REQUESTED_METHOD] !== undefined;
}

const TOKENS = /^[!#$%&'*+.^`|~\w-]+(?:\s*,\s*[!#$%&'*+.^`|~\w-]+)*$/;
const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/;

/**
 * Needs no credential, since browsers send none; also for unknown paths and methods, so that a page can read the following
 * 404 or 405.
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
      // `*` does not cover Authorization, so the requested names are repeated.
      ...(TOKENS.test(requested) && { 'Access-Control-Allow-Headers': requested }),
      ...(isPrivate && { 'Access-Control-Allow-Private-Network': 'true' }),
      'Access-Control-Max-Age': '600',
      Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers, Access-Control-Request-Private-Network',
    },
    body: '',
  };
}
