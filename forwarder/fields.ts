/** The header fields of a message in order; names may repeat. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** @param raw names and values alternately, as in Node */
export function fieldsOf(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}

/** The members of a list-based field in lower case, from all its lines (RFC 9110 §5.6.1). */
export function listOf(fields: Fields, wanted: string): string[] {
  return fields
    .flatMap(([name, value]) => (name.toLowerCase() === wanted ? value.split(',') : []))
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '');
}

/** Fields for a single connection, which are not forwarded (RFC 9110 §7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Fields that `Connection` cannot remove, since the message would change. */
const OF_MESSAGE: ReadonlySet<string> = new Set(['host', 'content-length']);

/** The fields to forward: without those for the incoming connection, and those named in `Connection`. */
export function endToEnd(fields: Fields): Fields {
  const options = listOf(fields, 'connection');
  return fields.filter(([name]) => {
    const key = name.toLowerCase();
    return !OF_CONNECTION.has(key) && (OF_MESSAGE.has(key) || !options.includes(key));
  });
}
