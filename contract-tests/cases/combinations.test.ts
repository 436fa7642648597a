import { describe, expect, it } from 'vitest';
import { pairwise } from './pages.ts';

const FACTORS: [name: string, factors: string[][], most: number][] = [
  ['nothing', [], 0],
  ['one factor', [['a', 'b']], 2],
  [
    'two factors',
    [
      ['a', 'b'],
      ['1', '2', '3'],
    ],
    6,
  ],
  [
    'four factors',
    [
      ['a', 'b', 'c'],
      ['1', '2', '3'],
      ['x', 'y', 'z'],
      ['on', 'off'],
    ],
    12,
  ],
];

describe('pairwise', () => {
  it.each(FACTORS)('has any two values of %s in a row', (_name, factors, most) => {
    const rows = pairwise(factors);
    expect(rows.length).toBeLessThanOrEqual(most);
    for (const [one, values] of factors.entries())
      for (const [other, others] of factors.entries())
        for (const value of values)
          for (const second of others) {
            if (one === other) continue;
            expect(rows.filter((row) => row[one] === value && row[other] === second)).not.toEqual([]);
          }
    for (const row of rows) expect(row).toHaveLength(factors.length);
  });
});
