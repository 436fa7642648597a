import { encodeParameter, type Operation, queryPairs, stringifyJson } from '#spec';
import { type Presented, presentKey } from './credentials.ts';
import { requiredHeaders } from './required-parameters.ts';
import type { WireRequest } from './wire.ts';

/** What a request is made from; whatever is left out is ordinary. */
export interface RequestInput {
  /** Path parameters by name, as values or encoded texts. */
  readonly path?: Readonly<Record<string, unknown>>;
  /** Query parameters by name; a text is sent as it is. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** In the place of ordinary headers of the same name. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** A credential that must be refused; by default the run's own key is sent. */
  readonly refused?: Presented;
  /** A JSON body. */
  readonly body?: unknown;
  /** Body bytes that are sent as they are, instead of `body`. */
  readonly rawBody?: string;
  readonly contentType?: string;
  readonly chunked?: boolean;
  /** The last path parameter is made up: it most likely names no record. */
  readonly unknownId?: boolean;
  /** A path parameter is made up, since nothing says which value names something. */
  readonly guessed?: boolean;
  /** The user has named the request, and the status that it is answered with (`--provoke`). */
  readonly provoked?: boolean;
  /** What this very request must be answered with, beyond what the laws say of any request. */
  readonly expected?: Expectation;
}

/** A status that the document promises for a request, and whether any 4xx is just as right. */
export interface Expectation {
  readonly status: number;
  readonly or4xx?: boolean;
}

/** Where requests go, and what each of them carries. */
export interface Target {
  readonly base: URL;
  readonly apiKey: string | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Values that are known to be good, by name of the parameter. */
  readonly values?: Readonly<Record<string, string>>;
}

/** An operation and the input for it, as the bytes of one request. */
export function planRequest(target: Target, operation: Operation, input: RequestInput): WireRequest {
  const presented = input.refused ?? presentKey(operation, target.apiKey);
  const text = input.rawBody ?? (input.body === undefined ? undefined : stringifyJson(input.body));
  const media = operation.body?.content.find(({ isJson }) => isJson)?.type ?? 'application/json';
  const own = new Set(input.headers?.map(([name]) => name.toLowerCase()));
  const set = new Set([...target.headers, ...presented.headers].map(([name]) => name.toLowerCase()));
  const required = requiredHeaders(operation, target.values);
  const ordinary = [
    ['Accept', acceptOf(operation)] as const,
    ...presented.headers.map(([name, { text: value }]) => [name, value] as const),
    ...target.headers,
    ...required.filter(([name]) => !set.has(name.toLowerCase())),
    ...(text === undefined || input.contentType === ''
      ? []
      : [['Content-Type', input.contentType ?? media] as const]),
  ];
  return {
    method: operation.method,
    url: urlOf(target.base, operation, input, presented),
    headers: [...ordinary.filter(([name]) => !own.has(name.toLowerCase())), ...(input.headers ?? [])],
    body: text === undefined ? undefined : Buffer.from(text),
    chunked: input.chunked ?? false,
    credential: presented,
  };
}

/** All media types that the operation documents: a response in any of them is acceptable. */
function acceptOf(operation: Operation): string {
  const types = new Set(operation.responses.flatMap(({ content }) => content.map(({ type }) => type)));
  return types.size > 0 ? [...types].join(', ') : '*/*';
}

/** The path parameters of an input as texts, before percent-encoding. */
export function pathTexts({ path, parameters }: Operation, input: RequestInput): Record<string, string> {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(
    names.map((name) => {
      const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
      const value = input.path?.[name];
      const text =
        parameter && typeof value !== 'string' ? encodeParameter(parameter, value)[0] : String(value);
      // An id with half of a surrogate pair has no percent-encoding (RFC 3986 §2.5).
      return [name, (text ?? '').toWellFormed()];
    }),
  );
}

function urlOf(base: URL, operation: Operation, input: RequestInput, presented: Presented): URL {
  const texts = pathTexts(operation, input);
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(texts[name] ?? ''),
  );
  const query = Object.entries(input.query ?? {}).flatMap(([name, value]) => {
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name);
    return parameter && typeof value !== 'string'
      ? queryPairs(parameter, value)
      : [[name, String(value)] as const];
  });
  const secret = presented.query.map(([name, { text }]) => [name, text] as const);
  const pairs = [...query, ...secret].map((pair) => pair.map(encodeURIComponent).join('='));
  return new URL(`${base.href.replace(/\/$/, '')}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`);
}
