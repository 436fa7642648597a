import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, run } from '../quality/testing/command.ts';
import { installTools } from '../quality/testing/temporary-tools.ts';

/**
 * Skipped if the npm registry, from which the generators are installed, is unreachable. docs/typed-clients.md: its
 * generators run, their output and the programs have no type errors, and the tests pass.
 */
const PAGE = readFileSync(join(ROOT, 'docs/typed-clients.md'), 'utf8');
const IMPORTED = ['openapi-fetch@0.17.0', 'msw@3.0.5'];
const GENERATORS = ['openapi-typescript@7.13.0', 'orval@8.38.0', 'typescript@5.9.3'];
const tools = await installTools('typed-clients', [...IMPORTED, ...GENERATORS]);

const blocksOf = (language: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

/** Each names its file in its first line. */
const files = ['ts', 'js'].flatMap(blocksOf).map((text) => {
  const [, name = ''] = /^\/\/ (\S+)\n/.exec(text) ?? [];
  return { name, text };
});
const generators = blocksOf('sh')
  .flatMap((block) => block.trim().split('\n'))
  .filter((line) => line.startsWith('npx '));
let folder: string;

beforeAll(async () => {
  if (tools === undefined) return;
  // Inside the clone, whose package.json makes the package's name importable.
  folder = await mkdtemp(join(ROOT, 'typed-clients-'));
  await mkdir(join(folder, 'spec'));
  await copyFile(join(ROOT, 'spec/openapi.yaml'), join(folder, 'spec/openapi.yaml'));
  // The imports of the generated code.
  await mkdir(join(folder, 'node_modules'));
  for (const tool of IMPORTED) {
    const name = tool.replace(/@[^@]*$/, '');
    await symlink(join(tools, name), join(folder, 'node_modules', name));
  }
  for (const { name, text } of files) await writeFile(join(folder, name), text);
  const own = {
    PATH: [join(tools, '.bin'), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter),
  };
  for (const line of generators) {
    const { code, output } = await run(folder, ['sh', '-c', line.replace(/^npx /, '')], own);
    if (code !== 0) throw new Error(`${line} ended with ${code}:\n${output}`);
  }
});

afterAll(() => tools !== undefined && rm(folder, { recursive: true }));

test.skipIf(tools === undefined)('the generators write the files that the programs import', () => {
  expect(generators).toHaveLength(2);
  for (const name of ['paths.ts', 'pet-store.ts']) expect(existsSync(join(folder, name))).toBe(true);
});

test.skipIf(tools === undefined)('nothing has a type error, and a wrong member has one', async () => {
  const config = { extends: '../tsconfig.json', include: ['*.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  expect(await run(folder, ['tsc', '--project', folder])).toEqual({ code: 0, output: '' });
  const wrong = PAGE.replace(/.*^\/\/ pets\.test\.ts$(.*?)^```.*/ms, '$1').replace(
    'stored?.name',
    'stored?.nmae',
  );
  await writeFile(join(folder, 'wrong.ts'), wrong);
  const { code, output } = await run(folder, ['tsc', '--project', folder]);
  await rm(join(folder, 'wrong.ts'));
  expect(code).not.toBe(0);
  expect(output).toMatch(/wrong\.ts.*'nmae' does not exist/);
});

test.skipIf(tools === undefined)('its tests pass', async () => {
  const { code, output } = await run(folder, ['vitest', 'run', '--test-timeout=60000', '--root', folder]);
  expect(output).toMatch(/Tests +6 passed/);
  expect(code).toBe(0);
});
