import type { Credential, Operation } from '#spec';
import { inHeader, isSamePlace, type Presented, present, userAndPassword } from './credentials.ts';
import { base64Of, joinKeyed, type KeyedText, keyed, literalText } from './keyed-text.ts';

/** One of several forms of a credential. */
export type Variant = readonly [name: string, title: string, presented: Presented];

/** The key itself in a form that is not the documented one: only `Bearer KEY` (RFC 6750 §2.1) is a bearer credential. */
export function malformed(operation: Operation, credential: Credential, key: KeyedText): Variant[] {
  const { kind } = credential;
  if (kind === 'apiKey') return [['empty-key', 'with an empty key', present(credential, literalText(''))]];
  const documented = operation.security.flat().filter((one) => isSamePlace(one, credential));
  const scheme = kind === 'bearer' ? 'Bearer' : 'Basic';
  const empty: Variant = [
    'empty-key',
    'with a scheme and no key',
    inHeader('Authorization', literalText(scheme)),
  ];
  // There any text may be a key.
  if (documented.some((one) => one.kind === 'apiKey')) return [empty];
  const secret = kind === 'bearer' ? key : base64Of(userAndPassword(key));
  const authorization = (name: string, title: string, value: KeyedText): Variant => [
    name,
    title,
    inHeader('Authorization', value),
  ];
  const other = kind === 'bearer' ? 'Basic' : 'Bearer';
  const underOther = [
    authorization('other-scheme', `with the scheme ${other}`, keyed`${literalText(other)} ${secret}`),
  ];
  const asPassword = [
    authorization('basic', 'with the key as the password of Basic', keyed`Basic ${base64Of(keyed`:${key}`)}`),
  ];
  const isAlternative = documented.some((one) => one.kind !== kind);
  return [
    empty,
    authorization('no-scheme', 'with a key and no scheme', secret),
    ...(isAlternative ? [] : underOther),
    authorization('token-scheme', 'with the scheme Token', keyed`Token ${secret}`),
    ...(isAlternative || kind === 'basic' ? [] : asPassword),
  ];
}

/** Places where other services take a key, all at once: a name in a query may end in somebody's log. */
export function elsewhere(operation: Operation, key: KeyedText): Presented {
  const documented = operation.security.flat();
  const undocumented = (place: Credential['in'], names: readonly string[]) =>
    names.filter((name) => !documented.some((one) => one.in === place && isName(place, one.name, name)));
  const cookies = undocumented('cookie', ['api_key', 'token', 'session']);
  return {
    headers: [
      ...undocumented('header', ['X-API-Key', 'X-Auth-Token', 'X-Access-Token']).map(
        (name) => [name, key] as const,
      ),
      [
        'Cookie',
        joinKeyed(
          cookies.map((name) => keyed`${literalText(name)}=${key}`),
          '; ',
        ),
      ],
    ],
    query: undocumented('query', ['access_token', 'api_key', 'apikey', 'key', 'token']).map(
      (name) => [name, key] as const,
    ),
  };
}

function isName(place: Credential['in'], documented: string, name: string): boolean {
  return documented === (place === 'header' ? name.toLowerCase() : name);
}
