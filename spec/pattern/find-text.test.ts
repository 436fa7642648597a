import { expect, test } from 'vitest';
import { randomOf } from '../schema/random.ts';
import demanding from '../testing/demanding-schemas.json' with { type: 'json' };
import { findText } from './find-text.ts';
import { compilePattern } from './pattern.ts';

interface Demand {
  readonly pattern: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

function textFor(sources: readonly string[], key: string, limits: Partial<Demand> = {}, not: string[] = []) {
  const { minLength: min = 0, maxLength: max = 1000 } = limits;
  const [patterns, unwanted] = [sources, not].map((some) => some.map(compilePattern));
  const random = randomOf(key);
  return findText({ patterns: patterns ?? [], not: unwanted ?? [], min, max }, () => random.next(), 20_000);
}

test.each(demanding.patterns as Demand[])('$pattern', (demand) => {
  const { pattern, minLength = 0, maxLength = 1000 } = demand;
  for (const key of ['1', '2', '3']) {
    const text = textFor([pattern], key, demand) as string;
    expect(text).toMatch(compilePattern(pattern).expression);
    expect([...text].length).toBeGreaterThanOrEqual(minLength);
    expect([...text].length).toBeLessThanOrEqual(maxLength);
    expect(textFor([pattern], key, demand)).toBe(text);
  }
});

test('a text that several expressions match, and others do not', () => {
  const text = textFor(['^[a-z\\d]{6,8}$', '\\d\\d$', '^x'], '1', { maxLength: 7 }, ['^xa', '[0-4]']);
  expect(text).toMatch(/^x(?!a)[a-z5-9]{3,4}[5-9]{2}$/);
});

test.each<[string[], Partial<Demand>, string[]?]>([
  [['^(?!a)a$'], {}],
  [['$a'], {}],
  [['[]'], {}],
  [['^a{5}$'], { maxLength: 4 }],
  [['^a', '^b'], {}],
  [['^(\\d)\\1$', '^1', '2$'], {}],
  [['^a+$'], { minLength: 3 }, ['aa']],
])('no text is like %j with %j', (sources, limits, not = []) => {
  expect(textFor(sources, '1', limits, not)).toBeUndefined();
});
