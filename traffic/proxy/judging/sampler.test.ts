import { expect, test } from 'vitest';
import { createSampler } from './sampler.ts';

const taken = (isSampled: () => boolean, count: number) => Array.from({ length: count }, isSampled);

test('about so many are sampled, always the same ones, and not at one distance', () => {
  const first = taken(createSampler({ sample: 0.1 }), 10_000);
  expect(first).toEqual(taken(createSampler({ sample: 0.1 }), 10_000));
  const places = first.flatMap((is, at) => (is ? [at] : []));
  expect(places.length).toBeGreaterThan(900);
  expect(places.length).toBeLessThan(1100);
  expect(new Set(places.slice(1).map((at, index) => at - (places[index] ?? 0))).size).toBeGreaterThan(10);
});

test('no more are judged in a second than the limit says, and a burst has as many', () => {
  let time = 0;
  const isSampled = createSampler({ maxJudged: 5 }, () => time);
  expect(taken(isSampled, 20).filter(Boolean)).toHaveLength(5);
  time = 400;
  expect(taken(isSampled, 20).filter(Boolean)).toHaveLength(2);
  time = 60_000;
  expect(taken(isSampled, 20).filter(Boolean)).toHaveLength(5);
});

test('a limit below one is one in several seconds', () => {
  let time = 0;
  const isSampled = createSampler({ maxJudged: 0.5 }, () => time);
  const at = (seconds: number) => {
    time = seconds * 1000;
    return isSampled();
  };
  expect([0, 1, 2, 3, 4].map(at)).toEqual([true, false, true, false, true]);
});
