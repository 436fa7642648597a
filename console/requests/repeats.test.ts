import { expect, test } from 'vitest';
import type { LoggedRequest } from '../wire.ts';
import { groupRepeats } from './repeats.ts';

const request = (number: number, target: string, status = 200) =>
  ({ number, method: 'GET', target, status, trace: { answered: {} } }) as unknown as LoggedRequest;

test('requests that follow each other and get the same are one row, but around the one that is shown', () => {
  const log = [
    request(5, '/pets'),
    request(4, '/pets'),
    request(3, '/pets', 503),
    request(2, '/a'),
    request(1, '/a'),
  ];
  const shown = (selected?: number) =>
    groupRepeats(log, selected).map(({ newest, times, key }) => [newest.number, times, key]);
  expect(shown()).toEqual([
    [5, 2, '4'],
    [3, 1, '3'],
    [2, 2, '1'],
  ]);
  expect(shown(4)).toEqual([
    [5, 1, '5'],
    [4, 1, '4'],
    [3, 1, '3'],
    [2, 2, '1'],
  ]);
});
