import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { run, started } from './testing/run-mock.ts';

const shell = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'bytes-'));

afterAll(() => rm(folder, { recursive: true }));

/** The response of a new process, written to a file by curl. */
async function save(name: string, ...options: string[]): Promise<string> {
  const { url } = await started(run(['--port', '0', ...options]));
  const file = join(folder, name);
  const key = 'Authorization: Bearer paddock-dev-key';
  await shell('curl', ['--silent', '--fail', '-H', key, '-o', file, `${url}/pets?limit=100`]);
  return file;
}

test('one seed gives the same bytes in two processes, another seed others', async () => {
  const [one, two, other] = [await save('one'), await save('two'), await save('other', '--seed', '2')];
  await expect(shell('cmp', [one, two])).resolves.toMatchObject({ stdout: '' });
  await expect(shell('cmp', [one, other])).rejects.toMatchObject({ code: 1 });
});
