import { type DocumentedResponse, type Operation, responseFor, Shape, sample } from '#spec';
import type { MockResponse } from '../exchange/exchange.ts';
import { memoize, memoizeReusable } from '../exchange/memoize.ts';
import type { SeedValues } from '../seed/values.ts';
import type { Finish } from './response-headers.ts';

/** Headers of the body and the connection, which no document sets (OpenAPI 3.1 §4.8.17, RFC 9110 §7.6.1). */
const NOT_DOCUMENTED = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding'],
  ...['connection', 'keep-alive', 'trailer', 'upgrade', 'date'],
]);

const EXPOSED = 'Access-Control-Expose-Headers';

type Headers = MockResponse['headers'];

/** Adds the required headers of the document that a response lacks, from their examples or else sampled. */
export function withDocumentedHeaders(finish: Finish, operation: Operation, seeds: SeedValues): Finish {
  const { responses, id } = operation;
  if (responses.every((response) => requiredHeaders(response).length === 0)) return finish;
  const completers = new Map<number, (headers: Headers) => Headers>();

  function compileComplete(status: number): (headers: Headers) => Headers {
    const response = responseFor(responses, status);
    const required = (response ? requiredHeaders(response) : []).map(({ name, schema, examples }) => {
      const [example] = examples.values();
      const value = example ?? (schema ? sample(Shape.of([schema]), { key: seeds.keyOf(id, name) }) : 'x');
      return [name, headerText(value)] as const;
    });
    const made = memoize((headers: Headers) => complete(headers, required));
    completers.set(status, made);
    return made;
  }

  return memoizeReusable((content) => {
    const response = finish(content);
    const { status } = response;
    return { ...response, headers: (completers.get(status) ?? compileComplete(status))(response.headers) };
  });
}

function requiredHeaders({ headers }: DocumentedResponse) {
  return headers.filter(({ name, required }) => required && !NOT_DOCUMENTED.has(name));
}

function complete(headers: Headers, required: readonly (readonly [name: string, value: string])[]): Headers {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const missing = required.filter(([name]) => !given.has(name));
  if (missing.length === 0) return headers;
  // Pages of another origin see only the headers that are named here (Fetch §4.10).
  const exposed = [headers[EXPOSED], ...missing.map(([name]) => name)].join(', ');
  return { ...Object.fromEntries(missing), ...headers, [EXPOSED]: exposed };
}

/** In the style `simple` (RFC 6570 §3.2.2), with `?` for what no header can carry (RFC 9110 §5.5). */
function headerText(value: unknown): string {
  const isCompound = typeof value === 'object' && value !== null && !Array.isArray(value);
  const text = String(isCompound ? Object.entries(value).flat() : value);
  return text.replace(/[^\x20-\x7e]/g, '?');
}
