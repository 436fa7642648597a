import type { LoggedRequest, OperationView } from '../wire.ts';
import { FROM_ENVIRONMENT } from './script-value.ts';

export interface ClientRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Pair[];
  /** User and password of HTTP Basic (RFC 7617). */
  readonly basic?: readonly [user: string, password: string];
  readonly cookies: readonly Pair[];
  readonly body: string | undefined;
}

export type Pair = readonly [name: string, value: string];

/** The credentials of a request. */
interface CredentialParts extends Pick<ClientRequest, 'headers' | 'basic' | 'cookies'> {
  readonly query: readonly Pair[];
}

/** @param key sent as each credential; a `user:password` is split for HTTP Basic */
export function credentialParts(
  credentials: readonly Pick<OperationView['security'][number], 'kind' | 'in' | 'name'>[],
  key: string,
): CredentialParts {
  const inPlace = (place: string) =>
    credentials
      .filter((credential) => credential.in === place && credential.kind === 'apiKey')
      .map(({ name }): Pair => [name, key]);
  const [user = '', ...password] = key.split(':');
  return {
    headers: [
      ...(credentials.some(({ kind }) => kind === 'bearer')
        ? [['Authorization', `Bearer ${key}`] as const]
        : []),
      ...inPlace('header'),
    ],
    ...(credentials.some(({ kind }) => kind === 'basic') && { basic: [user, password.join(':')] as const }),
    query: inPlace('query'),
    cookies: inPlace('cookie'),
  };
}

export function allHeaders({
  headers,
  cookies,
}: Pick<ClientRequest, 'headers' | 'cookies'>): readonly Pair[] {
  if (cookies.length === 0) return headers;
  return [...headers, ['Cookie', cookies.map((pair) => pair.join('=')).join('; ')]];
}

/** Encodes the pairs of a query, except for the name of the environment variable. */
export function queryText(pairs: readonly Pair[]): string {
  const encoded = (text: string) =>
    text.split(FROM_ENVIRONMENT).map(encodeURIComponent).join(FROM_ENVIRONMENT);
  return pairs.map((pair) => pair.map(encoded).join('=')).join('&');
}

/** Headers that are not needed, or that curl and `fetch` set themselves. */
const LEFT_OUT =
  /^(?:host|connection|content-length|accept-encoding|accept-language|cache-control|dnt|origin|paddock-session|pragma|referer|sec-.*|te|transfer-encoding|upgrade-insecure-requests|user-agent)$/;

const REDACTED = '***';

/** The placeholder of a body that the mock has not stored. */
const NOT_KEPT = '(too long to be kept)';

/**
 * A logged request to send again. Where the operation says that a redacted value is the key, `key` is filled in: the key
 * itself, or the name of its environment variable.
 */
export function sentAgain(
  { method, target, headers, body }: LoggedRequest,
  operation: OperationView | undefined,
  key: string,
  urlOf: (target: string) => string,
): ClientRequest {
  const credentials = operation?.security ?? [];
  const kept = Object.entries(headers).filter(
    ([name, value]) => !LEFT_OUT.test(name) && !(name === 'accept' && value === '*/*'),
  );
  const parts = kept.map(([name, value]): Pick<ClientRequest, 'headers' | 'basic' | 'cookies'> => {
    const hidden = credentials.filter((credential) =>
      credential.in === 'cookie' ? name === 'cookie' : credential.in === 'header' && credential.name === name,
    );
    return value === REDACTED && hidden.length > 0
      ? credentialParts(hidden, key)
      : { headers: [[name, value]], cookies: [] };
  });
  const basic = parts.find((part) => part.basic)?.basic;
  return {
    method,
    url: urlOf(target.replace(/(?<=[?&][^=&]*=)\*\*\*(?=&|$)/g, key)),
    headers: parts.flatMap((part) => part.headers),
    ...(basic && { basic }),
    cookies: parts.flatMap((part) => part.cookies),
    body: body === NOT_KEPT ? undefined : body,
  };
}
