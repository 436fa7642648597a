import { encodeParameter, type Operation, queryPairs, stringifyJson } from '#spec';
import { type Presented, presentKey } from '../send/credentials.ts';
import type { WireRequest } from '../send/wire.ts';
import type { Settings } from '../settings.ts';

/** What a case asks for; what it leaves out is ordinary. */
export interface Ask {
  /** Path parameters by name, as values or ready texts. */
  readonly path?: Readonly<Record<string, unknown>>;
  /** Query parameters by name; a text is sent as it is. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The credential; by default the run's own key. */
  readonly presented?: Presented;
  /** A JSON body. */
  readonly body?: unknown;
  /** Body bytes that are sent as they are, instead of `body`. */
  readonly rawBody?: string;
  readonly contentType?: string;
  readonly chunked?: boolean;
}

/** An operation and what is asked of it, as the bytes of one request. */
export function planRequest(settings: Settings, operation: Operation, ask: Ask): WireRequest {
  const presented = ask.presented ?? presentKey(operation, settings.apiKey);
  const text = ask.rawBody ?? (ask.body === undefined ? undefined : stringifyJson(ask.body));
  const media = operation.body?.content.find(({ isJson }) => isJson)?.type ?? 'application/json';
  return {
    method: operation.method,
    url: urlOf(settings.base, operation, ask, presented),
    headers: [
      ['Accept', acceptOf(operation)],
      ...presented.headers,
      ...settings.headers,
      ...(text === undefined || ask.contentType === ''
        ? []
        : [['Content-Type', ask.contentType ?? media] as const]),
      ...(ask.headers ?? []),
    ],
    body: text === undefined ? undefined : Buffer.from(text),
    chunked: ask.chunked ?? false,
  };
}

/** All media types that the operation documents: what answers with one of them is acceptable. */
function acceptOf(operation: Operation): string {
  const types = new Set(operation.responses.flatMap(({ content }) => content.map(({ type }) => type)));
  return types.size > 0 ? [...types].join(', ') : '*/*';
}

function urlOf(base: URL, operation: Operation, ask: Ask, presented: Presented): URL {
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    const value = ask.path?.[name];
    const text =
      parameter && typeof value !== 'string' ? encodeParameter(parameter, value)[0] : String(value);
    return encodeURIComponent(text ?? '');
  });
  const query = Object.entries(ask.query ?? {}).flatMap(([name, value]) => {
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name);
    return parameter && typeof value !== 'string'
      ? queryPairs(parameter, value)
      : [[name, String(value)] as const];
  });
  const pairs = [...query, ...presented.query].map((pair) => pair.map(encodeURIComponent).join('='));
  return new URL(`${base.href.replace(/\/$/, '')}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`);
}
