import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '#contract-tests';
import { listening, runPaddock, startPaddock } from '../quality/testing/paddock.ts';

/** A service with one collection, as a document in JSON. */
function documentOf(name: string, url: string): string {
  const thing = {
    type: 'object',
    required: ['id', 'label'],
    properties: { id: { type: 'integer' }, label: { type: 'string' } },
  };
  const json = (schema: object) => ({ description: 'Found', content: { 'application/json': { schema } } });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const responses = { 200: json(thing), 404: { description: 'None' } };
  return JSON.stringify(
    {
      openapi: '3.1.1',
      info: { title: name, version: '1.0.0' },
      servers: [{ url }],
      paths: {
        [`/${name}`]: { get: { responses: { 200: json({ type: 'array', items: thing }) } } },
        [`/${name}/{id}`]: { get: { operationId: 'getOne', parameters: [id], responses } },
      },
    },
    null,
    2,
  );
}

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'several-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

async function mockIn(cwd: string, args: readonly string[]) {
  const mock = startPaddock(['mock', '--port', '0', ...args], { cwd });
  onTestFinished(() => void mock.stop('SIGKILL'));
  return listening(mock);
}

const TWO = {
  'cats.json': documentOf('cats', 'https://cats.example/v1'),
  'dogs.json': documentOf('dogs', 'https://dogs.example/v2'),
};

test('two documents that collide are refused with both places, and exit code 2', async () => {
  const cwd = await folderWith({ ...TWO, 'more.json': documentOf('cats', 'https://cats.example/v1') });
  const refused = await runPaddock(['mock', 'cats.json', 'more.json'], { cwd });
  expect(refused.code).toBe(2);
  expect(refused.output).toMatch(/error: more\.json:\d+:\d+: GET \/v1\/cats is also in cats\.json:\d+/);
  const mock = await mockIn(cwd, ['cats.json', '--at', '/more=more.json']);
  expect((await fetch(new URL('/more/v1/cats', mock.url))).status).toBe(200);
});

test('check without a target takes all of them: one report, and one exit code', async () => {
  const cwd = await folderWith(TWO);
  const { origin } = new URL((await mockIn(cwd, ['cats.json', 'dogs.json'])).url);
  const targets = {
    cats: { url: `${origin}/v1`, document: 'cats.json' },
    dogs: { url: `${origin}/v2`, document: 'dogs.json' },
  };
  await writeFile(join(cwd, 'paddock.config.json'), JSON.stringify({ targets }));
  const args = ['check', '--report', 'json=all.json', '--report', 'har=all.har'];
  const env = { PADDOCK_EXAMPLES: '2' };
  const good = await runPaddock(args, { cwd, env });
  expect(good.code).toBe(0);
  const report: Report = JSON.parse(await readFile(join(cwd, 'all.json'), 'utf8'));
  expect(report).toMatchObject({ verdict: 'holds', exitCode: 0 });
  expect(report.cells.map(({ operationId }) => operationId)).toContain('cats:getOne');
  expect(report.cells.map(({ operationId }) => operationId)).toContain('dogs:getOne');

  // The traffic of both is judged, each with its own document.
  const judged = await runPaddock(['judge', 'all.har', '--report', 'json=judged.json'], { cwd });
  expect(judged.code).toBe(0);
  const seen: Report = JSON.parse(await readFile(join(cwd, 'judged.json'), 'utf8'));
  expect(seen.traffic).toMatchObject({ exchanges: report.totals.requests, elsewhere: 0 });

  // A violation of one of them is reported.
  const other = TWO['dogs.json'].replace('"label": {\n', '"label": {\n "maxLength": 1,\n');
  expect(other).not.toBe(TWO['dogs.json']);
  await writeFile(join(cwd, 'dogs.json'), other);
  const bad = await runPaddock(args, { cwd, env });
  expect(bad.code).toBe(1);
  const broken: Report = JSON.parse(await readFile(join(cwd, 'all.json'), 'utf8'));
  for (const { operations } of broken.causes) for (const id of operations) expect(id).toMatch(/^dogs:/);
  expect(broken.causes.length).toBeGreaterThan(0);
});

/** Three seconds on an idle machine; on a busy one, the test only shows a collapse. */
const COLLAPSED_MS = 15_000;

test('twelve services start without a collapse', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `service${index}`);
  const files = Object.fromEntries(
    names.map((name) => [`${name}.json`, documentOf(name, `https://${name}.example/v1`)]),
  );
  const cwd = await folderWith(files);
  const begun = performance.now();
  const mock = await mockIn(cwd, Object.keys(files));
  const { origin } = new URL(mock.url);
  for (const name of names) expect((await fetch(`${origin}/v1/${name}`)).status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(COLLAPSED_MS);
});
