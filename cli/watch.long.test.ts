import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runPaddock } from '../quality/testing/paddock.ts';
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

/** Rewrites the document repeatedly, alternately in place and by rename, until it is stopped. */
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
