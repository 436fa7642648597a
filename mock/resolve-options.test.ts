import { describe, expect, test } from 'vitest';
import { createMock, type MockOptions } from './index.ts';
import { resolveOptions } from './resolve-options.ts';
import { storeAt } from './start.ts';
import { ask, SHIPPED, serve } from './testing/serve.ts';

const resolve = (options: object) =>
  resolveOptions({ document: SHIPPED, ...options } as MockOptions, storeAt);

const NAMES = [
  ...[
    'allowRefs',
    'port',
    'host',
    'apiKeys',
    'seed',
    'locale',
    'count',
    'basePath',
    'maxBody',
    'fixtures',
    'store',
  ],
  ...['replica', 'latency', 'now', 'adminToken', 'maxSessions', 'sessionIdle', 'watch', 'time', 'log'],
  ...['notice', 'progress', 'onBug', 'parts'],
] as const;

test.each(NAMES)('%s: undefined equals its default', (name) => {
  expect(resolve({ [name]: undefined })).toEqual(resolve({}));
});

test('a mock with undefined options works as one without them', async () => {
  const all = Object.fromEntries(NAMES.map((name) => [name, undefined]));
  const mock = await createMock({ ...all, document: SHIPPED });
  try {
    expect(new URL(mock.url).hostname).toBe('127.0.0.1');
    expect(Object.values((await mock.state()).records).flat()).toHaveLength(50);
    const created = await fetch(`${mock.url}/pets`, {
      method: 'POST',
      headers: { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' },
      body: '{"name":"Ernesto","categoryId":1}',
    });
    expect(created.status).toBe(201);
  } finally {
    await mock.close();
  }
});

test.each([SHIPPED, undefined, null, []])('%j in the place of options', async (given) => {
  await expect(createMock(given as unknown as MockOptions)).rejects.toThrow(
    /^options must be an object such as { document: … }, not /,
  );
});

test.each<[options: Record<string, unknown>, message: string]>([
  [{ document: undefined }, 'option document must be a path, a URL or a contract, not undefined'],
  [{ document: 7 }, 'option document must be a path, a URL or a contract, not 7'],
  [{ allowRefs: 'folder' }, 'option allowRefs must be a list of folders, files and URLs, not "folder"'],
  [{ port: 65_536 }, 'option port must be a whole number from 0 to 65535, or false, not 65536'],
  [{ port: '4020' }, 'option port must be a whole number from 0 to 65535, or false, not "4020"'],
  [{ port: true }, 'option port must be a whole number from 0 to 65535, or false, not true'],
  [{ host: '' }, 'option host must be an address, not ""'],
  [{ host: null }, 'option host must be an address, not null'],
  [{ seed: 1.5 }, 'option seed must be a whole number or a function, not 1.5'],
  [{ count: -1 }, 'option count must be a whole number from 0 to 10000000, not -1'],
  [{ count: '50' }, 'option count must be a whole number from 0 to 10000000, not "50"'],
  [{ count: Number.NaN }, 'option count must be a whole number from 0 to 10000000, not NaN'],
  [{ basePath: 'no' }, 'option basePath must be true or false, not "no"'],
  [{ maxBody: 0 }, 'option maxBody must be a number of bytes from 1 to 1073741824, not 0'],
  [{ fixtures: 'seed.yaml' }, 'option fixtures must be a list of paths and file URLs, not "seed.yaml"'],
  [
    { replica: 'a b' },
    'option replica must be 1 to 256 printable ASCII characters without spaces, not "a b"',
  ],
  [{ latency: Number.NaN }, 'option latency must be milliseconds from 0 to 600000, or a range'],
  [{ latency: -1 }, 'option latency must be milliseconds from 0 to 600000, or a range'],
  [{ latency: { low: 9, high: 1 } }, 'such as { low: 50, high: 150 }, not { low: 9, high: 1 }'],
  [
    { now: 'tomorrow' },
    'option now must be a date such as 2030-12-06 or 2030-12-06T12:00:00Z, or today, not "tomorrow"',
  ],
  [{ now: new Date('tomorrow') }, 'option now must be a date such as 2030-12-06'],
  [{ maxSessions: 0 }, 'option maxSessions must be a whole number from 1, not 0'],
  [{ sessionIdle: -1 }, 'option sessionIdle must be milliseconds from 0, not -1'],
  [{ watch: 1 }, 'option watch must be true or false, not 1'],
  [{ time: 0 }, 'option time must be a function, not 0'],
  [{ log: true }, 'option log must be a function, not true'],
  [{ notice: {} }, 'option notice must be a function, not {}'],
  [{ progress: 'yes' }, 'option progress must be a function, not "yes"'],
  [{ onBug: [] }, 'option onBug must be a function, not []'],
  [{ parts: 'store' }, 'option parts must be an object of parts, not "store"'],
  [{ sedd: 7 }, 'unknown option "sedd"; did you mean seed?'],
  [{ colour: 7 }, 'unknown option "colour"; there are document, documents, relate, allowRefs, overlays,'],
])('%o is refused', async (options, message) => {
  await expect(createMock({ document: SHIPPED, ...options } as MockOptions)).rejects.toThrow(
    expect.objectContaining({ name: 'RangeError', message: expect.stringContaining(message) }),
  );
});

describe('an option that may hold a credential', () => {
  const long = 'sesame'.repeat(50);

  test.each<[options: Record<string, unknown>, message: string]>([
    [{ apiKeys: long }, 'option apiKeys must be "any" or a list of keys of 1 to 256 bytes'],
    [{ apiKeys: [] }, 'option apiKeys must be "any" or a list of keys of 1 to 256 bytes'],
    [{ apiKeys: [long] }, 'option apiKeys must be "any" or a list of keys of 1 to 256 bytes'],
    [{ adminToken: '' }, 'option adminToken must be a text of 1 to 256 bytes'],
    [{ adminToken: long }, 'option adminToken must be a text of 1 to 256 bytes'],
    [{ store: ['postgres://sesame@host'] }, 'option store must be memory, file:PATH or postgres://...'],
  ])('%o is refused without being repeated', (options, message) => {
    expect(() => resolve(options)).toThrow(message);
    expect(() => resolve(options)).toThrow(/^(?!.*sesame)/);
  });
});

test('one error names every option that is wrong', () => {
  expect(() => resolve({ count: -1, latency: '5', sedd: 1 })).toThrow(/count .*; option latency .*; unknown/);
});

test('an invalid date for the clock of a session is refused', async () => {
  const mock = await serve(SHIPPED);
  expect(() => mock.setClock(new Date('tomorrow'))).toThrow('now must be a valid date');
  expect((await ask(mock, 'GET /pets')).status).toBe(200);
});
