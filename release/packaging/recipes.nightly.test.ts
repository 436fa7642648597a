import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { run, start } from '../../quality/testing/command.ts';
import { freePort } from '../../quality/testing/free-port.ts';
import { installTools, NO_REGISTRY } from '../../quality/testing/temporary-tools.ts';
import { installFromTarball, link, type Project, projectWith } from './testing/project.ts';
import { openPetStore, putRecipes } from './testing/recipes.ts';

/** The files of docs/recipes.md for large tools, in a project with the package from its tarball. */
const PATIENT = { timeout: 600_000 };
let project: Project;

beforeAll(async () => {
  project = await installFromTarball();
}, PATIENT.timeout);

test('Next.js: the server asks the mock, and rewrites requests of pages to it', PATIENT, async ({ skip }) => {
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

/** What cannot be run here is compiled: its libraries have types. */
test.for([
  ['cypress@15.3.0', 'cypress', ['cypress.config.ts', 'cypress/e2e/pets.cy.ts']],
  ['testcontainers@12.2.0', 'testcontainers', ['start-mock.ts']],
] as const)('%s: its files compile', PATIENT, async ([version, name, names], { skip }) => {
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
