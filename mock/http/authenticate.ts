import { timingSafeEqual } from 'node:crypto';
import { type Credential, cookiesOf, type Operation, type Requirement } from '#spec';
import type { Refusal } from '../errors/refusal.ts';
import type { MockRequest } from '../exchange/exchange.ts';
import { reusable } from '../exchange/memoize.ts';

/** The accepted API keys, each of 1 to 256 bytes; `any` accepts every key that is not empty. */
export type AcceptedKeys = readonly string[] | 'any';

/** Undefined: the request is authenticated. */
export type Guard = (request: MockRequest) => Refusal | undefined;

type CheckKey = (key: string) => boolean;

/** Compiles an operation's `security`: alternatives (OR) of credentials required together (AND). */
export function compileGuard(operation: Operation, accepted: AcceptedKeys): Guard {
  const { security } = operation;
  if (security.length === 0 || security.some((requirement) => requirement.length === 0))
    return () => undefined;
  const isKey = compileKeyCheck(accepted);
  const missing = refusal(security, 'The credential is missing', '');
  // RFC 6750 §3.1: the challenge names a token that was sent and is invalid.
  const invalid = refusal(security, 'The credential is not valid', ' error="invalid_token"');
  return (request) => {
    let sent = false;
    for (const requirement of security) {
      let holds = true;
      for (const credential of requirement) {
        const verdict = checkCredential(credential, request, isKey);
        if (verdict !== undefined) sent = true;
        if (!verdict) holds = false;
      }
      if (holds) return undefined;
    }
    return sent ? invalid : missing;
  };
}

/** Undefined: not sent. */
function checkCredential(credential: Credential, request: MockRequest, isKey: CheckKey): boolean | undefined {
  const text = textOf(credential, request);
  if (text === undefined || text === '') return undefined;
  if (credential.kind === 'apiKey') return isKey(text);
  // RFC 9110 §11.1: schemes are case-insensitive.
  const [, scheme, rest] = /^([^ ]*) +([^ ].*)$/s.exec(text) ?? [];
  if (rest === undefined || scheme?.toLowerCase() !== credential.kind) return false;
  return credential.kind === 'bearer' ? isKey(rest) : isBasicKey(rest, isKey);
}

function textOf({ in: place, name }: Credential, { headers, query }: MockRequest): string | undefined {
  if (place === 'header') {
    const value = headers[name];
    return typeof value === 'string' ? value : value?.[0];
  }
  const pairs = place === 'query' ? new URLSearchParams(query) : cookiesOf(headers.cookie);
  return pairs.get(name) ?? undefined;
}

/** RFC 7617 §2. The key may be the user, the password, or the whole pair with its colon. */
function isBasicKey(encoded: string, isKey: CheckKey): boolean {
  const pair = Buffer.from(encoded, 'base64').toString('latin1');
  const colon = pair.indexOf(':');
  if (colon < 0) return false;
  const candidates = [pair, pair.slice(0, colon), pair.slice(colon + 1)];
  return candidates.map((candidate) => candidate !== '' && isKey(candidate)).includes(true);
}

/** In bytes. */
export const LONGEST_KEY = 256;
const KEY_STEP = 64;

/** Compares in a time that depends neither on where the texts differ nor on their lengths. @throws RangeError */
export function compileKeyCheck(accepted: AcceptedKeys): CheckKey {
  if (accepted === 'any') return (key) => key !== '';
  const known = accepted.map((key) => {
    const bytes = Buffer.from(key, 'utf8');
    if (bytes.length === 0 || bytes.length > LONGEST_KEY) {
      throw new RangeError(`An API key must have 1 to ${LONGEST_KEY} bytes`);
    }
    return bytes;
  });
  // As long as the longest key, in steps that do not reveal its length.
  const longest = Math.max(...known.map(({ length }) => length));
  const room = Math.ceil(longest / KEY_STEP) * KEY_STEP;
  const keys = known.map((bytes) => Buffer.concat([bytes], room));
  const candidate = Buffer.alloc(room);
  let filled = 0;
  return (key) => {
    // Header values are bytes, which Node shows as Latin-1 (RFC 9110 §5.5).
    const written = candidate.write(key, 'latin1');
    if (written < filled) candidate.fill(0, written, filled);
    filled = written;
    let isKnown = false;
    for (const bytes of keys) isKnown = timingSafeEqual(candidate, bytes) || isKnown;
    return isKnown && written === key.length;
  };
}

function refusal(security: readonly Requirement[], problem: string, bearerError: string): Refusal {
  const credentials = security.flat();
  const ways = [...new Set(credentials.map(describe))].join(', or ');
  const challenges = [...new Set(credentials.map((credential) => challenge(credential, bearerError)))];
  return reusable({
    refuse: 'unauthorized',
    message: `${problem}. Send an API key as ${ways}.`,
    headers: { 'WWW-Authenticate': challenges.join(', ') },
  });
}

function describe({ kind, in: place, name }: Credential): string {
  if (kind === 'bearer') return 'a bearer credential (Authorization: Bearer <API_KEY>)';
  if (kind === 'basic') return 'a basic credential (Authorization: Basic <base64>)';
  return `the ${place === 'query' ? 'query parameter' : place} ${name}`;
}

/** RFC 9110 §11.6.1; apiKey is no registered scheme, yet a 401 requires a challenge. */
function challenge({ kind, in: place, name }: Credential, bearerError: string): string {
  if (kind === 'bearer') return `Bearer${bearerError}`;
  return kind === 'basic' ? 'Basic realm="mock"' : `ApiKey in="${place}", name="${name}"`;
}
