import { expect, test } from 'vitest';
import { isLoopback, namesLoopback } from './loopback.ts';

test.each([
  ['localhost', true, true],
  ['LOCALHOST', true, true],
  ['127.0.0.1', true, true],
  ['127.8.9.1', true, true],
  ['::1', true, true],
  ['[::1]', true, true],
  ['app.localhost', false, true],
  ['', false, false],
  ['0.0.0.0', false, false],
  ['::', false, false],
  ['192.168.1.7', false, false],
  ['.localhost', false, false],
  ['localhost.', false, false],
  ['localhost.evil.example', false, false],
  ['notlocalhost', false, false],
  ['127.0.0.1.example', false, false],
  ['::ffff:127.0.0.1', false, false],
  ['[::ffff:7f00:1]', false, false],
])('whether only this machine reaches %s: %s; by its name: %s', (host, isOne, isNamed) => {
  expect([isLoopback(host), namesLoopback(host)]).toEqual([isOne, isNamed]);
});
