import { expect, test } from 'vitest';
import { createSampler } from './repeats.ts';

const taken = (isSampled: () => boolean, count: number) => Array.from({ length: count }, isSampled);

test('about so many are sampled, always the same ones, and not at one distance', () => {
  const first = taken(createSampler({ sample: 0.1 }), 10_000);
  expect(first).toEqual(taken(createSampler({ sample: 0.1 }), 10_000));
  const places = first.flatMap((is, at) => (is ? [at] : []));
  expect(places.length).toBeGreaterThan(900);
  expect(places.length).toBeLessThan(1100);
  expect(new Set(places.slice(1).map((at, index) => at - (places[index] ?? 0))).size).toBeGreaterThan(10);
});
