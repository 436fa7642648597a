/**
 * JSON with every integer as a bigint, since the shop's ids and categories have 64 bits. Written independently of the
 * contract reader, so that a mistake there cannot go unnoticed.
 */

const rawJSON = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** @throws SyntaxError */
export function readJson(text: string): unknown {
  return JSON.parse(text, (_key, value, context?: { source?: string }) => {
    if (typeof value !== 'number') return value;
    const source = context?.source ?? '';
    if (/^-?\d+$/.test(source)) return BigInt(source);
    return Number.isInteger(value) ? BigInt(value) : value;
  });
}

export function writeJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, member) => (typeof member === 'bigint' ? rawJSON(String(member)) : member),
    indent,
  );
}

const INT64 = 2n ** 63n;

export function isInt64(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= -INT64 && value < INT64;
}
