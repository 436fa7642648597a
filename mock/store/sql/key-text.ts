import type { Scalar } from '../port.ts';

const { createHash } = process.getBuiltinModule('node:crypto');

/** In UTF-16 units. PostgreSQL refuses rows of an index beyond some 2,700 bytes, and a row has several columns. */
const LONGEST = 200;

/**
 * An id, or what a list selects by, as text for a column with an index: two texts are equal if and only if the
 * values are. Texts that are long, or that no database keeps as they are (U+0000, half surrogate pairs), are
 * represented by their SHA-256.
 */
export function keyText(value: Scalar): string {
  if (typeof value === 'number' || typeof value === 'bigint') return `n${value}`;
  if (typeof value !== 'string') return String(value);
  if (value.length <= LONGEST && value.isWellFormed() && !value.includes('\0')) return `s${value}`;
  // As JSON, where half a pair is an escape: in UTF-8 all of them would be the same.
  return `h${createHash('sha256').update(JSON.stringify(value)).digest('base64url')}`;
}
