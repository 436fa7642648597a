import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import { ROOT, run } from '../quality/testing/command.ts';
import { runPaddock, startPaddock } from '../quality/testing/paddock.ts';

const HAR = 'fixtures/har/shop.har';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'learn-'));
});

test('a HAR becomes a document, which Redocly reads without a warning and the same traffic keeps', async () => {
  const file = join(folder, 'learned.yaml');
  const learned = await runPaddock(['learn', HAR, '--output', file]);
  expect(learned.output).toContain('learned of https://shop.example/v1: 2 paths, 3 operations, 6 exchanges');
  expect(learned.code).toBe(0);
  const judged = await runPaddock(['judge', HAR, '--document', file]);
  expect(judged.code).toBe(0);
  expect(judged.output).not.toMatch(/^warning/m);
  const redocly = join(ROOT, 'node_modules/.bin/redocly');
  const linted = await run(folder, [redocly, 'lint', file], { REDOCLY_TELEMETRY: 'off' });
  expect(linted.output).toContain('Your API description is valid');
  expect(linted.output).not.toContain('warning');
});

test('with a document it becomes the overlay with which the same traffic keeps that', async () => {
  const file = join(folder, 'overlay.yaml');
  const learned = await runPaddock(['learn', 'spec/openapi.yaml', HAR, '--output', file]);
  expect(learned.output).toContain('loosens  GET /pets: query status: enum has "gone", too (2)');
  expect(learned.code).toBe(0);
  const judged = await runPaddock(['judge', HAR, '--document', 'spec/openapi.yaml', '--overlay', file]);
  expect(judged.code).toBe(0);
});

test('a log of the mock shows paths and statuses', async () => {
  const log = join(folder, 'mock.log');
  const line = (method: string, target: string, status: number) =>
    JSON.stringify({ type: 'request', at: '2026-03-04T05:06:07Z', method, target, status, ms: 1 });
  writeFileSync(
    log,
    [line('GET', '/pets?limit=2', 200), line('GET', '/pets/7', 200), line('GET', '/pets/8', 404)].join('\n'),
  );
  const file = join(folder, 'of-log.yaml');
  expect((await runPaddock(['learn', log, '--output', file])).output).toContain(
    '3 of 3 response bodies are not in the files',
  );
  expect(readFileSync(file, 'utf8')).toContain('/pets/{petId}:');
});

test('a proxy without a document writes one of what has passed, on SIGUSR2 and at its end', async () => {
  const mock = await createMock({ document: 'spec/openapi.yaml', port: 0, apiKeys: ['abc'] });
  onTestFinished(() => mock.close());
  const file = join(folder, 'of-proxy.yaml');
  const args = ['--port', '0', '--learn', file, '--log', 'json', '--verbose'];
  const proxy = startPaddock(['proxy', mock.url, ...args]);
  onTestFinished(() => void proxy.stop('SIGKILL'));
  const until = (pattern: RegExp) => expect.poll(() => proxy.output().all).toMatch(pattern);
  await until(/"url":"[^"]+"/);
  const [, url] = /"url":"([^"]+)"/.exec(proxy.output().all) ?? [];
  const ask = (path: string, options: RequestInit = {}) =>
    fetch(url + path, {
      ...options,
      headers: { authorization: 'Bearer abc', 'content-type': 'application/json' },
    });
  const made = await ask('/pets', { method: 'POST', body: '{"categoryId":7,"name":"Tom"}' });
  expect(made.status).toBe(201);
  proxy.child.kill('SIGUSR2');
  await until(/of-proxy.yaml has been written/);
  expect(readFileSync(file, 'utf8')).not.toContain('/pets/{petId}:');
  for (const id of [1, 2, 3]) await ask(`/pets/${id}`);
  expect(await proxy.stop('SIGINT')).toBe(0);
  expect(proxy.output().all).toContain('judge: the same traffic keeps it');
  expect(proxy.output().all).not.toMatch(/^warning/m);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('/pets/{petId}:');
  expect(text).toContain('operationId: createPet');
  expect(text).not.toContain('abc');
  const log = join(folder, 'proxy.log');
  writeFileSync(log, proxy.output().out);
  const ofLog = await runPaddock(['learn', log]);
  expect(ofLog.output).toContain('2 paths, 2 operations, 4 exchanges');
  expect(ofLog.code).toBe(0);
});

test('what the proxy masks is not learned either', async () => {
  const mock = await createMock({ document: 'spec/openapi.yaml', port: 0, apiKeys: ['abc'] });
  onTestFinished(() => mock.close());
  const file = join(folder, 'of-masked.yaml');
  const proxy = startPaddock(['proxy', mock.url, '--port', '0', '--learn', file, '--mask', 'name']);
  onTestFinished(() => void proxy.stop('SIGKILL'));
  await expect.poll(() => proxy.output().all).toMatch(/base URL +\S+\n/);
  const [, url] = /base URL +(\S+)/.exec(proxy.output().all) ?? [];
  const headers = { authorization: 'Bearer abc', 'content-type': 'application/json' };
  const made = { method: 'POST', headers, body: '{"categoryId":7,"name":"Esmeralda"}' };
  for (let count = 0; count < 12; count++) await fetch(`${url}/pets`, made);
  await proxy.stop('SIGINT');
  expect(proxy.output().all).not.toContain('unknown path');
  const text = readFileSync(file, 'utf8');
  expect(text).not.toMatch(/Esmeralda|abc/);
  expect(text).toContain('securitySchemes:');
  expect(text).not.toContain('enum:');
});

test('a proxy with a document writes the overlay that it lacks', async () => {
  const mock = await createMock({ document: 'spec/openapi.yaml', port: 0, apiKeys: ['abc'] });
  onTestFinished(() => mock.close());
  const lacking = join(folder, 'lacking.yaml');
  writeFileSync(
    lacking,
    'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: {/pets: {get: {responses: {"200": {description: OK}}}}}\n',
  );
  const file = join(folder, 'of-proxy-overlay.yaml');
  const proxy = startPaddock(['proxy', mock.url, lacking, '--port', '0', '--learn', file]);
  onTestFinished(() => void proxy.stop('SIGKILL'));
  await expect.poll(() => proxy.output().all).toMatch(/base URL +\S+\n/);
  const [, url] = /base URL +(\S+)/.exec(proxy.output().all) ?? [];
  await fetch(`${url}/pets`, { headers: { authorization: 'Bearer abc' } });
  await proxy.stop('SIGINT');
  expect(proxy.output().all).toContain('adds     GET /pets: application/json of status 200 (1)');
  expect(readFileSync(file, 'utf8')).toMatch(/^overlay: 1/);
});

test.for([
  ['no traffic behind a document', ['spec/openapi.yaml'], 'name the traffic behind it'],
  ['a file that is not there', ['none.har'], 'none.har'],
  ['a base URL that is none', [HAR, '--base-url', 'shop'], '"shop" is no http or https URL'],
  [
    'a service that is not in the traffic',
    [HAR, '--base-url', 'https://other.example'],
    'there is nothing to learn: of 7 exchanges, 7 to other origins',
    3,
  ],
  ['another document', ['fixtures/specs/warehouse.yaml', HAR], 'no exchange is for an operation of', 3],
] as const)('%s is refused', async ([, args, message, want = 2]) => {
  const { code, output } = await runPaddock(['learn', ...args]);
  expect(output).toContain(message);
  expect(code).toBe(want);
});
