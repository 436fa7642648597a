import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configuredOptions } from './testing/configured-options.ts';

/** A verb's options with a configuration file. */

const CHECK = `
maxTime: 30
check: { jobs: 2, retries: 1, settle: 1 }
targets: { staging: { url: 'https://staging.example/v1', retries: 7 }, local: { url: 'http://127.0.0.1:4020' } }
`;

test('the command line wins over the environment, that over the file, and that over the default', async () => {
  const env = { PADDOCK_JOBS: '8', PADDOCK_SETTLE: '3' };
  const { options } = await configuredOptions('check', CHECK, ['http://x', '--settle', '9'], env);
  expect(options).toMatchObject({ settle: 9, jobs: 8, retries: 1, maxTime: 30, timeout: 10_000 });
});

test('below a target wins over below the verb, and that over the top', async () => {
  const text = `examples: 1\nseed: 1\ncheck: { seed: 2, jobs: 2 }\ntargets: { t: { url: 'http://x', jobs: 3 } }`;
  const { options, arguments: given } = await configuredOptions('check', text, ['t']);
  expect(options).toMatchObject({ examples: 1, seed: 2, jobs: 3 });
  expect(given[0]).toBe('http://x');
  expect((await configuredOptions('check', text, ['http://x'])).options).toMatchObject({ jobs: 2 });
});

test('what several verbs share is at the top, and each verb takes what it has', async () => {
  const text = 'document: a.yaml\nseed: 7\nmock: { count: 3 }';
  const mock = await configuredOptions('mock', text);
  expect(mock.options).toMatchObject({ seed: 7, count: 3 });
  expect(mock.arguments).toEqual([[join(mock.folder, 'a.yaml')]]);
  const judge = await configuredOptions('judge', text, ['traffic.har']);
  expect(judge.options).toMatchObject({ document: join(judge.folder, 'a.yaml') });
  expect((await configuredOptions('compat', text, ['a', 'b'])).options).toMatchObject({ seed: 7 });
});

test('paths count from the folder of the file, URLs and the rest stay', async () => {
  const text = `
document: https://example.com/openapi.json
allowRefs: [shared, 'https://example.com/']
overlay: o.yaml
report: { json: out/r.json, html: '-' }
mock: { fixture: [a.yaml, ../b.yaml], store: 'file:records.db' }
check: { known: known.yaml, clientCert: /etc/me.pem, only: a/b }`;
  const mock = await configuredOptions('mock', text);
  const at = (path: string) => join(mock.folder, path);
  expect(mock.arguments).toEqual([['https://example.com/openapi.json']]);
  expect(mock.options).toMatchObject({
    allowRefs: [at('shared'), 'https://example.com/'],
    overlay: [at('o.yaml')],
    fixture: [at('a.yaml'), at('../b.yaml')],
    store: `file:${at('records.db')}`,
  });
  const check = await configuredOptions('check', text, ['http://x']);
  const of = (path: string) => join(check.folder, path);
  expect(check.options).toMatchObject({
    report: [`json=${of('out/r.json')}`, 'html=-'],
    known: of('known.yaml'),
    clientCert: ['/etc/me.pem'],
    only: ['a/b'],
  });
  expect((await configuredOptions('mock', 'mock: { store: memory }')).options).toMatchObject({
    store: 'memory',
  });
});

test('values are what the command line makes of them', async () => {
  const text = `
check:
  disposable: true
  stateless: true
  insecure: false
  rate: 2.5
  only: [^a]
  value: { petId: 7, big: 9007199254740993, name: a=b, is: true }
  header: { X-Run: 1, X-Empty: '' }
mock: { log: quiet, latency: 100, basePath: true, maxBody: 1e3 }`;
  const { options } = await configuredOptions('check', text.replace('[^a]', "'[^a]'"), ['http://x']);
  expect(options).toMatchObject({
    disposable: true,
    stateless: true,
    rate: 2.5,
    only: ['[^a]'],
    value: ['petId=7', 'big=9007199254740993', 'name=a=b', 'is=true'],
    header: ['X-Run: 1', 'X-Empty: '],
  });
  expect(options.insecure).toBeUndefined();
  const mock = await configuredOptions('mock', text.replace('[^a]', "'[^a]'"));
  expect(mock.options).toMatchObject({
    log: 'quiet',
    latency: '100',
    basePath: true,
    maxBody: 1000,
  });
});

test('a list of the command line takes the place of that of the file', async () => {
  const text = 'check: { value: [a=1, b=2] }\ntargets: { t: { url: http://x, value: [] } }';
  const valuesOf = async (...args: string[]) => (await configuredOptions('check', text, args)).options.value;
  expect(await valuesOf('http://x')).toEqual(['a=1', 'b=2']);
  expect(await valuesOf('http://x', '--value', 'c=3')).toEqual(['c=3']);
  expect(await valuesOf('t')).toEqual([]);
});

test.for([
  [['http://x', '--allow-writes'], {}, { allowWrites: true, readOnly: undefined }],
  [['http://x'], { PADDOCK_ALLOW_WRITES: '1' }, { allowWrites: true, readOnly: undefined }],
  [['http://x'], {}, { allowWrites: undefined, readOnly: true }],
  [['writable'], {}, { allowWrites: true, readOnly: undefined }],
  [['neither'], {}, { allowWrites: undefined, readOnly: undefined }],
] as const)('what wins removes what it excludes: %j', async ([args, env, expected]) => {
  const text = `check: { readOnly: true }
targets: { writable: { url: http://y, allowWrites: true }, neither: { url: http://z, readOnly: false } }`;
  const { options } = await configuredOptions('check', text, args, env);
  expect({ allowWrites: options.allowWrites, readOnly: options.readOnly }).toEqual(expected);
});

test('a key of the environment wins over every key that the file accepts', async () => {
  const anyKey = async (env = {}) =>
    (await configuredOptions('mock', 'mock: { anyKey: true }', [], env)).options;
  expect(await anyKey()).toMatchObject({ anyKey: true });
  expect((await anyKey({ PADDOCK_API_KEY: 'k' })).anyKey).toBeUndefined();
});

test('secrets come from the variables that the file names', async () => {
  const text = `
apiKeyEnv: SHARED_KEYS
targets:
  staging: { url: http://x, apiKeyEnv: STAGING_KEY, credentialEnv: { basicAuth: STAGING_BASIC } }`;
  const env = { SHARED_KEYS: 'one,two', STAGING_KEY: 'secret,1', STAGING_BASIC: 'ann:secret' };
  const check = await configuredOptions('check', text, ['staging'], env);
  expect(check.options).toMatchObject({ apiKey: 'secret,1', credential: ['basicAuth=ann:secret'] });
  expect((await configuredOptions('mock', text, [], env)).options.apiKey).toEqual(['one', 'two']);
  const own = await configuredOptions('check', text, ['staging'], { ...env, PADDOCK_API_KEY: 'mine' });
  expect(own.options.apiKey).toBe('mine');
  await expect(configuredOptions('check', text, ['staging'], { STAGING_BASIC: 'a:b' })).rejects.toThrow(
    /paddock\.config\.yaml:4:40: targets\.staging\.apiKeyEnv: the environment variable STAGING_KEY, which it names, is not set/,
  );
});

test('a target is named, the only one, or the one of the environment', async () => {
  const targetOf = async (verb: string, text: string, args: string[], env = {}) =>
    (await configuredOptions(verb, text, args, env)).arguments[0];
  expect(await targetOf('check', CHECK, ['staging'])).toBe('https://staging.example/v1');
  expect(await targetOf('proxy', CHECK, ['local'])).toBe('http://127.0.0.1:4020');
  expect(await targetOf('check', CHECK, [], { PADDOCK_BASE_URL: 'local' })).toBe('http://127.0.0.1:4020');
  expect(await targetOf('check', CHECK, [], { PADDOCK_BASE_URL: 'http://y' })).toBe('http://y');
  expect(await targetOf('check', 'targets: { only: { url: http://z } }', [])).toBe('http://z');
  expect(await targetOf('check', 'maxTime: 3', [])).toBeUndefined();
  // All of them are selected.
  expect(await targetOf('check', CHECK, [])).toBeUndefined();
  await expect(targetOf('proxy', CHECK, ['stagin'])).rejects.toThrow(
    /"stagin" is neither a base URL nor a target of .*, which has staging, local; did you mean "staging"\?/,
  );
});

test('the places of options that were taken are known', async () => {
  const { places } = await configuredOptions('mock', 'mock:\n  port: 5\n  log: json', ['--port', '6']);
  const place = expect.stringMatching(/paddock\.config\.yaml:3:8$/);
  expect([...places]).toEqual([
    ['--log', place],
    ['log', place],
  ]);
});

test('a mock takes all documents that the file names, and those below mock alone where there are some', async () => {
  const targets =
    'targets: { a: { url: http://a, document: a.yaml }, b: { url: http://b, document: b.yaml } }';
  const all = await configuredOptions('mock', targets);
  expect(all.arguments).toEqual([[join(all.folder, 'a.yaml'), join(all.folder, 'b.yaml')]]);
  const own = await configuredOptions('mock', `${targets}\nmock: { document: [c.yaml, d.yaml] }`);
  expect(own.arguments).toEqual([[join(own.folder, 'c.yaml'), join(own.folder, 'd.yaml')]]);
  const named = await configuredOptions('mock', targets, ['e.yaml']);
  expect(named.arguments).toEqual([['e.yaml']]);
});
