import { areEqual, fromBase64 } from '#platform';
import {
  type Credential,
  cookiesOf,
  isOpen,
  needsNoCredential,
  type Operation,
  ownEntry,
  type Requirement,
  type SessionCookie,
} from '#spec';
import type { MockRequest } from './exchange.ts';
import { reusable } from './memoize.ts';
import type { Refusal } from './refusal.ts';

/** The accepted API keys, each of 1 to 256 bytes; `any` accepts every key that is not empty. */
export type AcceptedKeys = readonly string[] | 'any';

/** The credentials that a mock accepts. */
export interface Keys {
  /** For security schemes without credentials of their own. */
  readonly apiKeys: AcceptedKeys;
  /** By security scheme, which then accepts no others. */
  readonly credentials: Readonly<Record<string, readonly string[]>>;
  /** Whether the mock has issued a token, and it has not expired. */
  readonly isIssued?: (token: string, now: Now | undefined) => boolean;
  /** The cookie in which logins leave such a token, whatever schemes an operation has. */
  readonly cookie?: SessionCookie | undefined;
}

/** Returns the time in milliseconds since 1970. */
type Now = () => number;

/** Receives the credentials that authenticated a request. */
export interface Admission {
  /** Undefined: it needed no credential and had no valid one; or it was refused. */
  letInBy: Requirement | undefined;
}

/**
 * Undefined: the request is authenticated.
 * @param now the clock of the session, if it has set one
 */
export type Guard = (request: MockRequest, now?: Now, admission?: Admission) => Refusal | undefined;

type CheckKey = (key: string) => boolean;

/**
 * Compiles an operation's `security`: alternatives (OR) of credentials required together (AND). A token with scopes must
 * have those of the operation; else it gets 403, unless another credential is valid (RFC 6750 §3.1).
 */
export function compileGuard(operation: Operation, keys: Keys): Guard {
  const { apiKeys, credentials, isIssued, cookie } = keys;
  const { security } = operation;
  if (needsNoCredential(operation)) return () => undefined;
  if (isOpen(security)) return compileNote(operation, keys);
  const isKey = compileKeyCheck(apiKeys);
  const alternatives = security.map((requirement) => ({
    requirement,
    checks: requirement.map((credential) => {
      const keysOfScheme = ownEntry(credentials, credential.scheme);
      return {
        credential,
        isKey: keysOfScheme ? compileKeyCheck(keysOfScheme) : isKey,
        outOfScope: refuseScope(credential),
      };
    }),
  }));
  const missing = refusal(security, 'The credential is missing', false);
  const invalid = refusal(security, 'The credential is not valid', false);
  const invalidToken = refusal(security, 'The credential is not valid', true);
  const incomplete = refusal(security, 'A credential is missing beside the one that was sent', false);
  return (request, now, admission) => {
    let worst: Verdict = 'absent';
    let isIncomplete = false;
    let insufficient: Refusal | undefined;
    for (const { requirement, checks } of alternatives) {
      let holds = true;
      let some = false;
      let outOfScope: Refusal | undefined;
      for (const { credential, isKey, outOfScope: refuse } of checks) {
        const result = checkCredential(credential, request, isKey);
        const isToken =
          result !== 'valid' && result !== 'absent' && isIssued?.(tokenIn(credential, request), now);
        const verdict = isToken ? 'valid' : result;
        if (verdict === 'valid') some = true;
        else holds = false;
        if (verdict === 'invalid token' || (verdict === 'invalid' && worst === 'absent')) worst = verdict;
        if (refuse && verdict === 'valid' && lacksScope(credential, request)) outOfScope = refuse;
      }
      if (holds && !outOfScope) {
        if (admission) admission.letInBy = requirement;
        return undefined;
      }
      if (holds) insufficient = outOfScope;
      else if (some) isIncomplete = true;
    }
    if (insufficient) return insufficient;
    if (cookie && isIssued?.(tokenIn(cookie, request), now)) {
      if (admission) admission.letInBy = security[0];
      return undefined;
    }
    if (worst === 'invalid token') return invalidToken;
    if (worst === 'invalid') return invalid;
    return isIncomplete ? incomplete : missing;
  };
}

/** Accepts every request, and notes a valid credential all the same. */
function compileNote(operation: Operation, keys: Keys): Guard {
  const security = operation.security.filter(({ length }) => length > 0);
  if (security.length === 0) return () => undefined;
  const guard = compileGuard({ ...operation, security }, keys);
  return (request, now, admission) => {
    if (admission) guard(request, now, admission);
    return undefined;
  };
}

/** Undefined: the operation requires no scope. */
function refuseScope({ scheme, scopes }: Credential): Refusal | undefined {
  if (scopes.length === 0) return undefined;
  const named = scopes.join(' ');
  return reusable<Refusal>({
    refuse: 'forbidden',
    message: `The token is not good for all that the operation asks for. Send one of the scheme ${scheme} with the scope ${named}.`,
    headers: { 'WWW-Authenticate': `Bearer ${REALM}, error="insufficient_scope", scope="${named}"` },
  });
}

function lacksScope(credential: Credential, request: MockRequest): boolean {
  const declared = declaredScopes(textOf(credential, request) ?? '');
  return declared !== undefined && credential.scopes.some((scope) => !declared.includes(scope));
}

/** The scopes in a JSON Web Token (RFC 9068 §2.2.3), whose signature is not verified. Undefined: it has none. */
function declaredScopes(authorization: string): readonly string[] | undefined {
  const [, payload] = /^\S+ +[\w-]+\.([\w-]+)\.[\w-]*$/.exec(authorization) ?? [];
  if (payload === undefined) return undefined;
  try {
    const { scope, scp } = JSON.parse(fromBase64(payload));
    const named = scope ?? scp;
    return typeof named === 'string' ? named.split(' ') : Array.isArray(named) ? named : undefined;
  } catch {
    return undefined;
  }
}

/** `invalid token`: an invalid bearer token. */
type Verdict = 'absent' | 'invalid' | 'invalid token' | 'valid';

function checkCredential(credential: Credential, request: MockRequest, isKey: CheckKey): Verdict {
  const text = textOf(credential, request);
  if (text === undefined || text === '') return 'absent';
  // Documents describe keys in `Authorization` with a scheme in front, such as `Token`.
  if (credential.kind === 'apiKey') return isKey(text) || isKey(lastWord(text)) ? 'valid' : 'invalid';
  // RFC 9110 §11.1: schemes are case-insensitive.
  const end = text.indexOf(' ');
  if (end < 0 || text.slice(0, end).toLowerCase() !== credential.kind) return 'invalid';
  let start = end;
  while (text[start] === ' ') start++;
  const rest = text.slice(start);
  if (rest === '') return 'invalid';
  if (credential.kind === 'bearer') return isKey(rest) ? 'valid' : 'invalid token';
  return isBasicKey(rest, isKey) ? 'valid' : 'invalid';
}

const lastWord = (text: string) => text.slice(text.lastIndexOf(' ') + 1);

/** The credential in a request, without the scheme in front. */
export function tokenIn(credential: Place, request: MockRequest): string {
  return lastWord(textOf(credential, request) ?? '');
}

type Place = Pick<Credential, 'in' | 'name'>;

function textOf({ in: place, name }: Place, { headers, query }: MockRequest): string | undefined {
  if (place === 'header') {
    const value = ownEntry(headers, name);
    return typeof value === 'string' ? value : value?.[0];
  }
  const pairs = place === 'query' ? new URLSearchParams(query) : cookiesOf(headers.cookie);
  return pairs.get(name) ?? undefined;
}

/** RFC 7617 §2. The key may be the user, the password, or the whole pair with its colon. */
function isBasicKey(encoded: string, isKey: CheckKey): boolean {
  const pair = fromBase64(encoded);
  const colon = pair.indexOf(':');
  if (colon < 0) return false;
  const candidates = [pair, pair.slice(0, colon), pair.slice(colon + 1)];
  return candidates.map((candidate) => candidate !== '' && isKey(candidate)).includes(true);
}

/** In bytes. */
export const LONGEST_KEY = 256;
const KEY_STEP = 64;

/** Compares in constant time, whatever the texts and their lengths. @throws RangeError */
export function compileKeyCheck(accepted: AcceptedKeys): CheckKey {
  if (accepted === 'any') return (key) => key !== '';
  const encoder = new TextEncoder();
  const keyBytes = accepted.map((key) => {
    const bytes = encoder.encode(key);
    if (bytes.length === 0 || bytes.length > LONGEST_KEY) {
      throw new RangeError(`An API key must have 1 to ${LONGEST_KEY} bytes`);
    }
    return bytes;
  });
  // As long as the longest key, rounded up so as not to reveal its length.
  const longest = Math.max(...keyBytes.map(({ length }) => length));
  const room = Math.ceil(longest / KEY_STEP) * KEY_STEP;
  const keys = keyBytes.map((bytes) => {
    const key = new Uint8Array(room);
    key.set(bytes);
    return key;
  });
  const candidate = new Uint8Array(room);
  let filled = 0;
  return (key) => {
    const written = Math.min(key.length, room);
    // Header values are bytes, which Node and `fetch` return as Latin-1 (RFC 9110 §5.5).
    for (let at = 0; at < written; at++) candidate[at] = key.charCodeAt(at);
    if (written < filled) candidate.fill(0, written, filled);
    filled = written;
    let isKnown = false;
    for (const bytes of keys) isKnown = areEqual(candidate, bytes) || isKnown;
    return isKnown && written === key.length;
  };
}

function refusal(security: readonly Requirement[], problem: string, isInvalidToken: boolean): Refusal {
  const ways = security.map((requirement) => [...new Set(requirement.map(describe))].join(' together with '));
  const challenges = security.flat().map((credential) => challenge(credential, isInvalidToken));
  return reusable({
    refuse: 'unauthorized',
    message: `${problem}. Send an API key as ${[...new Set(ways)].join(', or ')}.`,
    headers: { 'WWW-Authenticate': [...new Set(challenges)].join(', ') },
  });
}

function describe({ kind, in: place, name }: Credential): string {
  if (kind === 'bearer') return 'a bearer credential (Authorization: Bearer <API_KEY>)';
  if (kind === 'basic')
    return 'the user or password of a basic credential (Authorization: Basic <base64 of user:password>)';
  return `the ${place === 'query' ? 'query parameter' : place} ${name}`;
}

/**
 * RFC 9110 §11.6.1: one challenge per scheme. Bearer has at least one parameter, and an error only if a token was sent (RFC
 * 6750 §3). `ApiKey` is no registered scheme, but a 401 requires a challenge.
 */
function challenge({ kind, in: place, name }: Credential, isInvalidToken: boolean): string {
  if (kind === 'bearer') return `Bearer ${REALM}${isInvalidToken ? ', error="invalid_token"' : ''}`;
  // RFC 7617 §2.1.
  if (kind === 'basic') return `Basic ${REALM}, charset="UTF-8"`;
  return `ApiKey ${REALM}, in="${place}", name="${name}"`;
}

const REALM = 'realm="mock"';
