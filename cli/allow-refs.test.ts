import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runPaddock } from '../quality/testing/paddock.ts';

/** If a document refers to a file outside its folder, the message names the option that allows it, and the option works. */
const HEAD = 'openapi: 3.1.1\ninfo: {title: Split, version: "1"}\n';
const PATHS = 'paths: {/a: {get: {responses: {"200": {$ref: ../shared/answers.yaml}}}}}\n';
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'allow-refs-'));
  await mkdir(join(home, 'api'));
  await mkdir(join(home, 'shared'));
  await writeFile(join(home, 'api/openapi.yaml'), HEAD + PATHS);
  await writeFile(join(home, 'shared/answers.yaml'), 'description: Done\n');
  return () => rm(home, { recursive: true });
});

const paddock = (...args: string[]) => runPaddock(args, { cwd: home });

test.each<[string, string[], number]>([
  ['mock', ['mock', 'api/openapi.yaml', '--explain'], 0],
  // Nothing listens there, so the run ends without a verdict.
  ['check', ['check', 'http://127.0.0.1:9/', 'api/openapi.yaml', '--max-time', '1'], 3],
])('paddock %s', async (_, args, want) => {
  const refused = await paddock(...args);
  expect(refused).toMatchObject({
    code: 2,
    output: expect.stringMatching(/^error: api\/openapi\.yaml:3:40: the \$ref "\.\.\/shared\/answers\.yaml"/),
  });
  const [remedy = ''] = /--allow-refs \S+/.exec(refused.output) ?? [];
  expect(remedy).toBe('--allow-refs shared');
  expect((await paddock(...args, ...remedy.split(' '))).code).toBe(want);
});
