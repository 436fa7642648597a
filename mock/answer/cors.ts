import type { MockRequest, Reply } from './exchange.ts';

/** Pages of any origin may read answers: credentials travel in a header that a page must know, never in a cookie. */
const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };

/** Without being exposed, a header is hidden from pages (Fetch §4.10). */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  ...ANY_ORIGIN,
  'Access-Control-Expose-Headers':
    'Allow, Date, Deprecation, Link, Location, Preference-Applied, Retry-After, Sunset, WWW-Authenticate',
};

/** Fetch §4.8: the question that a browser asks before a request that a form could not send. */
export function isPreflight({ method, headers }: MockRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

const TOKENS = /^[!#$%&'*+.^`|~\w-]+(?:\s*,\s*[!#$%&'*+.^`|~\w-]+)*$/;

/** Needs no credential: browsers send none here. Unknown paths too, so that a page can read the 404 that follows. */
export function answerPreflight({ headers }: MockRequest, methods: string): Reply {
  const wanted = String(headers['access-control-request-headers'] ?? '');
  const private_ = headers['access-control-request-private-network'] === 'true';
  return {
    status: 204,
    headers: {
      ...ANY_ORIGIN,
      'Access-Control-Allow-Methods': methods,
      // `*` would not cover Authorization, so the names asked for are repeated.
      ...(TOKENS.test(wanted) && { 'Access-Control-Allow-Headers': wanted }),
      ...(private_ && { 'Access-Control-Allow-Private-Network': 'true' }),
      'Access-Control-Max-Age': '600',
      Vary: 'Access-Control-Request-Headers, Access-Control-Request-Private-Network',
    },
    body: '',
  };
}
