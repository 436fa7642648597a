/** The header fields of a message with their values, in their order; a name may repeat. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** @param raw names and values in turn, as Node has them */
export function fieldsOf(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}

/** The members of a list-based field, in lower case, all its lines together (RFC 9110 §5.6.1). */
export function listOf(fields: Fields, wanted: string): string[] {
  return fields
    .flatMap(([name, value]) => (name.toLowerCase() === wanted ? value.split(',') : []))
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '');
}

/** What is about a connection and not about a message (RFC 9110 §7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'transfer-encoding', 'upgrade'],
]);

/** What no option can take away: without it, it would be another message. */
const OF_MESSAGE: ReadonlySet<string> = new Set(['host', 'content-length']);

/** The fields that are sent on: without those of the connection that they came on, and those that `Connection` names. */
export function endToEnd(fields: Fields): Fields {
  const options = listOf(fields, 'connection');
  return fields.filter(([name]) => {
    const key = name.toLowerCase();
    return !OF_CONNECTION.has(key) && (OF_MESSAGE.has(key) || !options.includes(key));
  });
}
