import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startShop } from '../../quality/mutants/by-hand/shop.ts';
import { installJudges } from '../../quality/testing/judges.ts';
import { NO_REGISTRY } from '../../quality/testing/temporary-tools.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function paddock(
  folder: string,
  args: readonly string[],
  apiKey = '',
): Promise<{ code: number; output: string }> {
  const options = { cwd: folder, env: { PATH: process.env.PATH, PADDOCK_API_KEY: apiKey } };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(ROOT, 'cli/paddock.js'), 'check', ...args],
      options,
      (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), output: out + err });
      },
    );
  });
}

test('an unknown judge, or one that is not installed, is a usage error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const target = 'http://127.0.0.1:9/v1';
  expect(await paddock(folder, [target, '--opinion', 'prism'])).toEqual({
    code: 2,
    output:
      'error: --opinion prism: it is not installed in this project; this installs it: npm install --save-dev @stoplight/prism-cli\n',
  });
  expect(await paddock(folder, [target, '--opinion', 'optic'])).toMatchObject({
    code: 2,
    output: expect.stringContaining('must be one of prism, dredd'),
  });
});

test('terminal, HTML and Markdown show the verdicts of suite and judge side by side', async ({ skip }) => {
  const judges = await installJudges();
  if (judges === undefined) return skip(NO_REGISTRY);
  const { url, apiKey, close } = await startShop({ page: (records) => records });
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const [html, markdown] = [join(folder, 'report.html'), join(folder, 'report.md')];
  const reports = ['--report', `html=${html}`, '--report', `markdown=${markdown}`];
  const args = [url, '--only', 'limit-least$', '--opinion', 'prism', '--opinion', 'dredd', ...reports];
  const { code, output } = await paddock(judges, args, apiKey);
  await close();
  expect(output).toMatch(/^ +suite +prism$/m);
  expect(output).toMatch(/^ +listPets\/200\/limit-least +broken: page-size +no objection$/m);
  expect(output).toMatch(/^ dredd [\d.]+ sees the same in 0 of 1 cells, and differs in 1$/m);
  expect(await readFile(html, 'utf8')).toContain('<td>broken: page-size</td><td>no objection</td>');
  expect(await readFile(markdown, 'utf8')).toContain(
    '- listPets/200/limit-least: suite broken: page-size, prism no objection: received 31 records',
  );
  expect(code).toBe(1);
});
