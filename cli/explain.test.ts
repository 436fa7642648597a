import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Rejects when the program does not end with exit code 0. */
const paddock = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['cli/paddock.js', 'mock', ...args], { cwd: ROOT });

test('--explain prints each operation with its facts and their lines, and ends', async () => {
  const { stdout } = await paddock('--explain');
  expect(stdout).toMatch(/^GET \/pets +\(listPets\) +spec\/openapi\.yaml:\d+$/m);
  expect(stdout).toMatch(/^ {2}page size +limit: .* spec\/openapi\.yaml:\d+$/m);
});

test('files of a document that is split are named each', async () => {
  const { stdout } = await paddock('fixtures/specs/notices/openapi.yaml', '--explain');
  expect(stdout).toMatch(/^ {2}filter +channel: .*notices\/parameters\.yaml:\d+, .*order-base\.yaml:\d+$/m);
});
