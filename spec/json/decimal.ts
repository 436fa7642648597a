/** A number as `digits` x 10^-`places`: exactly its shortest decimal form. */
export interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

export function decimal(value: number | bigint): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}

/** A decimal in units of 10^-`places`, of which it must not have more itself. */
export function scaled(value: Decimal, places: number): bigint {
  return value.digits * 10n ** BigInt(places - value.places);
}

/** Exact on the shortest decimal form of both numbers: 0.3 is a multiple of 0.1. */
export function isMultipleOf(value: number | bigint, divisor: number | bigint): boolean {
  const [left, right] = [decimal(value), decimal(divisor)];
  const places = Math.max(left.places, right.places);
  return scaled(left, places) % scaled(right, places) === 0n;
}
