import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../quality/testing/command.ts';
import { runPaddock, startMock, startPaddock } from '../quality/testing/paddock.ts';

/** `paddock mock --from-har` as a user runs it, and docs/record-and-play.md. */
const HAR = join(ROOT, 'fixtures/har/shop.har');
const AUTHORIZATION = { authorization: 'Bearer paddock-dev-key' };

async function started(...args: readonly string[]) {
  const mock = await startMock(args, { cwd: ROOT });
  onTestFinished(async () => {
    await mock.stop();
  });
  return mock;
}

const folder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'from-har-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
};

test('prints what docs/record-and-play.md shows', async () => {
  const page = await readFile(join(ROOT, 'docs/record-and-play.md'), 'utf8');
  const [, shown = ''] = /^```text\n(.*?)^```/ms.exec(page) ?? [];
  const isNotice = (line: string) => /^(?:notice|warning| {2}entry)/.test(line);
  const lines = shown.split('\n').slice(0, -1);
  const mock = await started('--from-har', 'fixtures/har/shop.har');
  const { out } = mock.output();
  const kept = out.slice(0, out.indexOf('\n\n') + 1).replaceAll(String(mock.port), '4020');
  // The two streams arrive independently.
  await expect.poll(() => mock.output().err).toBe(`${lines.filter(isNotice).join('\n')}\n`);
  expect(kept.split('\n').slice(0, -1)).toEqual(lines.filter((line) => !isNotice(line)));
});

test('serves the records, and nothing of the recording but these', async () => {
  const mock = await started('--from-har', HAR);
  const read = async (path: string) => (await fetch(mock.url + path, { headers: AUTHORIZATION })).text();
  expect(await read('/pets')).toBe(
    '[{"id":7,"name":"Tom","categoryId":2},{"id":8,"name":"Ines","categoryId":3,"status":"sold"},' +
      '{"id":41,"name":"Ernesto","categoryId":9007199254740993}]',
  );
  const made = await fetch(`${mock.url}/pets`, {
    method: 'POST',
    headers: { ...AUTHORIZATION, 'content-type': 'application/json' },
    body: '{"name":"New","categoryId":1}',
  });
  expect(await made.json()).toEqual({ id: 42, name: 'New', categoryId: 1 });
  const { origin } = new URL(mock.url);
  const state = await (await fetch(`${origin}/__admin/state`)).text();
  await mock.stop();
  expect(state).toContain('Ernesto');
  expect(mock.output().all).toContain('GET /v1/pets 200');
  expect(mock.output().all + state).not.toContain('6f1d-secret');
});

test('--log json reports it with the start', async () => {
  const mock = startPaddock(['mock', '--port', '0', '--log', 'json', '--from-har', HAR], { cwd: ROOT });
  onTestFinished(async () => {
    await mock.stop();
  });
  await expect.poll(() => mock.output().out).toContain('\n');
  expect(JSON.parse(mock.output().out.split('\n')[0] ?? '')).toMatchObject({
    type: 'started',
    recorded: { exchanges: 7, used: 6, collections: [{ path: '/pets', records: 3, madeUp: 0 }] },
  });
});

test('several files are one recording, and places name the file', async () => {
  const other = join(await folder(), 'other.har');
  const request = { method: 'GET', url: 'https://shop.example/v1/pets/7' };
  const pet = (name: unknown) => JSON.stringify({ id: 7, name, categoryId: 2 });
  const entries = [pet('Tomas'), pet(5)].map((text) => ({
    startedDateTime: '2026-03-05T00:00:00Z',
    request,
    response: { status: 200, content: { text } },
  }));
  await writeFile(other, JSON.stringify({ log: { entries } }));
  const mock = await started('--from-har', other, '--from-har', HAR);
  const response = await fetch(`${mock.url}/pets/7`, { headers: AUTHORIZATION });
  expect(await response.json()).toEqual({ id: 7, name: 'Tomas', categoryId: 2 });
  await expect
    .poll(() => mock.output().err)
    .toContain(`${other}: entry 2: GET /pets/{petId}: name must be a string`);
});

test('a recording of something else is a warning', async () => {
  const other = join(await folder(), 'other.har');
  await writeFile(other, '{"log":{"entries":[]}}');
  const mock = await started('--from-har', other);
  await expect
    .poll(() => mock.output().err)
    .toBe('warning: --from-har: no exchange shows a record of this document; all collections are seeded\n');
});

test.for([
  [
    'a document',
    'spec/openapi.yaml',
    /spec\/openapi.yaml is no HAR, which is a JSON object: export one with/,
  ],
  [
    'another JSON object',
    'package.json',
    /package.json is no HAR: it has no list of entries at log.entries; /,
  ],
  ['a missing file', 'nowhere.har', /nowhere.har cannot be read: ENOENT/],
] as const)('%s is a usage error', async ([, file, message]) => {
  const { code, output } = await runPaddock(['mock', '--port', '0', '--from-har', file], { cwd: ROOT });
  expect(code).toBe(2);
  expect(output).toMatch(message);
  expect(output.split('\n')).toHaveLength(2);
});
