import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startMock } from './mock-process.ts';

/** What a document or a command line says must neither steer the terminal nor give a secret away. */
const PROGRAM = new URL('../cli/paddock.js', import.meta.url).pathname;
const NASTY = 'a\u001b]0;title\u0007\u001b[2J\u009b31m\u202eb\rc';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terminal-'));
  return () => rm(folder, { recursive: true });
});

function paddock(...args: string[]): Promise<{ code: number; output: string }> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('PADDOCK_')),
  );
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

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

const steering = /(?!\n)\p{Cc}|[\u2028-\u202e]/u;

test('what the mock prints of a document at its start', async () => {
  const mock = await startMock([await written({})]);
  mock.child.kill();
  await mock.ended;
  expect(mock.output()).toContain('title');
  expect(mock.output()).not.toMatch(steering);
});

test('what --explain prints of it', async () => {
  const { code, output } = await paddock('mock', await written({}), '--explain');
  expect({ code, steers: steering.test(output) }).toEqual({ code: 0, steers: false });
});

test.each([
  ['an unknown reference', { 'x-a': 1, components: {}, security: [{ [NASTY]: [] }] }],
  ['a version of no document', { openapi: NASTY }],
  ['a reference that leads too far', { 'x-a': { $ref: `../${NASTY}.json` } }],
])('what is said of a broken one: %s', async (_, change) => {
  const { code, output } = await paddock('mock', await written(change), '--explain');
  expect({ code, steers: steering.test(output) }).toEqual({ code: 2, steers: false });
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
