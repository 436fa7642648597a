import type { MockRequest } from '../../http/exchange.ts';
import type { Refusal } from '../../http/refusal.ts';

/** The response that a client prefers, with Prism's names. */
export interface Preference {
  readonly code?: number | undefined;
  /** The name of a documented example. */
  readonly example?: string | undefined;
  /** Whether to sample the schema instead of using an example. */
  readonly dynamic?: boolean | undefined;
  /** Invalid requests get the response, too. */
  readonly validate?: false;
}

const NAMES = ['code', 'example', 'dynamic', 'validate'];

/** The names of preferences in a query, where no parameter has such a name. */
export const PREFERRED_IN_QUERY: ReadonlySet<string> = new Set(NAMES.map((name) => `__${name}`));

/** A fast check: most requests have no preference. */
export function mayHavePreference({ headers, query }: MockRequest): boolean {
  return headers.prefer !== undefined || query.includes('__');
}

/** Reads `Prefer: code=404, example=NAME, dynamic=true` (RFC 7240 §2), else `?__code=404` and so on. */
export function readPreference({ headers, query }: MockRequest): Preference | Refusal | undefined {
  const prefer = parsePrefer([headers.prefer ?? []].flat().join(','));
  const parameters = new URLSearchParams(query);
  const find = (name: string) => prefer.get(name) ?? parameters.get(`__${name}`) ?? undefined;
  const [code, example, dynamic, validate] = NAMES.map(find);
  if (code !== undefined && !/^[2-5]\d\d$/.test(code)) {
    return { refuse: 'preference', message: `code must be a status from 200 to 599, not "${code}"` };
  }
  for (const [name, value] of Object.entries({ dynamic, validate }))
    if (value !== undefined && !/^(?:true|false)$/i.test(value))
      return { refuse: 'preference', message: `${name} must be true or false, not "${value}"` };
  const preference: Preference = {
    ...(code !== undefined && { code: Number(code) }),
    ...(example !== undefined && { example }),
    ...(dynamic !== undefined && /true/i.test(dynamic) && { dynamic: true }),
  };
  const isUnvalidated = /false/i.test(validate ?? '');
  if (Object.keys(preference).length > 0)
    return isUnvalidated ? { ...preference, validate: false } : preference;
  // The operation cannot run for an invalid request, so an answer must be chosen.
  const message = 'validate=false must stand beside code, example or dynamic';
  return isUnvalidated ? { refuse: 'preference', message } : undefined;
}

/** The value of `Preference-Applied` (RFC 7240 §3). */
export function preferenceText(preference: Preference): string {
  return Object.entries(preference)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${quoteUnlessToken(String(value))}`)
    .join(', ');
}

function quoteUnlessToken(text: string): string {
  if (/^[!#$%&'*+.^`|~\w-]+$/.test(text)) return text;
  // A header is limited to printable ASCII; names of examples are not.
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[^\x20-\x7e]/g, '?')}"`;
}

const PREFERENCE =
  /([!#$%&'*+.^`|~\w-]+)(?:[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^\s",;]*))?((?:"(?:[^"\\]|\\.)*"|[^",])*)/g;

/** Names are case-insensitive, and the first of two with the same name applies (RFC 7240 §2). */
function parsePrefer(header: string): ReadonlyMap<string, string> {
  const preferences = [...header.matchAll(PREFERENCE)].map(([, name = '', word = '']) => {
    const value = word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, '$1') : word;
    return [name.toLowerCase(), value] as const;
  });
  return new Map(preferences.reverse());
}
