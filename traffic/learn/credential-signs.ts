import { cookiesOf, isSecretHeader, isSecretName } from '#spec';
import type { RecordedRequest } from '../har/recorded-exchange.ts';

/** A kind of credential in a request, without its value. */
export interface CredentialSign {
  /** Equal for the same scheme. */
  readonly key: string;
  /** The Security Scheme Object. */
  readonly scheme: Readonly<Record<string, string>>;
}

/** Three parts of base64url, the first of which is a JSON object (RFC 7519). */
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

/** The credentials of a request, judging by names. */
export function credentialsOf({ url, headers }: Pick<RecordedRequest, 'url' | 'headers'>): CredentialSign[] {
  const signs = new Map<string, CredentialSign>();
  const add = (scheme: CredentialSign['scheme']) => {
    const key = `${scheme.type} ${scheme.scheme ?? `${scheme.in} ${scheme.name?.toLowerCase()}`}`;
    if (!signs.has(key)) signs.set(key, { key, scheme });
  };
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower === 'authorization') add(ofAuthorization(value));
    else if (lower === 'cookie') {
      for (const [cookie] of cookiesOf(value))
        if (isSecretName(cookie) || SESSION.test(cookie)) add(apiKey('cookie', cookie));
    } else if (isSecretHeader(lower) && !NO_CREDENTIAL.test(lower)) add(apiKey('header', name));
  }
  for (const name of url.searchParams.keys()) if (isSecretName(name)) add(apiKey('query', name));
  return [...signs.values()].sort((left, right) => (left.key < right.key ? -1 : 1));
}

const SESSION = /sess|^sid$|connect\.sid|auth/i;
const NO_CREDENTIAL = /^(?:set-cookie|proxy-.*|sec-.*)$/;

function apiKey(place: string, name: string): CredentialSign['scheme'] {
  return { type: 'apiKey', in: place, name };
}

function ofAuthorization(value: string): CredentialSign['scheme'] {
  const [scheme = '', credential] = value.trim().split(/\s+/, 2);
  if (credential === undefined || !/^[A-Za-z][\w-]*$/.test(scheme)) return apiKey('header', 'Authorization');
  const name = scheme.toLowerCase();
  if (name === 'bearer')
    return { type: 'http', scheme: 'bearer', ...(JWT.test(credential) && { bearerFormat: 'JWT' }) };
  return KNOWN.has(name) ? { type: 'http', scheme: name } : apiKey('header', 'Authorization');
}

/** Common schemes from the IANA registry. */
const KNOWN = new Set([
  'basic',
  'digest',
  'dpop',
  'gnap',
  'hoba',
  'mutual',
  'negotiate',
  'oauth',
  'privatetoken',
  'vapid',
]);
