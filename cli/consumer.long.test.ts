import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listening, runPaddock, startMock, startPaddock } from '../quality/testing/paddock.ts';

/** `--consumer` as a user gives it. */
const KEY = { authorization: 'Bearer paddock-dev-key' };
const ADD = {
  method: 'POST',
  headers: { ...KEY, 'content-type': 'application/json' },
  body: '{"name":"Rex","categoryId":9007199254740993}',
};

async function inFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-consumer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return (name: string) => join(folder, name);
}

test('a mock and a proxy add to the same file', async () => {
  const at = await inFolder();
  const file = at('web.consumer.yaml');
  const mock = await startMock(['--consumer', `web=${file}`]);
  onTestFinished(() => void mock.stop('SIGKILL'));
  await (await fetch(`${mock.url.replace('/v1', '/~one/v1')}/pets?limit=7`, { headers: KEY })).text();
  const args = ['proxy', mock.url, '--port', '0', '--consumer', `web=${file}`];
  const proxy = await listening(startPaddock(args));
  onTestFinished(() => void proxy.stop('SIGKILL'));
  await (await fetch(`${proxy.url}/pets`, ADD)).text();
  proxy.child.kill('SIGUSR2');
  await expect.poll(() => readFile(file, 'utf8'), { timeout: 10_000 }).toContain('POST /pets:');
  expect(await proxy.stop()).toBe(0);
  expect(proxy.output().out).toContain(`web uses 1 operation: ${file}`);
  expect(await mock.stop()).toBe(0);
  const text = await readFile(file, 'utf8');
  expect(text).toContain('limit: { values: [ 7 ] }');
  expect(text).toContain('/categoryId: { values: [ 9007199254740993 ] }');
  expect(text).not.toContain('paddock-dev-key');
});

test('a file that somebody has broken meanwhile stays, and nothing that was seen is lost', async () => {
  const at = await inFolder();
  const file = at('web.yaml');
  const mock = await startMock(['--consumer', `web=${file}`]);
  onTestFinished(() => void mock.stop('SIGKILL'));
  await (await fetch(`${mock.url}/pets`, { headers: KEY })).text();
  await writeFile(file, 'consumer: [');
  expect(await mock.stop()).toBe(2);
  expect(await readFile(file, 'utf8')).toBe('consumer: [');
  const [, beside = ''] = /what was seen is in (\S+)/.exec(mock.output().err) ?? [];
  expect(await readFile(beside, 'utf8')).toContain('GET /pets:');
});

test('judge writes what recorded traffic uses', async () => {
  const at = await inFolder();
  const args = ['judge', 'fixtures/har/shop.har'];
  const { output } = await runPaddock([...args, '--consumer', `shop=${at('new/shop.json')}`]);
  expect(output).toMatch(/shop uses \d+ operations: /);
  const { consumer, operations } = JSON.parse(await readFile(at('new/shop.json'), 'utf8'));
  expect(consumer).toBe('shop');
  expect(Object.keys(operations).length).toBeGreaterThan(1);
});

test.for([
  ['no name', ['--consumer', 'web.yaml'], /--consumer: "web\.yaml" is not of the form name=value/],
  ['no file', ['--consumer', 'web=/dev/null'], /\/dev\/null is no file/],
  ['several documents', ['--at', '/b=fixtures/compat/old.yaml', '--consumer', 'a=b'], /several documents/],
  [
    'no such file',
    ['--consumer', 'web=package.json'],
    /--consumer: package\.json:\d+: "name" is no member here/,
  ],
] as const)('2: %s', async ([, args, message]) => {
  const { code, output } = await runPaddock(['mock', 'spec/openapi.yaml', '--port', '0', ...args]);
  expect(output).toMatch(message);
  expect(code).toBe(2);
});
