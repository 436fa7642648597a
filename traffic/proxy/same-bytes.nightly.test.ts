import { describe, expect, test } from 'vitest';
import { play, scripts } from './testing/play.ts';

const COUNT = 10_000;

describe(`${COUNT} fuzzed exchanges pass with the same bytes`, () => {
  test('to a target without a proxy, which shows what the test itself does', async () => {
    expect(await play(scripts(COUNT), undefined)).toEqual({ failures: [], count: COUNT });
  });

  test.each([
    { name: 'as they come', options: {} },
    { name: 'held back until they are judged', options: { holds: true } },
  ])(
    '$name',
    async ({ options }) => {
      expect(await play(scripts(COUNT), options)).toEqual({ failures: [], count: COUNT });
    },
    600_000,
  );
});
