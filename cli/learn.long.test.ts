import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT, run } from '../quality/testing/command.ts';
import { runPaddock } from '../quality/testing/paddock.ts';

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

test.for([
  ['no traffic behind a document', ['spec/openapi.yaml'], 'name the traffic behind it'],
  ['a file that is not there', ['none.har'], 'none.har'],
  ['questions without a terminal', [HAR, '--interactive'], '--interactive: questions need a terminal'],
  ['a base URL that is none', [HAR, '--base-url', 'shop'], '"shop" is no http or https URL'],
  [
    'a service that is not in the traffic',
    [HAR, '--base-url', 'https://other.example'],
    'there is nothing to learn: of 7 exchanges, 7 to other origins',
  ],
  ['another document', ['fixtures/specs/warehouse.yaml', HAR], 'no exchange is for an operation of'],
] as const)('%s is refused', async ([, args, message]) => {
  const { code, output } = await runPaddock(['learn', ...args]);
  expect(output).toContain(message);
  expect(code).toBe(2);
});
