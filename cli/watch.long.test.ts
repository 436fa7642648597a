import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runPaddock, startPaddock } from '../quality/testing/paddock.ts';
import { run, started } from './testing/run-mock.ts';

const SHIPPED = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));
const REWRITE_MS = 200;

async function copyOfDocument(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'watch-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'openapi.yaml');
  await copyFile(SHIPPED, file);
  return file;
}

/** Rewrites the document repeatedly, in place and by rename in turn, until it is stopped. */
function rewrite(file: string, texts: readonly string[]): () => Promise<void> {
  let isOver = false;
  const writing = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const text = texts[turn % texts.length] as string;
      if (turn % 4 < 2) await writeFile(file, text);
      else {
        await writeFile(`${file}.new`, text);
        await rename(`${file}.new`, file);
      }
      await sleep(REWRITE_MS);
    }
  })();
  return () => {
    isOver = true;
    return writing;
  };
}

test.each([
  ['with the same text', (text: string) => [text]],
  ['with another comment each time', (text: string) => [text, `${text}# Looked over once more.\n`]],
])('the suite passes while the document is rewritten %s', { timeout: 120_000 }, async (_, textsOf) => {
  const file = await copyOfDocument();
  const texts = textsOf(await readFile(file, 'utf8'));
  const mock = run([file, '--port', '0', '--watch']);
  const { url } = await started(mock);
  const stop = rewrite(file, texts);
  const checked = await runPaddock(['check', url], { env: { PADDOCK_API_KEY: 'paddock-dev-key' } });
  await stop();
  expect(checked.code).toBe(0);
  expect(checked.output.match(/ covered \d+\/\d+$/gm)).toHaveLength(8);
  expect(checked.output).toContain('The contract holds for 3 of 3 operations (8 of 8 responses). (exit 0)');
  const { out } = mock.output();
  expect(out).toContain('watching 1 file of the document');
  if (texts.length > 1) expect(out).toContain('is served from now on');
  else expect(out).not.toContain('is served from now on');
});

test('what a document breaks of one in another revision is said as soon as the mock runs', async () => {
  const file = await copyOfDocument();
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: dirname(file) });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'The document');
  const text = await readFile(file, 'utf8');
  const edited = text.replace("description: The animal's name.", '$&\n          maxLength: 5');
  await writeFile(file, edited);
  const old = 'git:HEAD:openapi.yaml';
  const options = ['openapi.yaml', '--port', '0', `--watch=${old}`];
  const mock = startPaddock(['mock', ...options], { cwd: dirname(file) });
  onTestFinished(() => void mock.stop('SIGKILL'));
  const said = async (pattern: RegExp) => {
    while (!pattern.test(mock.output().out))
      await new Promise((resolve) => mock.child.stdout?.once('data', resolve));
  };
  await said(/^openapi\.yaml:235: breaking: `name` in the request of createPet: max length none -> 5; /m);
  await said(/^1 breaking change, 0 warnings, 1 other change for clients since git:HEAD:openapi\.yaml$/m);
  await said(/^to try it: paddock compat git:HEAD:openapi\.yaml openapi\.yaml$/m);
  const { code, output } = await runPaddock(['compat', old, 'openapi.yaml'], { cwd: dirname(file) });
  expect(code).toBe(1);
  expect(output).toContain('1. `name` in the request of createPet: max length none -> 5');
  await writeFile(file, text);
  await said(/^no change for clients since git:HEAD:openapi\.yaml$/m);
});

const SEVERAL = [SHIPPED, fileURLToPath(new URL('../fixtures/compat/old.yaml', import.meta.url))];

test.for([
  ['cannot read git:no-such:a.yaml: ', [SHIPPED], 'git:no-such:a.yaml'],
  [': it is for one document, and there are several', SEVERAL, SHIPPED],
] as const)('what cannot be compared ends the start: %s', async ([message, options, old]) => {
  const { code, output } = await runPaddock(['mock', ...options, `--watch=${old}`]);
  expect(code).toBe(2);
  expect(output).toContain(message);
});

test('an error in the document is reported with its position, and the mock goes on', async () => {
  const file = await copyOfDocument();
  const mock = run([file, '--port', '0', '--watch']);
  const { url } = await started(mock);
  await writeFile(file, 'openapi: 3.1.1\npaths: [\n');
  while (!mock.output().out.includes('refused')) {
    await new Promise((resolve) => mock.child.stdout?.once('data', resolve));
  }
  expect(mock.output().out).toMatch(/openapi\.yaml:\d+:\d+: /);
  const headers = { authorization: 'Bearer paddock-dev-key' };
  expect((await fetch(`${url}/pets`, { headers })).status).toBe(200);
});
