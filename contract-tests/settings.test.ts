import { expect, test } from 'vitest';
import { resolveSettings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

const options = (target: string) => ({ target, document: 'spec/openapi.yaml' });

test.for([
  ['no scheme', 'localhost:4020/v1', /must begin with http/],
  ['another scheme', 'ftp://127.0.0.1/v1', /must begin with http/],
  ['a password', 'http://me:secret@127.0.0.1/v1', /must not hold a user/],
  ['a query', 'http://127.0.0.1/v1?x=1', /without "\?"/],
  ['elsewhere, and not a word on writes', 'https://staging.example/v1', /--allow-writes.*--read-only/],
] as const)('a target that cannot be used is refused: %s', ([, target, message]) => {
  expect(() => resolveSettings(options(target))).toThrow(SettingsError);
  expect(() => resolveSettings(options(target))).toThrow(message);
});

test('a password in the base URL is not repeated in the message', () => {
  expect(() => resolveSettings(options('http://me:secret@127.0.0.1/v1'))).toThrow(/^(?!.*secret)/);
});

test.for([
  ['http://127.0.0.1:1/v1', true],
  ['http://127.8.9.10/v1', true],
  ['http://localhost/v1', true],
  ['http://[::1]:1/v1', true],
  ['http://127.0.0.1.example/v1', false],
] as const)('writes and near misses of the key are the default on loopback only: %s', ([target, near]) => {
  const { writes, probeKey } = resolveSettings({ ...options(target), ...(near ? {} : { writes: true }) });
  expect({ writes, probeKey }).toEqual({ writes: true, probeKey: near });
});

test('a slash at the end of the base URL changes nothing', () => {
  expect(resolveSettings(options('http://127.0.0.1:1/v1/')).base.href).toBe('http://127.0.0.1:1/v1');
});
