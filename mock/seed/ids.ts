import { randomOf, type Shape, sample } from '#spec';
import type { Id } from '../store/port.ts';

/** The id of the n-th record, counted from 1: the same for the same key on every machine. */
export type IdMaker = (ordinal: number) => Id;

/** UUIDs of version 7 begin with a timestamp (RFC 9562 §5.7): one millisecond per ordinal, so that they ascend. */
const FIRST_MOMENT = Date.UTC(2024, 0, 1);

export function compileIds(shape: Shape | undefined, key: string): IdMaker {
  if (!shape || shape.mainType === 'integer' || shape.mainType === 'number') {
    const low = shape?.range.low?.value ?? 1;
    const first = typeof low === 'bigint' && low > 1n ? low : Math.max(Number(low), 1);
    return typeof first === 'bigint' ? (n) => first + BigInt(n - 1) : (n) => first + n - 1;
  }
  if (shape.find('format')?.value === 'uuid') return (n) => uuidOf(n, key);
  return (n) => sample(shape, { key: `${key}/${n}` }) as Id;
}

/** Version 7, its random part keyed. */
function uuidOf(ordinal: number, key: string): string {
  const random = randomOf(`${key}/${ordinal}`);
  const hex = (bits: number) =>
    random
      .integer(0, 2 ** bits - 1)
      .toString(16)
      .padStart(bits / 4, '0');
  const time = (FIRST_MOMENT + ordinal).toString(16).padStart(12, '0');
  const variant = random.pick(['8', '9', 'a', 'b']);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(12)}-${variant}${hex(12)}-${hex(24)}${hex(24)}`;
}
