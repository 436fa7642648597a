import type { MockRequest } from './exchange.ts';
import type { Refusal } from './refusal.ts';

/** An answer that a client asks for, in the words of Prism. */
export interface Wish {
  readonly code?: number;
  /** The name of a documented example. */
  readonly example?: string;
  /** A body made from the schema, not an example. */
  readonly dynamic?: boolean;
}

/** Most requests wish for nothing. */
export function mayWish({ headers, query }: MockRequest): boolean {
  return headers.prefer !== undefined || query.includes('__');
}

/** Reads `Prefer: code=404, example=NAME, dynamic=true` (RFC 7240 §2), else `?__code=404` and so on. */
export function readWish({ headers, query }: MockRequest): Wish | Refusal | undefined {
  const preferred = parsePrefer([headers.prefer ?? []].flat().join(','));
  const asked = new URLSearchParams(query);
  const text = (name: string) => preferred.get(name) ?? asked.get(`__${name}`) ?? undefined;
  const [code, example, dynamic] = [text('code'), text('example'), text('dynamic')];
  if (code !== undefined && !/^[2-5]\d\d$/.test(code)) {
    return { refuse: 'preference', message: `code must be a status from 200 to 599, not "${code}"` };
  }
  if (dynamic !== undefined && !/^(?:true|false)$/i.test(dynamic)) {
    return { refuse: 'preference', message: `dynamic must be true or false, not "${dynamic}"` };
  }
  const wish: Wish = {
    ...(code !== undefined && { code: Number(code) }),
    ...(example !== undefined && { example }),
    ...(dynamic !== undefined && /true/i.test(dynamic) && { dynamic: true }),
  };
  return Object.keys(wish).length > 0 ? wish : undefined;
}

/** In the form of the header `Preference-Applied` (RFC 7240 §3). */
export function describeWish(wish: Wish): string {
  const applied = Object.entries(wish).map(([name, value]) => `${name}=${quoteUnlessToken(String(value))}`);
  return applied.join(', ');
}

function quoteUnlessToken(text: string): string {
  if (/^[!#$%&'*+.^`|~\w-]+$/.test(text)) return text;
  // A header holds printable ASCII; names of examples may be anything.
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[^\x20-\x7e]/g, '?')}"`;
}

const PREFERENCE =
  /([!#$%&'*+.^`|~\w-]+)(?:[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^\s",;]*))?((?:"(?:[^"\\]|\\.)*"|[^",])*)/g;

/** Names are of any case, and of a name that is there twice the first one counts (RFC 7240 §2). */
function parsePrefer(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', word = ''] of header.matchAll(PREFERENCE)) {
    const value = word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, '$1') : word;
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
  }
  return found;
}
