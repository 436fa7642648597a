import { globSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as suite from 'openapi-paddock/check';
import * as har from 'openapi-paddock/har';
import * as mock from 'openapi-paddock/mock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, run } from '../quality/testing/command.ts';
import { freePort } from '../quality/testing/free-port.ts';

/** The pages of the library: their programs run with the printed output, and they name all exports of the entry points. */
const PAGE = ['docs/library.md', 'docs/library-check.md']
  .map((page) => readFileSync(join(ROOT, page), 'utf8'))
  .join('\n');
const PORT = '4020';
const OUTPUT = /\/\/ → (.*)$/gm;
let folder: string;

/** Each program with the heading above it. */
const programs = PAGE.split(/^##+ /m).flatMap((section) =>
  [...section.matchAll(/^```ts\n(.*?)^```/gms)].map(([, text = '']) => ({
    heading: section.slice(0, section.indexOf('\n')),
    text,
  })),
);

beforeAll(async () => {
  // Inside the clone, whose package.json makes the package's name importable.
  folder = await mkdtemp(join(ROOT, 'library-'));
  await mkdir(join(folder, 'spec'));
  await copyFile(join(ROOT, 'spec/openapi.yaml'), join(folder, 'spec/openapi.yaml'));
});

afterAll(() => rm(folder, { recursive: true }));

test.for(programs)('the program under "$heading" prints what the page says', async ({ text }) => {
  if (text.includes("from 'vitest'")) return expectTestsToPass(text);
  const program = text.replaceAll(PORT, String(await freePort()));
  await writeFile(join(folder, 'program.ts'), program);
  const shown = [...program.matchAll(OUTPUT)].map(([, line = '']) => `${line.trim()}\n`);
  const { code, output } = await run(folder, [process.execPath, 'program.ts']);
  expect(output).toBe(shown.join(''));
  expect(code).toBe(0);
  if (text.includes('report.html')) {
    expect(await readFile(join(folder, 'report.html'), 'utf8')).toMatch(/<h1[^>]*>The contract holds/);
  }
});

async function expectTestsToPass(text: string): Promise<void> {
  await writeFile(join(folder, 'program.test.ts'), text);
  const { code, output } = await run(folder, ['vitest', 'run', '--root', folder]);
  expect(output).toMatch(/Tests +\d+ passed/);
  expect(code).toBe(0);
}

test('the programs have no type errors', async () => {
  // In the clone the entry points are .ts files, which are checked with the clone's configuration.
  const config = { extends: '../tsconfig.json', include: ['typed-*.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await Promise.all(programs.map(({ text }, index) => writeFile(join(folder, `typed-${index}.ts`), text)));
  expect(await run(folder, ['tsc', '--project', folder])).toEqual({ code: 0, output: '' });
});

/** The properties of an interface, read from its source. */
function membersOf(name: string): string[] {
  const sources = globSync('{mock,contract-tests}/**/*.ts', { cwd: ROOT });
  const texts = sources.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const declaration = new RegExp(`^export interface ${name}\\b[^{]*{\\n(.*?)^}`, 'ms');
  const [body] = texts.flatMap((text) => declaration.exec(text)?.[1] ?? []);
  return [...(body ?? '').matchAll(/^ {2}(?:readonly )?(\w+)(?:\?:|:|\()/gm)].map(
    ([, member = '']) => member,
  );
}

test.for(['Mock', 'RunningMock', 'MockSession', 'Suite'])('every member of %s is on a page', (name) => {
  const members = membersOf(name);
  expect(members.length).toBeGreaterThan(1);
  expect(members.filter((member) => !new RegExp(`\\b${member}\\b`).test(PAGE))).toEqual([]);
});

test('every function, class and constant of the entry points is on the page', () => {
  const exported = [...Object.keys(mock), ...Object.keys(har), ...Object.keys(suite)];
  expect(exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(PAGE))).toEqual([]);
});
