import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startShop } from '../quality/mutants/by-hand/shop.ts';
import { runPaddock, startMock } from '../quality/testing/paddock.ts';
import { columnsOf } from './terminal.ts';

/** Text of a document or command line must neither control the terminal nor reveal a secret. */
const NASTY = 'a\u001b]0;title\u0007\u001b[2J\u009b31m\u202eb\rc';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terminal-'));
  return () => rm(folder, { recursive: true });
});

const paddock = (...args: string[]) => runPaddock(args);

async function written(change: object): Promise<string> {
  const parameters = [{ name: NASTY, in: 'query', schema: { type: 'string' } }];
  const get = { operationId: NASTY, summary: NASTY, parameters, responses: { 200: { description: NASTY } } };
  const document = {
    openapi: '3.1.1',
    info: { title: NASTY, version: NASTY },
    paths: { [`/${NASTY}`]: { get } },
  };
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify({ ...document, ...change }));
  return file;
}

const CONTROL = /(?!\n)\p{Cc}|[\u2028-\u202e]/u;

test('what the mock prints of a document at the start', async () => {
  const mock = await startMock([await written({})]);
  await mock.stop();
  expect(mock.output().all).toContain('title');
  expect(mock.output().all).not.toMatch(CONTROL);
});

test('what --explain prints of it', async () => {
  const { code, output } = await paddock('mock', await written({}), '--explain');
  expect({ code, controls: CONTROL.test(output) }).toEqual({ code: 0, controls: false });
});

test.each([
  ['an unknown reference', { 'x-a': 1, components: {}, security: [{ [NASTY]: [] }] }],
  ['an unknown version', { openapi: NASTY }],
  ['a reference outside the folder', { 'x-a': { $ref: `../${NASTY}.json` } }],
])('the message about a broken document: %s', async (_, change) => {
  const { code, output } = await paddock('mock', await written(change), '--explain', '--strict-document');
  expect({ code, controls: CONTROL.test(output) }).toEqual({ code: 2, controls: false });
});

test.each([
  ['--header', ['http://127.0.0.1:9/', '--header', 'Authorization Bearer my-secret']],
  ['the base URL', ['http://127.0.0.1:9/v1?token=my-secret']],
  ['its user', ['http://me:my-secret@127.0.0.1:9/v1']],
])('a secret in the wrong place of the command line is not repeated: %s', async (_, args) => {
  const { code, output } = await paddock('check', ...args);
  expect(code).toBe(2);
  expect(output).not.toContain('my-secret');
});

test('lines wrap at the width of a terminal or of COLUMNS, and not in a pipe', () => {
  const stream = (more: object) => more as NodeJS.WriteStream;
  const without = { ...process.env };
  delete without.COLUMNS;
  vi.stubGlobal('process', { ...process, env: without });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(columnsOf(stream({ isTTY: true, columns: 132 }))).toBe(132);
  expect(columnsOf(stream({ isTTY: true }))).toBe(80);
  expect(columnsOf(stream({}))).toBeUndefined();
  without.COLUMNS = '100';
  expect(columnsOf(stream({}))).toBe(100);
  without.COLUMNS = 'wide';
  expect(columnsOf(stream({}))).toBeUndefined();
});

test('a check wraps what it says between words, and leaves its commands in one line', async () => {
  const { url, apiKey, close } = await startShop({ page: (pets) => pets });
  onTestFinished(close);
  const env = { COLUMNS: '60', PADDOCK_API_KEY: apiKey };
  const { output } = await runPaddock(['check', url, '--only', 'listPets/200'], { env });
  const long = output.split('\n').filter((line) => line.length > 60 && line.trim().includes(' '));
  expect(long.filter((line) => !line.startsWith('   reproduce   curl '))).toEqual([]);
  expect(long).toHaveLength(1);
  expect(output).toMatch(/^Broken: GET \/pets ignores \?limit\n/m);
  expect(output.trimEnd().split('\n').at(-1)).toBe('The contract is broken. (exit 1)');
});
