import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock } from '#mock';
import { CHROMIUM } from '../../quality/testing/chromium.ts';
import { ROOT, run, start } from '../../quality/testing/command.ts';
import { freePort } from '../../quality/testing/free-port.ts';
import { installTools, NO_REGISTRY } from '../../quality/testing/temporary-tools.ts';
import { installFromTarball, link, type Project, projectWith } from './testing/project.ts';

let project: Project;

beforeAll(async () => {
  project = await installFromTarball();
});

const page = await readFile(join(ROOT, 'docs/recipes.md'), 'utf8');

/** The files of docs/recipes.md by name. */
const RECIPES: ReadonlyMap<string, string> = new Map(
  [...page.matchAll(/^```[jt]s\n\/\/ (\S+)\n(.*?)^```/gms)].map(([, name = '', text = '']) => [name, text]),
);

/** Writes files of the page into a folder. */
async function putRecipes(folder: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, RECIPES.get(name) ?? '');
  }
}

/** A mock of the Pet Store on a port, until the test ends. */
async function openPetStore(): Promise<Mock> {
  const mock = await createMock({ document: join(ROOT, 'spec/openapi.yaml'), port: 0 });
  onTestFinished(() => mock.close());
  return mock;
}

test('the page has these files, and no other one', () => {
  expect([...RECIPES.keys()]).toEqual([
    'pets.spec.ts',
    'vite.config.js',
    'next.config.mjs',
    'app/page.js',
    'cypress.config.ts',
    'cypress/e2e/pets.cy.ts',
    'start-mock.ts',
  ]);
});

test('Playwright: a page is answered by page.route, without a port', async ({ skip }) => {
  skip(!CHROMIUM, 'no Chromium is installed');
  const folder = await projectWith(project, '@types', '@playwright', 'playwright', 'playwright-core');
  await putRecipes(folder, 'pets.spec.ts');
  await writeFile(
    join(folder, 'playwright.config.ts'),
    'export default { use: { launchOptions: { executablePath: process.env.CHROMIUM } } };',
  );
  await mkdir(join(folder, 'spec'));
  const shipped = join(folder, 'node_modules/openapi-paddock/spec/openapi.yaml');
  await copyFile(shipped, join(folder, 'spec/openapi.yaml'));
  const { code, output } = await run(folder, ['node', 'node_modules/@playwright/test/cli.js', 'test'], {
    CHROMIUM,
  });
  expect(output).toContain('1 passed');
  expect(code).toBe(0);
});

test('Vite: the development server hands the mock what is below /api', async () => {
  const folder = await projectWith(project, 'vite');
  await putRecipes(folder, 'vite.config.js');
  await writeFile(join(folder, 'index.html'), '<p>page</p>');
  const mock = await openPetStore();
  const port = String(await freePort());
  const { stop } = await start(
    folder,
    ['vite', '--port', port, '--strictPort', '--host', '127.0.0.1'],
    /ready in/,
    { API: mock.url },
  );
  onTestFinished(stop);
  const headers = { authorization: 'Bearer paddock-dev-key' };
  const response = await fetch(`http://127.0.0.1:${port}/api/pets?limit=3`, { headers });
  expect([response.status, await response.json()]).toEqual([200, (await mock.records('/pets')).slice(0, 3)]);
});

test('Next.js: the server asks the mock, and rewrites requests of pages to it', async ({ skip }) => {
  const modules = await installTools('next', ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1']);
  if (modules === undefined) return skip(NO_REGISTRY);
  const folder = dirname(modules);
  await putRecipes(folder, 'next.config.mjs', 'app/page.js');
  await writeFile(
    join(folder, 'app/layout.js'),
    'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n',
  );
  const mock = await openPetStore();
  const port = String(await freePort());
  const env = { API: mock.url, NEXT_TELEMETRY_DISABLED: '1' };
  const next = join(modules, '.bin/next');
  const { stop } = await start(
    folder,
    [next, 'dev', '--port', port, '--hostname', '127.0.0.1'],
    /Ready in/,
    env,
  );
  onTestFinished(stop);
  const [first] = (await mock.records('/pets')) as readonly { readonly name: string }[];
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain(`<p>${first?.name}</p>`);
  const headers = { authorization: 'Bearer paddock-dev-key' };
  const response = await fetch(`http://127.0.0.1:${port}/api/pets/1`, { headers });
  expect(await response.json()).toMatchObject({ id: 1 });
});

/** Recipes that cannot run here are compiled against the types of their libraries. */
test.for([
  ['cypress@15.3.0', 'cypress', ['cypress.config.ts', 'cypress/e2e/pets.cy.ts']],
  ['testcontainers@12.2.0', 'testcontainers', ['start-mock.ts']],
] as const)('%s: its files compile', async ([version, name, names], { skip }) => {
  const modules = await installTools(name, [version]);
  if (modules === undefined) return skip(NO_REGISTRY);
  const folder = await projectWith(project, '@types');
  await link(modules, folder, name);
  await putRecipes(folder, ...names);
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'esnext', '--module', 'nodenext'];
  const types = ['--types', name === 'cypress' ? 'node,cypress' : 'node'];
  const written = names.map((file) => join(folder, file));
  expect(await run(folder, ['tsc', ...options, ...types, ...written])).toEqual({ code: 0, output: '' });
});

/** Skipped if the npm registry cannot be reached. Installs examples/react-vitest with the published package, as users do. */
const REACT_TOOLS = [
  '@testing-library/dom@10.4.2',
  '@testing-library/react@16.3.3',
  'happy-dom@21.0.4',
  'vitest@5.1.1',
];
const reactTools = await installTools('react', [...REACT_TOOLS, 'react@19.3.1', 'react-dom@19.3.1']);

test.skipIf(reactTools === undefined)("the unit tests of the example's component pass", async () => {
  const folder = await projectWith(project);
  await cp(join(ROOT, 'examples/react-vitest'), folder, { recursive: true });
  const names = [...REACT_TOOLS, 'react@', 'react-dom@'].map((tool) => tool.replace(/(?<!^)@.*$/, ''));
  await link(reactTools as string, folder, ...names);
  const { code, output } = await run(folder, [
    join(reactTools as string, '.bin/vitest'),
    'run',
    '--root',
    folder,
  ]);
  expect(output).toMatch(/Tests +4 passed/);
  expect(code).toBe(0);
});
