import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { runPaddock } from '../quality/testing/paddock.ts';

/** `paddock compat` as a user runs it. */
const OLD = 'fixtures/compat/old.yaml';
const NEW = 'fixtures/compat/new.yaml';

function run(program: string, args: readonly string[], cwd?: string) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(
      program,
      args,
      { ...(cwd !== undefined && { cwd }), env: { ...process.env, PADDOCK_EXAMPLES: '1' } },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

const compat = (args: readonly string[], cwd = '.') =>
  runPaddock(['compat', ...args], { cwd, env: { PADDOCK_EXAMPLES: '1' } });

const folderOf = () => mkdtemp(join(tmpdir(), 'paddock-compat-'));

test('0: a document and itself', async () => {
  const { code, out, err } = await compat([OLD, OLD]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^Clients of OLD are safe with NEW\. \(exit 0\)\n/);
});

test('1: both lines, and a request that worked', async () => {
  const { code, out } = await compat([OLD, NEW]);
  expect(code).toBe(1);
  expect(out).toContain(`fixtures/compat/old.yaml:10\n   NEW         400: query limit must be at most 50`);
  expect(out).toMatch(
    /\(fixtures\/compat\/new\.yaml:10\)\n +reproduce +curl -i 'http:\/\/127\.0\.0\.1:4020\/books\?limit=\d+'/,
  );
  expect(out).toContain('`[].shelf` in the 200 of listBooks: property removed;');
});

test('every report is written, and that in JSON fits its schema', async () => {
  const folder = await folderOf();
  const names = ['json', 'junit', 'html', 'sarif', 'markdown', 'ctrf', 'codequality', 'lines'];
  const { code } = await compat([
    OLD,
    NEW,
    ...names.flatMap((name) => ['--report', `${name}=${join(folder, name)}`]),
  ]);
  expect(code).toBe(1);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  for (const text of texts) expect(text).toContain('listBooks');
  const report = JSON.parse(texts[0] ?? '');
  const schema = JSON.parse(await readFile('report.schema.json', 'utf8'));
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  expect(validate(report) ? [] : validate.errors).toEqual([]);
  expect(report).toMatchObject({ verdict: 'broken', exitCode: 1, document: OLD, target: NEW });
});

test.for([
  ['no NEW', [OLD], /missing required argument 'new'/],
  ['a file that is not there', [OLD, 'no-such.yaml'], /cannot read no-such\.yaml/],
  ['no OpenAPI', ['package.json', OLD], /package\.json:/],
  [
    'a revision that is not there',
    ['git:no-such-branch:openapi.yaml', OLD],
    /cannot read git:no-such-branch:openapi\.yaml: /,
  ],
  [
    'a file that a revision does not have',
    ['git:HEAD:no-such.yaml', OLD],
    /cannot read git:HEAD:no-such\.yaml: /,
  ],
  ['a path out of the repository', ['git:HEAD:../secret.yaml', OLD], /outside of the repository/],
  ['an option in the place of a revision', ['git:--output=x:a', OLD], /is no revision/],
  ['a report that there is not', [OLD, NEW, '--report', 'har=-'], /must be one of json=FILE/],
] as const)('2: %s', async ([, args, message]) => {
  const { code, out, err } = await compat([...args]);
  expect(err).toMatch(message);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});

test('4: an operation has changed that nothing can be sent to', async () => {
  const folder = await folderOf();
  const files = ['old.json', 'new.json'].map((name) => join(folder, name));
  for (const [index, file] of files.entries()) {
    // fetch does not send TRACE.
    const operation = {
      parameters: [{ name: 'a', in: 'query', schema: { type: 'integer', default: index } }],
    };
    const paths = { '/a': { trace: { ...operation, responses: { 200: { description: 'Done.' } } } } };
    const info = { title: 'Things', version: '1' };
    await writeFile(file, JSON.stringify({ openapi: '3.1.1', info, paths }));
  }
  const { code, out } = await compat(files);
  expect(code).toBe(4);
  expect(out).toContain('No request to TRACE /a succeeded, and it has changed (exit 4)');
});

test('a revision is read with the files of its own that it refers to, and named as it was', async () => {
  const folder = await folderOf();
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], folder);
  const old = await readFile(OLD, 'utf8');
  await mkdir(join(folder, 'api/parts'), { recursive: true });
  const [paths = '', book = ''] = old.split('components:\n  schemas:\n    Book:\n');
  await writeFile(
    join(folder, 'api/openapi.yaml'),
    paths.replace('#/components/schemas/Book', './parts/book.yaml'),
  );
  await writeFile(join(folder, 'api/parts/book.yaml'), book.replace(/^ {6}/gm, ''));
  await git('init', '-q', '-b', 'main');
  await git('add', '.');
  expect((await git('commit', '-q', '-m', 'The first one')).code).toBe(0);
  await writeFile(
    join(folder, 'api/parts/book.yaml'),
    book.replace(/^ {6}/gm, '').replace('[id, title]', '[id]'),
  );

  const same = await compat(['git:HEAD:api/openapi.yaml', 'git:main:api/openapi.yaml'], folder);
  expect({ code: same.code, err: same.err }).toEqual({ code: 0, err: '' });
  const { code, out } = await compat(['git:HEAD:api/openapi.yaml', 'api/openapi.yaml'], folder);
  expect(code).toBe(1);
  expect(out).toContain(', at git:HEAD:api/parts/book.yaml:5\n');
  expect(out).toContain('(api/parts/book.yaml:5)');
  const below = await compat(['git:HEAD:./openapi.yaml', 'openapi.yaml'], join(folder, 'api'));
  expect(below.code).toBe(1);
});

test('the help has examples and exit codes', async () => {
  const { code, out } = await compat(['--help']);
  expect(code).toBe(0);
  expect(out).toContain('Examples:\n  paddock compat ');
  expect(out).toMatch(/^ {2}4 {2}incomplete/m);
});
