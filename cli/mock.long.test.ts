import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PROGRAM, runPaddock } from '../quality/testing/paddock.ts';
import { run, started } from './testing/run-mock.ts';

const DISPATCHES = new URL('../fixtures/specs/dispatches.yaml', import.meta.url).pathname;
const WAREHOUSE = new URL('../fixtures/specs/warehouse.yaml', import.meta.url).pathname;

function shell(line: string, env: Record<string, string> = {}): Promise<string> {
  const child = spawn('sh', ['-c', `${line} -s -o /dev/null -w '%{http_code}'`], {
    env: { ...process.env, ...env },
  });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  return new Promise((resolve) => child.once('close', () => resolve(out)));
}

describe('at the start', () => {
  test('it prints base URL, key, console, a curl line that works, and what is stateful', async () => {
    const { out, url } = await started(run(['--port', '0']));
    const origin = new URL(url).origin;
    expect(out.replaceAll(origin, 'ORIGIN')).toBe(
      [
        'Pet Store 1.0.0',
        '  stateful  GET   /pets          list',
        '            POST  /pets          create',
        '            GET   /pets/{petId}  read',
        '  try       curl -H "Authorization: Bearer paddock-dev-key" "ORIGIN/v1/pets"',
        '  base URL  ORIGIN/v1',
        '  key       paddock-dev-key',
        '  console   ORIGIN/__admin/',
        '\n',
      ].join('\n'),
    );
    expect(await shell(/curl .*/.exec(out)?.[0] ?? '')).toBe('200');
    expect(await shell(`curl ${/console\s+(\S+)/.exec(out)?.[1]}`)).toBe('200');
  });

  test.each<[string, { options: string[]; env: Record<string, string> }]>([
    ['on the command line', { options: ['--api-key', 'my-own-secret'], env: {} }],
    ['in the environment', { options: [], env: { PADDOCK_API_KEY: 'my-own-secret' } }],
  ])('a key %s is used and never printed', async (_, { options, env }) => {
    const mock = run([...options, '--port', '0'], env);
    const { out, url } = await started(mock);
    const line = /curl .*/.exec(out)?.[0] ?? '';
    expect(line).toContain('$PADDOCK_API_KEY');
    expect(await shell(line, { PADDOCK_API_KEY: 'my-own-secret' })).toBe('200');
    expect(await shell(`curl -H "Authorization: Bearer paddock-dev-key" ${url}/pets`)).toBe('401');
    await mock.stop();
    expect(JSON.stringify(mock.output())).not.toContain('my-own-secret');
  });

  test('any key, and no base path', async () => {
    const { out, url } = await started(run(['--any-key', '--no-base-path', '--port', '0']));
    expect(out).toContain('key       every one that is not empty');
    expect(new URL(url).pathname).toBe('/');
    expect(await shell(/curl .*/.exec(out)?.[0] ?? '')).toBe('200');
  });

  test('any key on the command line wins over a key in the environment', async () => {
    const { out } = await started(run(['--any-key', '--port', '0'], { PADDOCK_API_KEY: 'x' }));
    expect(out).toContain('every one that is not empty');
  });

  test('of many operations it lists some, and says how to see all', async () => {
    const paths = Array.from({ length: 25 }, (_, at) => [
      `/reports/${at}`,
      { get: { responses: { 200: { description: 'x' } } } },
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'mock-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'openapi.json');
    const info = { title: 'Reports', version: '1' };
    await writeFile(file, JSON.stringify({ openapi: '3.1.1', info, paths: Object.fromEntries(paths) }));
    const { out } = await started(run([file, '--port', '0']));
    const lines = out.trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('/reports/') && !line.includes('curl'))).toHaveLength(19);
    expect(lines[20]).toBe('            and 6 more: paddock explain shows all');
    // No operation needs a key.
    expect(lines.slice(21).map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
      'try',
      'base URL',
      'console',
    ]);
  });

  test('another document', async () => {
    const { out } = await started(run([WAREHOUSE, '--port', '0']));
    expect(out).toContain('Warehouse 2.4.0');
    expect(await shell(/curl .*/.exec(out)?.[0] ?? '')).toBe('200');
  });

  test('a warning where other machines can use the built-in key', async () => {
    const open = run(['--host', '0.0.0.0', '--port', '0']);
    const { url } = await started(open);
    expect(new URL(url).hostname).toBe('127.0.0.1');
    await open.stop();
    expect(open.output().err).toMatch(
      /^warning: 0\.0\.0\.0 can be reached from other machines.*--api-key\n$/,
    );
    const own = run(['--host', '0.0.0.0', '--port', '0', '--api-key', 'x']);
    await started(own);
    await own.stop();
    expect(own.output().err).toBe('');
  });

  test('a notice of the bodies that are not read', async () => {
    const mock = run([DISPATCHES, '--port', '0']);
    const { url } = await started(mock);
    const sent = {
      method: 'POST',
      headers: { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/yaml' },
    };
    const { status } = await fetch(`${url}/manifests`, { ...sent, body: 'ship: Ada' });
    expect(status).toBe(415);
    await mock.stop();
    expect(mock.output().err).toBe(
      'notice: bodies of application/yaml are not read, and refused with 415: sendManifest\n',
    );
  });

  test('options in the environment; the command line wins', async () => {
    const env = { PADDOCK_PORT: '1', PADDOCK_SEED: '7', PADDOCK_COUNT: '2', PADDOCK_LOG: 'quiet' };
    const mock = run(['--port', '0', '--count', '3'], env);
    const { url } = await started(mock);
    const headers = { authorization: 'Bearer paddock-dev-key' };
    const records = await (await fetch(`${url}/pets`, { headers })).json();
    expect(records).toHaveLength(3);
    await mock.stop();
    expect(mock.output().out).not.toContain('GET /v1/pets 200');
  });
});

test('the same seed gives the same bytes in another process', async () => {
  const listOf = async (...options: string[]) => {
    const { url } = await started(run(['--port', '0', ...options]));
    const headers = { authorization: 'Bearer paddock-dev-key' };
    return (await fetch(`${url}/pets?limit=100`, { headers })).text();
  };
  const [one, same, other] = await Promise.all([listOf(), listOf('--seed', '1'), listOf('--seed', '2')]);
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

describe('usage errors are one message and exit code 2', () => {
  test.each<[string, { given: string[]; env?: Record<string, string>; want: RegExp }]>([
    ['an unknown option', { given: ['--prot', '1'], want: /unknown option '--prot'/ }],
    [
      'an unknown option with what may be a secret',
      { given: ['--api-kye=s3cret'], want: /^error: unknown option '--api-kye'(?![\s\S]*s3cret)/ },
    ],
    [
      'a document behind a password',
      {
        given: ['http://ann:s3cret@127.0.0.1:1/a.yaml?token=s3cret'],
        want: /^error: http:\/\/ann:\*\*\*@127\.0\.0\.1:1\/a\.yaml\?token=\*\*\*:1:1: (?![\s\S]*s3cret)/,
      },
    ],
    [
      'an unknown kind of store',
      {
        given: ['--store', 'mysql://user:secret@host/name'],
        want: /^error: --store: a store must be memory, (?!.*secret)/,
      },
    ],
    [
      'a store in a missing folder',
      {
        given: ['--store', 'file:no/such/records.db'],
        want: /--store: no\/such\/records\.db cannot be opened/,
      },
    ],
    ['an invalid latency', { given: ['--latency', '150-50'], want: /--latency must be milliseconds/ }],
    ['a nonexistent date', { given: ['--now', '2030-02-31'], want: /--now must be a date/ }],
    [
      'a token that is no valid header value',
      { given: ['--admin-token', 'a b'], want: /--admin-token must have/ },
    ],
    ['a missing seed file', { given: ['--fixture', 'no.yaml'], want: /no\.yaml:1:1: cannot be read/ }],
    ['an invalid port', { given: ['--port', '65536'], want: /whole number from 0 to 65535/ }],
    ['an invalid count', { given: ['--count', '-1'], want: /--count/ }],
    ['an invalid seed in the environment', { given: [], env: { PADDOCK_SEED: 'x' }, want: /PADDOCK_SEED/ }],
    ['conflicting options for keys', { given: ['--any-key', '--api-key', 'x'], want: /exclude each other/ }],
    ['a key that is no valid header value', { given: ['--api-key', 'a b'], want: /printable ASCII/ }],
    ['an empty key', { given: ['--api-key', ''], want: /1 to 256 characters/ }],
    [
      'an address of another machine',
      {
        given: ['--host', '192.0.2.1'],
        want: /cannot listen on 192\.0\.2\.1:4020: this machine has no such address/,
      },
    ],
    [
      'a missing document',
      { given: ['nowhere.yaml'], want: /nowhere\.yaml:1:1: cannot read .*no such file/ },
    ],
    ['a file that is no document', { given: [PROGRAM], want: /paddock\.js:\d+:\d+: / }],
  ])('%s', async (_, { given, env = {}, want }) => {
    const { code, out, err } = await runPaddock(['mock', ...given], { env });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: /);
    expect(err).toMatch(want);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('a taken port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const { code, err } = await runPaddock(['mock', '--port', String(port)]);
    expect(code).toBe(2);
    expect(err).toBe(
      `error: cannot listen on 127.0.0.1:${port}: the port is taken; choose another one with --port, or --port 0 for any free one\n`,
    );
  });
});

describe('signals', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends it with exit code 0 and the log complete',
    async (signal) => {
      const mock = run(['--port', '0']);
      const { url } = await started(mock);
      await (
        await fetch(`${url}/pets?limit=0`, { headers: { authorization: 'Bearer paddock-dev-key' } })
      ).text();
      mock.child.kill(signal);
      expect(await mock.ended).toBe(0);
      expect(mock.output().out).toMatch(
        /\nGET \/v1\/pets\?limit=0 400 \d+\.\d ms\n {2}query\.limit must be at least 1, not 0 \(spec\/openapi\.yaml:\d+\)\n$/,
      );
    },
  );

  test.each([
    ['latency', ['--latency', '600000'], ''],
    ['the delay of a rule', [], 'rule'],
    ['code of the user', ['--config', 'CONFIG'], ''],
  ])('what is under way keeps it no longer than its grace: %s', async (_, args, rule) => {
    const folder = await mkdtemp(join(tmpdir(), 'signals-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const config = join(folder, 'paddock.config.mjs');
    const never = 'new Promise((resolve) => setTimeout(resolve, 600_000))';
    await writeFile(config, `export default { mock: { operations: { listPets: () => ${never} } } };`);
    const mock = run(['--port', '0', ...args.map((one) => (one === 'CONFIG' ? config : one))]);
    const { url } = await started(mock);
    const body = JSON.stringify({ operation: 'listPets', status: 200, delay: 600_000 });
    if (rule) await fetch(new URL('/__admin/answers', url), { method: 'POST', body });
    const headers = { authorization: 'Bearer paddock-dev-key' };
    const asked = fetch(`${url}/pets`, { headers }).catch(() => 'cut off');
    // The request has arrived once a later one on another connection is answered.
    await fetch(new URL('/__admin/health', url));
    mock.child.kill('SIGTERM');
    expect(await mock.ended).toBe(0);
    expect(await asked).toBe('cut off');
  });
});
