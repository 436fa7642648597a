import type { OperationView } from '../wire.ts';
import { FROM_ENVIRONMENT } from './script-value.ts';

/** A request as a client sends it. */
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

/** What a request has for a credential. */
interface CredentialParts extends Pick<ClientRequest, 'headers' | 'basic' | 'cookies'> {
  readonly query: readonly Pair[];
}

/** @param key sent as each of the credentials; as `user:password` it is both where HTTP Basic asks for them */
export function credentialParts(
  credentials: readonly Pick<OperationView['security'][number], 'kind' | 'in' | 'name'>[],
  key: string,
): CredentialParts {
  const inPlace = (place: string) =>
    credentials
      .filter((one) => one.in === place && one.kind === 'apiKey')
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

/** The headers with that of the cookies. */
export function allHeaders({
  headers,
  cookies,
}: Pick<ClientRequest, 'headers' | 'cookies'>): readonly Pair[] {
  if (cookies.length === 0) return headers;
  return [...headers, ['Cookie', cookies.map((pair) => pair.join('=')).join('; ')]];
}

/** Pairs of a query, encoded but for the name that the environment replaces. */
export function queryText(pairs: readonly Pair[]): string {
  const encoded = (text: string) =>
    text.split(FROM_ENVIRONMENT).map(encodeURIComponent).join(FROM_ENVIRONMENT);
  return pairs.map((pair) => pair.map(encoded).join('=')).join('&');
}
