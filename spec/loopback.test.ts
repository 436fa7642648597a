import { expect, test } from 'vitest';
import { isLoopback } from './loopback.ts';

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['app.localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['[::ffff:7f00:1]', true],
  ['', false],
  ['0.0.0.0', false],
  ['::', false],
  ['localhost.evil.example', false],
  ['notlocalhost', false],
  ['127.0.0.1.evil.example', false],
  ['::ffff:8.8.8.8', false],
  ['[::ffff:808:808]', false],
])('%s: %s', (host, want) => {
  expect(isLoopback(host)).toBe(want);
});
