import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ROOT, run as runCommand } from '../quality/testing/command.ts';
import { runPaddock } from '../quality/testing/paddock.ts';
import { installTools } from '../quality/testing/temporary-tools.ts';
import { run, started } from './testing/run-mock.ts';

const HEADERS = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };

/**
 * A folder with the shipped document and these files, inside the clone, whose package.json makes the package's name
 * importable.
 */
async function projectOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(ROOT, 'own-code-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await copyFile(join(ROOT, 'spec/openapi.yaml'), join(folder, 'openapi.yaml'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const configOf = (mock: string, imports = '') => `${imports}
import { defineConfig } from 'openapi-paddock/config';
export default defineConfig({ document: 'openapi.yaml', mock: { port: 0, ${mock} } });
`;

const IMPORTING = configOf(
  'watch: true, operations: { getPet: async ({ next }) => ({ ...(await next()).body, name: NAME }) }',
  "import { NAME } from './name.ts';",
);

test('code is read again when a file that it imports changes, and records stay', async () => {
  const folder = await projectOf({ 'paddock.config.ts': IMPORTING, 'name.ts': "export const NAME = 'Rex';" });
  const mock = run(['--config', join(folder, 'paddock.config.ts')]);
  const { url } = await started(mock);
  const body = JSON.stringify({ name: 'Ernesto', categoryId: 7 });
  const created = await fetch(`${url}/pets`, { method: 'POST', headers: HEADERS, body });
  const { id } = (await created.json()) as { id: number };
  const nameOf = async () => {
    const response = await fetch(`${url}/pets/${id}`, { headers: HEADERS });
    return ((await response.json()) as { name: string }).name;
  };
  const says = (text: string) => vi.waitFor(() => expect(mock.output().out).toContain(text), 10_000);
  expect(await nameOf()).toBe('Rex');

  await writeFile(join(folder, 'name.ts'), "export const NAME = 'Felix';");
  await says('has changed, and is used from now on');
  expect(await nameOf()).toBe('Felix');

  await writeFile(join(folder, 'name.ts'), 'export const NAME = (;');
  await says('was refused, and the old one is still used');
  expect(await nameOf()).toBe('Felix');

  await writeFile(join(folder, 'paddock.config.ts'), IMPORTING.replace('getPet', 'gotPet'));
  await writeFile(join(folder, 'name.ts'), "export const NAME = 'Luna';");
  await says('did you mean "getPet"?');
  expect(await nameOf()).toBe('Felix');

  // Node caches the refused program by its name.
  await writeFile(join(folder, 'paddock.config.ts'), IMPORTING);
  await vi.waitFor(async () => expect(await nameOf()).toBe('Luna'), 10_000);
});

test('the log has the stack of code that throws', async () => {
  const folder = await projectOf({
    'paddock.config.mjs': configOf("operations: { listPets() { throw new TypeError('no such luck'); } }"),
  });
  const mock = run(['--config', join(folder, 'paddock.config.mjs')]);
  const { url } = await started(mock);
  const response = await fetch(`${url}/pets`, { headers: HEADERS });
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('no such luck');
  await vi.waitFor(() => expect(mock.output().err).toContain('no such luck'));
  const { err } = mock.output();
  expect(err).toMatch(
    /error: the code for listPets failed at GET \/v1\/pets\nTypeError: no such luck\n.*paddock\.config\.mjs:3/,
  );
  expect(err).not.toContain('bug of Paddock');
});

test.for([
  ['operations: { listPet: () => [] }', 'no operation "listPet": did you mean "listPets"?'],
  ['operations: { listPets: 7 }', 'mock.operations: must be an object of functions'],
  ['seed: () => [{ id: 1, name: 7 }]', 'name must be'],
  ["seed() { throw new Error('no records today') }", 'no records today'],
])('%s ends the start', async ([mock, said]) => {
  const folder = await projectOf({ 'paddock.config.js': configOf(mock as string) });
  const { code, output } = await runPaddock(['mock', '--config', join(folder, 'paddock.config.js')]);
  expect(output).toContain(said);
  expect(output).not.toContain('bug of Paddock');
  expect(code).toBe(2);
});

test('a number beside the seed in code is that of the command line', async () => {
  const folder = await projectOf({
    'paddock.config.js': configOf(
      "seed: ({ collection, seed }) => collection === '/pets' ? [{ id: 1, name: 'S' + seed, categoryId: 1 }] : undefined",
    ),
  });
  const { url } = await started(run(['--config', join(folder, 'paddock.config.js'), '--seed', '7']));
  const response = await fetch(`${url}/pets`, { headers: HEADERS });
  expect(await response.json()).toEqual([{ id: 1, name: 'S7', categoryId: 1 }]);
});

const PAGE = readFileSync(join(ROOT, 'docs/own-code.md'), 'utf8');
const tools = await installTools('own-code', ['openapi-typescript@7.13.0', 'typescript@5.9.3']);

/** Skipped if the npm registry is unreachable. */
test.skipIf(tools === undefined)(
  'the types are those of the document: a wrong name does not compile',
  async () => {
    const [config = '', program = ''] = [...PAGE.matchAll(/^```ts\n(.*?)^```/gms)].map(([, text]) => text);
    const folder = await projectOf({
      'paddock.config.ts': config,
      'program.ts': program,
      'tsconfig.json': JSON.stringify({ extends: '../tsconfig.json', include: ['*.ts'] }),
    });
    const own = { PATH: [join(tools ?? '', '.bin'), process.env.PATH].join(delimiter) };
    const generate = /^npx (openapi-typescript .*)$/m.exec(PAGE)?.[1] ?? '';
    expect(await runCommand(folder, ['sh', '-c', generate], own)).toMatchObject({ code: 0 });
    await runCommand(ROOT, ['node', 'cli/generate.ts', 'types']);
    const compile = () => runCommand(folder, [join(ROOT, 'node_modules/.bin/tsc'), '--project', folder]);
    expect(await compile()).toEqual({ code: 0, output: '' });
    const wrong = [
      ['async getPet(', 'async gotPet('],
      ['request.path.petId', 'request.path.id'],
      ["pet?.status === 'sold'", "pet?.status === 'lost'"],
      ["body: { ...answer.body, status: 'pending' }", 'body: { id: 1 }'],
    ] as const;
    for (const [index, [right, other]] of wrong.entries())
      await writeFile(join(folder, `wrong-${index}.config.ts`), config.replace(right, other));
    const { output } = await compile();
    for (const index of wrong.keys()) expect(output).toContain(`wrong-${index}.config.ts`);
    expect(output).not.toContain('paddock.config.ts');
  },
);
