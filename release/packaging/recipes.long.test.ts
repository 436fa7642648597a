import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { CHROMIUM } from '../../quality/testing/chromium.ts';
import { run, start } from '../../quality/testing/command.ts';
import { freePort } from '../../quality/testing/free-port.ts';
import { installFromTarball, type Project, projectWith } from './testing/project.ts';
import { openPetStore, putRecipes, RECIPES } from './testing/recipes.ts';

/** The files of docs/recipes.md, as a user has them: in a project with the package from its tarball. */
const PATIENT = { timeout: 300_000 };
let project: Project;

beforeAll(async () => {
  project = await installFromTarball();
}, PATIENT.timeout);

test('the page has these files, and no other one', () => {
  expect([...RECIPES.keys()]).toEqual([
    'pets.test.ts',
    'vite.config.js',
    'next.config.mjs',
    'app/page.js',
    'cypress.config.ts',
    'cypress/e2e/pets.cy.ts',
    'start-mock.ts',
  ]);
});

test('Playwright: a page is answered by page.route, without a port', PATIENT, async ({ skip }) => {
  skip(!CHROMIUM, 'no Chromium is installed');
  const folder = await projectWith(project, '@types', 'vitest', 'playwright-core');
  await putRecipes(folder, 'pets.test.ts');
  await mkdir(join(folder, 'spec'));
  const shipped = join(folder, 'node_modules/openapi-paddock/spec/openapi.yaml');
  await copyFile(shipped, join(folder, 'spec/openapi.yaml'));
  const { code, output } = await run(folder, ['vitest', 'run']);
  expect(output).toMatch(/Tests +1 passed/);
  expect(code).toBe(0);
});

test('Vite: the development server hands the mock what is below /api', PATIENT, async () => {
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
