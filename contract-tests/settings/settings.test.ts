import { expect, test } from 'vitest';
import { type CheckOptions, OPTION_NAMES, SettingsError } from './check-options.ts';
import { resolveSettings } from './settings.ts';

const options = (target: string) => ({ target, document: 'spec/openapi.yaml' });

test.for([
  ['no scheme', 'localhost:4020/v1', /must begin with http/],
  ['another scheme', 'ftp://127.0.0.1/v1', /must begin with http/],
  ['a password', 'http://me:secret@127.0.0.1/v1', /must not hold a user/],
  ['a query', 'http://127.0.0.1/v1?x=1', /without "\?"/],
  ['beyond loopback, without a word on writes', 'https://staging.example/v1', /--allow-writes.*--read-only/],
] as const)('an invalid target is refused: %s', ([, target, message]) => {
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
] as const)('writes are the default on loopback only: %s', ([target, near]) => {
  if (near) expect(resolveSettings(options(target)).writes).toBe(true);
  else expect(() => resolveSettings({ ...options(target), disposable: true })).toThrow(/--allow-writes/);
});

test('a slash at the end of the base URL is removed', () => {
  expect(resolveSettings(options('http://127.0.0.1:1/v1/')).base.href).toBe('http://127.0.0.1:1/v1');
});

const ABSENT = Object.fromEntries(OPTION_NAMES.map((name) => [name, undefined]));

const given = options('http://127.0.0.1:1/v1');

test.for([
  ['target', undefined, 'option target must be text, not undefined'],
  ['target', 5, 'option target must be text, not 5'],
  ['target', null, 'option target must be text, not null'],
  ['document', undefined, 'option document must be text, not undefined'],
  ['document', {}, 'option document must be text, not {}'],
  ['allowRefs', 'spec', 'option allowRefs must be a list of texts, not "spec"'],
  ['apiKey', 12345, 'option apiKey must be text without control characters, not what was given (number)'],
  [
    'headers',
    [['X-Tenant']],
    'option headers must be a list of [name, value], as HTTP allows them, not what was given (object)',
  ],
  [
    'headers',
    [['X Tenant', '1']],
    'option headers must be a list of [name, value], as HTTP allows them, not what was given (object)',
  ],
  [
    'headers',
    [['X-Tenant', '1\r\nX: 2']],
    'option headers must be a list of [name, value], as HTTP allows them, not what was given (object)',
  ],
  ['writes', 'yes', 'option writes must be true or false, not "yes"'],
  ['only', /a/, 'option only must be text or a list of texts, not /a/'],
  ['only', '(', 'option only: Invalid regular expression: /(/: Unterminated group'],
  ['only', ['a', '!['], 'option only: Invalid regular expression: /[/: Unterminated character class'],
  ['values', { id: 1 }, 'option values must be an object of texts, not { id: 1 }'],
  ['stateless', 1, 'option stateless must be true or false, not 1'],
  ['strict', ['on'], 'option strict must be a list of stability, statuses, cells, presumed, all, not ["on"]'],
  ['disposable', 0, 'option disposable must be true or false, not 0'],
  ['known', [], 'option known must be text, not []'],
  ['examples', 2.5, 'option examples must be a whole number from 0 to 1000, not 2.5'],
  ['seed', -1, 'option seed must be a whole number from 0 to 2147483647, not -1'],
  ['wait', -1, 'option wait must be a whole number from 0 to 3600, not -1'],
  ['jobs', 0, 'option jobs must be a whole number from 1 to 64, not 0'],
  ['jobs', 65, 'option jobs must be a whole number from 1 to 64, not 65'],
  ['rate', 0, 'option rate must be a number above 0, not 0'],
  ['rate', Number.POSITIVE_INFINITY, 'option rate must be a number above 0, not Infinity'],
  ['timeout', 0, 'option timeout must be a whole number from 1 to 600000, not 0'],
  ['timeout', '5s', 'option timeout must be a whole number from 1 to 600000, not "5s"'],
  ['retries', -1, 'option retries must be a whole number from 0 to 100, not -1'],
  ['retries', Number.NaN, 'option retries must be a whole number from 0 to 100, not NaN'],
  ['settle', 1n, 'option settle must be a whole number from 0 to 600000, not 1'],
  ['maxCreates', 1.5, 'option maxCreates must be a whole number from 0 to 100000, not 1.5'],
  ['maxTime', 0, 'option maxTime must be a whole number from 1 to 86400, not 0'],
  ['signal', {}, 'option signal must be an AbortSignal, not {}'],
  ['fetch', 'mock', 'option fetch must be a function, not "mock"'],
] as const)('%s: %o is refused by name', ([option, value, message]) => {
  const wrong = { ...given, [option]: value } as CheckOptions;
  expect(() => resolveSettings(wrong)).toThrow(
    expect.objectContaining({ name: 'SettingsError', option, message }),
  );
});

test('of a client certificate there is the file, and one of its key', () => {
  const clientCert = ['a.pem', 'b.pem', 'c.pem'];
  expect(() => resolveSettings({ ...options('https://localhost'), clientCert })).toThrow(
    'option clientCert: name the certificate, and the file of its key at most',
  );
});

test('an unknown option is refused by name, with the one that was probably meant', () => {
  const wrong = { ...given, retrys: 3 } as CheckOptions;
  expect(() => resolveSettings(wrong)).toThrow(/^unknown option "retrys"; did you mean retries\?$/);
});

test('undefined is absent, whatever the option', () => {
  const { target: _, document: __, ...defaults } = ABSENT;
  expect(resolveSettings({ ...given, ...defaults })).toEqual(resolveSettings(given));
});

test('an expression behind ! leaves out what the others take', () => {
  const taken = (only: CheckOptions['only']) =>
    ['getPet/200/a', 'getPet/404/b', 'listPets/200/a'].filter(resolveSettings({ ...given, only }).isChosen);
  expect(taken('^getPet')).toEqual(['getPet/200/a', 'getPet/404/b']);
  expect(taken('!^getPet')).toEqual(['listPets/200/a']);
  expect(taken(['^getPet', '/a$', '!404'])).toEqual(['getPet/200/a', 'listPets/200/a']);
});

test('no options at all are no TypeError', () => {
  expect(() => resolveSettings(undefined as never)).toThrow(
    'options must be an object such as { target: … }, not undefined',
  );
});
