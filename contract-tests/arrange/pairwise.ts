/**
 * Rows with one value for each factor, such that any two values of different factors are together in a row. Each row
 * is built from a pair that no earlier row has, and takes for every other factor the value with most new pairs.
 */
export function pairwise<T>(factors: readonly (readonly T[])[]): T[][] {
  const rows: number[][] = [];
  const keyOf = (one: number, value: number, other: number, otherValue: number) =>
    one < other ? `${one}:${value} ${other}:${otherValue}` : `${other}:${otherValue} ${one}:${value}`;
  const choices = factors.flatMap((values, factor) => values.map((_, value) => [factor, value] as const));
  const missing = new Set(
    choices.flatMap(([one, value]) =>
      choices.flatMap(([other, chosen]) => (one < other ? [keyOf(one, value, other, chosen)] : [])),
    ),
  );
  for (let [seed] = missing; seed !== undefined; [seed] = missing) {
    const row = new Map(seed.split(' ').map((part) => part.split(':').map(Number) as [number, number]));
    factors.forEach((values, factor) => {
      if (row.has(factor)) return;
      const gain = (value: number) =>
        [...row].filter(([other, chosen]) => missing.has(keyOf(factor, value, other, chosen))).length;
      const gains = values.map((_, value) => gain(value));
      row.set(factor, gains.indexOf(Math.max(...gains)));
    });
    for (const [one, value] of row)
      for (const [other, chosen] of row) missing.delete(keyOf(one, value, other, chosen));
    rows.push(factors.map((_, factor) => row.get(factor) as number));
  }
  if (rows.length === 0 && factors.length === 1) return (factors[0] ?? []).map((value) => [value]);
  return rows.map((row) => row.map((value, factor) => factors[factor]?.[value] as T));
}
