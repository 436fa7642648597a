import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type PaddockProcess, runPaddock, startPaddock } from '../quality/testing/paddock.ts';

/** Where `paddock compat` takes its documents from, and how it ends early. */
const OLD = 'fixtures/compat/old.yaml';
const NEW = 'fixtures/compat/new.yaml';

const run = (args: readonly string[], { cwd = '.', path = process.env.PATH ?? '' } = {}) =>
  runPaddock(['compat', ...args], { cwd, env: { PADDOCK_EXAMPLES: '1', PATH: path } });

const folderOf = () => mkdtemp(join(tmpdir(), 'paddock-compat-'));

async function served(
  files: Readonly<Record<string, string>>,
  heard: (path: string) => void = () => undefined,
) {
  const server = createServer((request, response) => {
    heard(request.url ?? '');
    const text = files[request.url ?? ''];
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/yaml' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('both documents may be URLs', async () => {
  const base = await served({
    '/old.yaml': await readFile(OLD, 'utf8'),
    '/new.yaml': await readFile(NEW, 'utf8'),
  });
  const { code, out, err } = await run([`${base}/old.yaml`, `${base}/new.yaml`]);
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out).toContain(`${base}/old.yaml:10\n`);
  expect(out).toContain(`(${base}/new.yaml:10)`);
  const missing = await run([`${base}/old.yaml`, `${base}/none.yaml`]);
  expect(missing).toMatchObject({ code: 2, out: '' });
  expect(missing.err).toContain(`${base}/none.yaml`);
});

test('without git, and outside of a repository, a revision is refused', async () => {
  const cwd = await folderOf();
  const outside = await run(['git:HEAD:openapi.yaml', join(process.cwd(), OLD)], { cwd });
  expect(outside).toMatchObject({ code: 2, out: '' });
  expect(outside.err).toMatch(/cannot read git:HEAD:openapi\.yaml: .*not a git repository/);
  const path = join(cwd, 'bin');
  await mkdir(path);
  const without = await run(['git:HEAD:openapi.yaml', join(process.cwd(), OLD)], { cwd, path });
  expect(without).toMatchObject({ code: 2, out: '' });
  expect(without.err).toContain('cannot read git:HEAD:openapi.yaml: git is not installed');
});

test.for(['git:--output=made:x', 'git:-c:x', 'git::x'])('%s is given to no git', async (text) => {
  const cwd = await folderOf();
  // A git that prints that it was called.
  const bin = join(cwd, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'git'), `#!/bin/sh\necho called >> '${cwd}/called'\nexit 1\n`, { mode: 0o755 });
  const path = [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
  const { code, out } = await run([text, join(process.cwd(), OLD)], { cwd, path });
  expect({ code, out }).toEqual({ code: 2, out: '' });
  await expect(readFile(join(cwd, 'called'))).rejects.toThrow('ENOENT');
  await expect(readFile(join(cwd, 'made'))).rejects.toThrow('ENOENT');
});

test('a report on standard output stands there alone', async () => {
  const { code, out, err } = await run([OLD, NEW, '--report', 'json=-']);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ verdict: 'broken', exitCode: 1 });
  expect(err).toContain('NEW breaks clients of OLD. (exit 1)');
});

test('accepted breaks do not gate, and what is not there any more is reported', async () => {
  const folder = await folderOf();
  const known = async (until: string) => {
    const entries = [
      { case: 'listBooks/200/compat', until },
      { case: 'getBook/200/compat', until, law: 'schema' },
    ];
    const file = join(folder, 'known.json');
    await writeFile(file, JSON.stringify(entries));
    return run([OLD, NEW, '--known', file]);
  };
  const accepted = await known('2999-01-01');
  expect(accepted.code).toBe(0);
  expect(accepted.out).toContain('(known until 2999-01-01)');
  expect(accepted.out).toContain('getBook/200/compat (--known): there is no such break any more');
  const over = await known('2020-01-01');
  expect(over.code).toBe(1);
  expect(over.out).toContain('listBooks/200/compat (--known): the entry expired on 2020-01-01');
  await writeFile(join(folder, 'known.json'), '{}');
  const refused = await run([OLD, NEW, '--known', join(folder, 'known.json')]);
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toContain('the file must hold a list');
});

test('what is odd in either document is reported', async () => {
  const folder = await folderOf();
  const file = join(folder, 'odd.yaml');
  await writeFile(file, (await readFile(OLD, 'utf8')).replace('type: integer', 'type: whole'));
  const { err } = await run([OLD, file]);
  expect(err).toMatch(/^warning: .*odd\.yaml:\d+:\d+: /);
  const strict = await run([OLD, file, '--strict-document']);
  expect(strict).toMatchObject({ code: 2, out: '' });
});

/** So many that their suite outlasts a signal. */
const OPERATIONS = 100;

function large(maximum: number): string {
  const paths = Object.fromEntries(
    Array.from({ length: OPERATIONS }, (_, index) => [
      `/things${index}`,
      {
        get: {
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', maximum, default: maximum } },
          ],
          responses: { 200: { description: 'Done.' } },
        },
      },
    ]),
  );
  return JSON.stringify({ openapi: '3.1.1', info: { title: 'Things', version: '1' }, paths }, undefined, 1);
}

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s: %i, with what was found until then', async ([signal, exitCode]) => {
  const report = join(await folderOf(), 'report.json');
  let begun: PaddockProcess | undefined;
  const base = await served({ '/old.json': large(9), '/new.json': large(5) }, (path) => {
    // Differences between the documents are found all the same.
    if (path === '/new.json') begun?.child.kill(signal);
  });
  const args = ['compat', `${base}/old.json`, `${base}/new.json`, '--report', `json=${report}`];
  begun = startPaddock(args, { env: { PADDOCK_EXAMPLES: '1000' } });
  const code = await begun.ended;
  const { out, err } = begun.output();
  expect({ code, err }).toEqual({ code: exitCode, err: '\ninterrupted\n' });
  expect(out).toContain(`NEW breaks clients of OLD. Interrupted (exit ${exitCode})`);
  const written = JSON.parse(await readFile(report, 'utf8'));
  expect(written).toMatchObject({ verdict: 'broken', reason: 'interrupted', exitCode });
  expect(written.findings.length).toBe(OPERATIONS);
});
