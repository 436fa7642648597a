import { describe, expect, test } from 'vitest';
import { schemaInUse } from '../../spec/testing/contract-of.ts';
import { TimeIsOver } from '../send/wire.ts';
import { ask, judge } from '../testing/steps.ts';
import { judgeExchange } from './all-laws.ts';
import type { Evidence } from './evidence.ts';
import type { Law } from './law.ts';

const FEW = 2500;
const TIMES = 16;
const MANY = TIMES * FEW;
/** What is linear takes as long for much at once as for little so many times, and what is quadratic 16 times as long. */
const COLLAPSE = 8;

const manyOf = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index));
const pet = (index: number) => ({ id: index + 1, name: `Hazel ${index}`, categoryId: 3, status: 'sold' });
const all = (records: object[]) => ask('listPets', { query: { limit: records.length + 1 } }, 200, records);
const sold = (most: number, records: object[]) =>
  ask('listPets', { query: { limit: most + 1, status: 'sold' } }, 200, records);

/** The shortest of three CPU times of this thread, in microseconds: what else the machine does only adds to one. */
function shortest(work: () => void, repeated = 1): number {
  const times = manyOf(3, () => {
    const began = process.threadCpuUsage();
    for (let time = 0; time < repeated; time++) work();
    const { user, system } = process.threadCpuUsage(began);
    return user + system;
  });
  return Math.min(...times);
}

describe('work on a response grows with its length, and not faster', () => {
  test.for<[string, (length: number) => () => unknown]>([
    [
      'a list in which the last id comes twice',
      (length) => {
        const steps = [all([...manyOf(length, pet), pet(length - 1)])];
        return () => judge(steps);
      },
    ],
    [
      'a list in which each record is invalid',
      (length) => {
        const steps = [all(manyOf(length, (index) => ({ ...pet(index), name: index, status: 'gone' })))];
        return () => judge(steps);
      },
    ],
    [
      'a filtered list that lacks the last record',
      (length) => {
        const records = manyOf(length, pet);
        const steps = [all(records), sold(length, records.slice(0, -1)), all(records)];
        return () => judge(steps);
      },
    ],
  ])('%s', ([, prepare]) => {
    const few = shortest(prepare(FEW), TIMES);
    expect(shortest(prepare(MANY)) / few).toBeLessThan(COLLAPSE);
  });

  test('unique items that are objects', async () => {
    const { validate } = await schemaInUse({ type: 'array', uniqueItems: true, items: { type: 'object' } });
    const workOn = (length: number) => {
      const list = manyOf(length, pet);
      return () => expect(validate(list)).toEqual([]);
    };
    expect(shortest(workOn(MANY)) / shortest(workOn(FEW), TIMES)).toBeLessThan(COLLAPSE);
    expect(validate([...manyOf(9, pet), pet(0)])).toHaveLength(1);
  });
});

test('of what a list breaks in each record some are told', () => {
  const { breaches } = judge([all(manyOf(500, (index) => ({ ...pet(index), name: index })))]);
  expect(breaches.filter((one) => one.startsWith('schema: '))).toHaveLength(20);
});

test('judging ends with the time of the run', () => {
  const slow: Law = {
    name: 'schema',
    judge() {
      const until = performance.now() + 600;
      while (performance.now() < until);
      return [];
    },
  };
  const { last } = judge([all([])]);
  const judged = (deadline: number) => () => judgeExchange(last as Evidence, [slow, slow], deadline);
  expect(judged(performance.now())).toThrow(TimeIsOver);
  expect(judged(Number.POSITIVE_INFINITY)).not.toThrow();
});
