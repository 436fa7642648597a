import { type Contract, type DocumentedResponse, type Operation, responseFor, type Validators } from '#spec';
import type { SeedValues } from '../records/seed/values.ts';
import { entityTag } from './entity-tag.ts';
import type { MockResponse, ResponseContent } from './exchange.ts';
import { compileHeaderValue, isFilled, isOfBody } from './header-value.ts';
import { memoize, memoizeReusable } from './memoize.ts';
import type { Finish } from './response-headers.ts';

const EXPOSED = 'Access-Control-Expose-Headers';
const ETAG = 'etag';

type Headers = MockResponse['headers'];

/**
 * Adds the documented headers that a response lacks: from what is known of it, or from the document's examples and
 * schemas. Optional ones that mean something to the protocol are left out: only their cause could say them.
 */
export function withDocumentedHeaders(
  finish: Finish,
  { responses, id }: Operation,
  seeds: SeedValues,
  { validators }: Pick<Contract, 'validators'>,
): Finish {
  if (!responses.some(hasHeaders)) return finish;
  const completers = new Map<number, Completer>();

  function compileComplete(status: number): Completer {
    const response = responseFor(responses, status);
    const own = response ? compileCompleter(response, validators, (name) => seeds.keyOf(id, name)) : NOTHING;
    completers.set(status, own);
    return own;
  }

  return memoizeReusable((content) => {
    const response = finish(content);
    const { complete, isTagged } = completers.get(response.status) ?? compileComplete(response.status);
    const headers = complete(response.headers);
    return { ...response, headers: isTagged ? tagged(headers, response.body) : headers };
  });
}

function hasHeaders({ headers }: DocumentedResponse): boolean {
  return headers.some((header) => header.name === ETAG || isFilled(header));
}

interface Completer {
  readonly complete: (headers: Headers) => Headers;
  /** The content has an entity tag. */
  readonly isTagged: boolean;
}

const NOTHING: Completer = { complete: (headers) => headers, isTagged: false };

function compileCompleter(
  { headers: documented }: DocumentedResponse,
  validators: Validators,
  keyOf: (name: string) => string,
): Completer {
  const filled = documented
    .filter((header) => header.name !== ETAG && isFilled(header))
    .flatMap((header) => {
      const value = compileHeaderValue(header, documented, validators, keyOf(header.name));
      return value === undefined ? [] : [[header.name, value] as const];
    });
  const names = documented.map(({ name }) => name).filter((name) => !isOfBody(name));
  return {
    complete: memoize((headers: Headers) => complete(headers, names, filled)),
    isTagged: documented.some(({ name }) => name === ETAG),
  };
}

function complete(
  headers: Headers,
  names: readonly string[],
  filled: readonly (readonly [name: string, value: string])[],
): Headers {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const exposed = new Set((headers[EXPOSED] ?? '').toLowerCase().split(', '));
  const own = names.filter((name) => given.has(name) && !exposed.has(name));
  const missing = filled.filter(([name]) => !given.has(name));
  return exposing(headers, missing, own);
}

/** The same tag for the same content (RFC 9110 §8.8.3). */
function tagged(headers: Headers, body: ResponseContent['body']): Headers {
  if (typeof body === 'function' || 'ETag' in headers) return headers;
  return exposing(headers, [['ETag', entityTag(headers['Content-Type'], body)]]);
}

/** Pages of another origin see only the headers that are named (Fetch §4.10). */
function exposing(
  headers: Headers,
  added: readonly (readonly [name: string, value: string])[],
  own: readonly string[] = [],
): Headers {
  if (added.length === 0 && own.length === 0) return headers;
  const exposed = [headers[EXPOSED], ...own, ...added.map(([name]) => name)].join(', ');
  return { ...Object.fromEntries(added), ...headers, [EXPOSED]: exposed };
}
