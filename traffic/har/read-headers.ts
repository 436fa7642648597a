import { type Members, pairsAt } from './read-members.ts';
import type { HeaderPair } from './recorded-exchange.ts';
import type { Remark } from './remark.ts';

/** The headers of a message as they were sent, without the pseudo headers of HTTP/2 (`:method`). */
export function readHeaders(message: Members, remark: (one: Remark) => void): readonly HeaderPair[] {
  const all = pairsAt(message, 'headers');
  const sent = all.filter(([name]) => !name.startsWith(':'));
  if (sent.length < all.length) remark('pseudo-headers');
  // Chromium writes a header that came several times as one, with line feeds in its value.
  return sent.flatMap(([name, value]) => value.split('\n').map((line): HeaderPair => [name, line.trim()]));
}

/** Undefined: there is no such header. */
export function headerOf(headers: readonly HeaderPair[], wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}
