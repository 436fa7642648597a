import { isRecord, isSecretHeader, isSecretName, type Operation, percentDecode, secretsIn } from '#spec';
import type { Exchange } from '../../contract-tests/send/exchange.ts';
import { jsonOf } from '../../contract-tests/send/response.ts';

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
  };
  const named = schemeNames(operation);
  const isSecret = (name: string) => named.has(name.toLowerCase()) || isSecretName(name);
  for (const [name, value] of [...request.headers, ...response.headers]) {
    if (/^(?:set-)?cookie$/i.test(name)) for (const one of secretsIn(name, value)) add(one);
    else if (isSecret(name) || isSecretHeader(name)) add(value);
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
