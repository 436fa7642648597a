/** The least and the greatest integer that was seen; 0 if there was none beyond. */
export interface IntegerRange {
  low: number | bigint;
  high: number | bigint;
}

export function widen(range: IntegerRange, { low, high }: IntegerRange): void {
  if (low < range.low) range.low = low;
  if (high > range.high) range.high = high;
}

/** The format of integers that int32 does not hold; undefined where that does, or none does. */
export function integerFormat({ low, high }: IntegerRange): 'int64' | undefined {
  const isShort = low >= -(2 ** 31) && high < 2 ** 31;
  return !isShort && low >= -(2n ** 63n) && high < 2n ** 63n ? 'int64' : undefined;
}
