import type { MockRequest, MockResponse } from '../exchange/exchange.ts';

/** Any origin may read responses: credentials are sent in a header that a page must know, never in a cookie. */
const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };

/** Scripts of another origin see only exposed headers (Fetch §4.10). */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  ...ANY_ORIGIN,
  'Access-Control-Expose-Headers':
    'Allow, Date, Deprecation, Link, Location, Preference-Applied, Retry-After, Sunset, WWW-Authenticate',
};

/** Fetch §4.8: what a browser sends before a request that is not simple. */
export function isPreflight({ method, headers }: MockRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

const TOKENS = /^[!#$%&'*+.^`|~\w-]+(?:\s*,\s*[!#$%&'*+.^`|~\w-]+)*$/;

/** Without a credential, since browsers send none; for unknown paths too, so that a page can read the 404 that follows. */
export function respondPreflight({ headers }: MockRequest, methods: string): MockResponse {
  const requested = String(headers['access-control-request-headers'] ?? '');
  const isPrivate = headers['access-control-request-private-network'] === 'true';
  return {
    status: 204,
    headers: {
      ...ANY_ORIGIN,
      'Access-Control-Allow-Methods': methods,
      // `*` would not cover Authorization, so the requested names are repeated.
      ...(TOKENS.test(requested) && { 'Access-Control-Allow-Headers': requested }),
      ...(isPrivate && { 'Access-Control-Allow-Private-Network': 'true' }),
      'Access-Control-Max-Age': '600',
      Vary: 'Access-Control-Request-Headers, Access-Control-Request-Private-Network',
    },
    body: '',
  };
}
