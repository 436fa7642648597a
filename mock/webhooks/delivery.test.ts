import { expect, test } from 'vitest';
import { withheldBecause } from './delivery.ts';

test.each<[string, string, boolean]>([
  ['http://hooks.example/in', 'hooks.example', true],
  ['https://hooks.example:8443/in', 'hooks.example:8443', true],
  ['https://hooks.example/in', 'hooks.example:8443', false],
  ['http://hooks.example/in', 'hooks.example:80', true],
  ['https://hooks.example/in', 'hooks.example:80', false],
  ['https://hooks.example/in', 'hooks.example:443', true],
  ['https://other.example/in', 'hooks.example', false],
])('of %s and the host %s it may be sent: %s', (url, host, isAllowed) => {
  expect(withheldBecause(url, { gone: new Set() }, [host]) === undefined).toBe(isAllowed);
});
