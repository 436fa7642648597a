import { cookiesOf, isRecord, type Operation, percentDecode } from '#spec';
import type { Exchange } from '../send/exchange.ts';
import { jsonOf } from '../send/response.ts';

/** Names of headers, parameters, cookies and members whose values are nobody's business. */
export const SECRET =
  /auth(?!or)|cookie|credential|passw|passphrase|secret|session|token|\botp\b|api[-_]?key|access[-_]?key|private[-_]?key|signature|csrf|xsrf|jwt|\bpin\b|\bcvv|\bcvc|ssn|iban|card[-_]?number/i;
const SECRET_HEADER = /key|signature/i;

/** Values are looked for so deep. */
const DEEPEST = 6;
/** Shorter ones occur anywhere; a report with each of them masked could not be read. */
const SHORTEST = 3;
const MOST = 64;

/**
 * The credentials and other secrets of an exchange, those of the document's security schemes and those that are named so:
 * what was recorded of others stands in no report.
 */
export function secretsOf({ operation, request, response }: Exchange): string[] {
  const found = new Set<string>();
  const add = (value: unknown) => {
    if (typeof value !== 'string' || value.length < SHORTEST || found.size >= MOST) return;
    found.add(value);
    // The credential of "Bearer abc", or of "Basic YWJj".
    const [, credential] = /^[A-Za-z][\w-]* +(\S+)$/.exec(value) ?? [];
    if (credential !== undefined) addCredential(credential);
  };
  const addCredential = (credential: string) => {
    found.add(credential);
    const decoded = Buffer.from(credential, 'base64').toString();
    const isBasic = /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(decoded);
    if (isBasic) for (const one of [decoded, decoded.slice(decoded.indexOf(':') + 1)]) found.add(one);
  };
  const named = schemeNames(operation);
  const isSecret = (name: string) => named.has(name.toLowerCase()) || SECRET.test(name);
  for (const [name, value] of [...request.headers, ...response.headers]) {
    if (/^(?:set-)?cookie$/i.test(name)) for (const one of cookieValues(name, value)) add(one);
    else if (isSecret(name) || SECRET_HEADER.test(name)) add(value);
    else if (/^(?:location|referer|content-location)$/i.test(name)) addQuery(value, isSecret, add);
  }
  addQuery(request.url.href, isSecret, add);
  for (const part of [request.url.username, request.url.password]) add(percentDecode(part));
  for (const body of [request.body && parsed(request.body), jsonOf(response)])
    eachMember(body, (name, value) => isSecret(name) && add(value));
  return [...found];
}

function schemeNames({ security }: Operation): ReadonlySet<string> {
  return new Set(security.flat().map(({ name }) => name.toLowerCase()));
}

/** Attributes of Set-Cookie (RFC 6265 §4.1.1) are no secrets. */
function cookieValues(name: string, value: string): string[] {
  const pairs = /^set-/i.test(name) ? (value.split(';')[0] ?? '') : value;
  return [...cookiesOf(pairs).values()];
}

function addQuery(href: string, isSecret: (name: string) => boolean, add: (value: unknown) => void): void {
  const url = URL.parse(href, 'http://localhost');
  for (const pair of url?.search.slice(1).split('&') ?? []) {
    const at = pair.indexOf('=');
    if (at < 0 || !isSecret(pair.slice(0, at))) continue;
    add(pair.slice(at + 1));
    add(new URLSearchParams(pair).values().next().value);
  }
}

/** JSON, or a form. */
function parsed(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString();
  try {
    return JSON.parse(text);
  } catch {
    return /^[^\s{[]+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined;
  }
}

function eachMember(value: unknown, visit: (name: string, value: unknown) => void, depth = 0): void {
  if (depth > DEEPEST || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) for (const item of value) eachMember(item, visit, depth + 1);
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(value)) {
    visit(name, member);
    eachMember(member, visit, depth + 1);
  }
}
