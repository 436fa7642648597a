import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const NAMES = ['maxTime', 'maxBody', 'port', 'host', 'report', 'apiKeyEnv'];

test.for([
  ['max-time', 'maxTime'],
  ['--max-time', 'maxTime'],
  ['MaxTime', 'maxTime'],
  ['prot', 'port'],
  ['prt', 'port'],
  ['reports', 'report'],
  ['apikeyenv', 'apiKeyEnv'],
  ['latency', undefined],
  ['', undefined],
] as const)('%s: %s', ([text, expected]) => {
  expect(nearest(text, NAMES)).toBe(expected);
});

test('a name of a million letters takes no time to compare', () => {
  expect(nearest('p'.repeat(1e6), NAMES)).toBeUndefined();
});
