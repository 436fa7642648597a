import type { Exchange } from '../send/exchange.ts';

/** A response longer than this, in bytes, is kept by its beginning alone: hundreds of findings may show such responses. */
const LONGEST_KEPT = 256 * 1024;
const BEGINNING = 4096;

export function lighten(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response.body.length <= LONGEST_KEPT && (response.text?.length ?? 0) <= LONGEST_KEPT) return exchange;
  // A copy: a part of a text, or of a buffer, would keep the whole of it.
  const text = response.text && Buffer.from(response.text.slice(0, BEGINNING)).toString();
  const body = Uint8Array.from(response.body.subarray(0, BEGINNING));
  return { ...exchange, response: { ...response, body, text, json: { error: 'it is too long to be kept' } } };
}
