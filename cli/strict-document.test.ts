import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import { runPaddock } from '../quality/testing/paddock.ts';

const ODD = 'openapi: 3.1.1\npaths: {/a: {get: {responses: {"200": {description: Done}, ok: {}}}}}\n';

test('what a document is read with a warning of refuses it with --strict-document', async () => {
  const home = await mkdtemp(join(tmpdir(), 'strict-'));
  onTestFinished(() => rm(home, { recursive: true }));
  await writeFile(join(home, 'api.yaml'), ODD);
  const { contract } = await createMock({ document: join(home, 'api.yaml'), port: false });
  expect(contract.warnings).toMatchObject([
    { line: 2, message: expect.stringContaining('"ok" is no status') },
  ]);
  const commands = [
    ['mock', 'api.yaml', '--explain', '--strict-document'],
    ['mock', 'api.yaml', '--port', '0', '--strict-document'],
    ['check', 'http://127.0.0.1:9/', 'api.yaml', '--max-time', '1', '--strict-document'],
  ];
  for (const args of commands) {
    const { code, output } = await runPaddock(args, { cwd: home });
    expect({ code, output }).toEqual({
      code: 2,
      output: expect.stringContaining('api.yaml:2:60: "ok" is no status'),
    });
  }
  expect((await runPaddock(['mock', 'api.yaml', '--explain'], { cwd: home })).code).toBe(0);
});
