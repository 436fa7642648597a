/** A number as `digits` x 10^-`places`, exactly as its shortest decimal form says. */
export interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

export function decimal(value: number | bigint): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}

/** How many units of 10^-`to` a number has; `to` must not be less than its own places. */
export function scaled({ digits, places }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - places);
}

/** Exact on the shortest decimal form of both numbers: 0.3 is a multiple of 0.1. */
export function isMultipleOf(value: number | bigint, divisor: number | bigint): boolean {
  const left = decimal(value);
  const right = decimal(divisor);
  const places = Math.max(left.places, right.places);
  return scaled(left, places) % scaled(right, places) === 0n;
}
