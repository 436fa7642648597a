import { digest } from '#platform';

/** A strong entity tag (RFC 9110 §8.8.1): the same bytes of the same media type have the same one. */
export function entityTag(type: string | undefined, body: string | Uint8Array): string {
  return `"${digest(`${type ?? ''}\n`, body).slice(0, 22)}"`;
}
