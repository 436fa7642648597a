const { createHash } = process.getBuiltinModule('node:crypto');

/** A strong entity tag (RFC 9110 §8.8.1): the same bytes of the same media type have the same one. */
export function entityTag(type: string | undefined, body: string | Uint8Array): string {
  const hash = createHash('sha256')
    .update(`${type ?? ''}\n`)
    .update(body);
  return `"${hash.digest('base64url').slice(0, 22)}"`;
}
