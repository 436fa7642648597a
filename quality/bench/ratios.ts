export function median(values: readonly number[]): number {
  const ordered = [...values].sort((left, right) => left - right);
  return ordered[Math.floor(ordered.length / 2)] ?? Number.NaN;
}

/** The median of the ratios of each round: whatever slows a whole round down cancels out. */
export function ratio(values: readonly number[] = [], limits: readonly number[] = []): number {
  return median(values.map((value, round) => value / (limits[round] ?? Number.NaN)));
}
