import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { readHar } from '#har';
import { createMock } from '#mock';
import { CHROMIUM, launchChromium, openContext } from '../../quality/testing/chromium.ts';
import { ROOT, run, start } from '../../quality/testing/command.ts';
import { runPaddock } from '../../quality/testing/paddock.ts';
import { installMsw } from '../../quality/testing/temporary-tools.ts';
import { builtPackage, link } from './testing/project.ts';
import { type FileServer, serveFiles } from './testing/serve-files.ts';

/** Builds examples/msw-vite with the published package, as users do, and opens it in a browser. */

/** A mock starts with what Playwright has recorded of the page. */
async function expectToBePlayed(
  har: string,
  shown: readonly string[],
  stop: () => Promise<void>,
): Promise<void> {
  // This writes the file.
  await stop();
  const document = join(ROOT, 'examples/msw-vite/src/openapi.yaml');
  const mock = await createMock({ document, port: false, recorded: () => readHar(har) });
  onTestFinished(() => mock.close());
  const tasks = (await mock.records('/tasks')) as readonly { readonly title: string }[];
  expect(tasks.map(({ title }) => `${title} Remove`)).toEqual(shown);
  expect(mock.recorded?.misfits.map(({ kind }) => kind)).toEqual(['unknown path']);
}

test('docs/browser.md shows its code', async () => {
  const docs = await readFile(join(ROOT, 'docs/browser.md'), 'utf8');
  expect(docs).toContain(await readFile(join(ROOT, 'examples/msw-vite/src/mock.js'), 'utf8'));
});

/** Undefined: the registry cannot be reached. */
const msw = await installMsw();

test.skipIf(!CHROMIUM || msw === undefined)(
  'the example page shows, adds, refuses and removes records without a service',
  async () => {
    const { site, page, har, context } = await recordExample(msw as string);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(site.origin);
    const tasks = page.getByRole('listitem');
    const add = async (title: string) => {
      await page.getByLabel('New task').fill(title);
      await page.getByRole('button', { name: 'Add' }).click();
    };
    await tasks.nth(2).waitFor();
    expect(await tasks.count()).toBe(3);
    await add('Feed the cat');
    await tasks.filter({ hasText: 'Feed the cat' }).waitFor();
    expect(await tasks.count()).toBe(4);
    await page.getByRole('button', { name: 'Remove Feed the cat' }).click();
    await expect.poll(() => tasks.count()).toBe(3);
    expect(errors).toEqual([]);
    await add('No');
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toBe('body.title must have at least 3 characters, not "No"');
    // After the page has loaded, only the worker is fetched.
    expect(site.requested).toContain('/mockServiceWorker.js');
    expect(site.requested.filter((path) => !/^\/(?:$|assets\/|mockServiceWorker\.js$)/.test(path))).toEqual(
      [],
    );
    await expectToBePlayed(har, await tasks.allTextContents(), () => context.close());
  },
);

test.skipIf(!CHROMIUM || msw === undefined)(
  'in development the devtools are over the page: its requests, scenarios, latency, off-line, records',
  async () => {
    const { found, stop } = await start(
      await copyExample(msw as string),
      ['vite', '--host', '127.0.0.1', '--port', '0'],
      /Local: +(http\S+)/,
      OF_USERS,
    );
    onTestFinished(stop);
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(found[1] as string);
    const tasks = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem');
    const alert = page.getByRole('main').getByRole('alert');
    const add = async (title: string) => {
      await page.getByLabel('New task').fill(title);
      await page.getByRole('button', { name: 'Add' }).click();
    };
    await page.getByRole('button', { name: 'Open Paddock devtools' }).click({ timeout: 60_000 });
    const requests = page.getByRole('listbox').getByRole('option');
    await requests.filter({ hasText: '/v1/tasks' }).first().waitFor();
    await add('No');
    await requests.filter({ hasText: '422' }).click();
    await page.getByText('body.title must have at least 3 characters, not "No"').last().waitFor();

    await page.getByRole('tab', { name: 'Scenarios' }).click();
    await page.getByLabel('Requests to').selectOption('POST /tasks');
    await page.getByRole('button', { name: 'Answer 503' }).click();
    await page.getByText('POST /tasks answers 503').waitFor();
    await add('Feed the cat');
    await page.getByText('used 1 of 1').waitFor();
    await expect.poll(() => alert.textContent()).toBe('Service Unavailable');
    expect(await tasks.filter({ hasText: 'Feed the cat' }).count()).toBe(0);
    await add('Feed the cat');
    await tasks.filter({ hasText: 'Feed the cat' }).waitFor();

    await page.getByLabel('Latency').fill('400');
    await page.getByText('400 ms').waitFor();
    // The slider shows the latency before it is applied.
    const took = `(async (begun) => (await fetch('https://tasks.example/v1/tasks'), performance.now() - begun))(performance.now())`;
    await expect.poll(() => page.evaluate<number>(took)).toBeGreaterThan(390);
    const begun = performance.now();
    await add('Feed the dog');
    await tasks.filter({ hasText: 'Feed the dog' }).waitFor();
    // One request adds the task, and another reads it.
    expect(performance.now() - begun).toBeGreaterThan(800);
    await page.getByLabel('Latency').fill('0');
    await page.getByText('0 ms', { exact: true }).waitFor();

    const offline = page.getByRole('switch', { name: 'Off-line' });
    await offline.click();
    await expect.poll(() => offline.isChecked()).toBe(true);
    await add('Feed the bird');
    await expect.poll(() => alert.textContent()).toBe('Failed to fetch');
    await offline.click();
    await expect.poll(() => offline.isChecked()).toBe(false);

    await page.getByRole('tab', { name: 'Records' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: 'Feed the dog' })
      .getByRole('button', { name: /^Edit/ })
      .click();
    await page.getByRole('dialog').getByLabel('title').first().fill('Feed the fish');
    await page.getByRole('button', { name: 'Save' }).click();
    await tasks.filter({ hasText: 'Feed the fish' }).waitFor();
  },
);

test.skipIf(msw === undefined)('a production build has nothing of the devtools', async () => {
  const built = await buildExample(msw as string);
  const files = globSync('**/*.js', { cwd: built }).map((file) => readFileSync(join(built, file), 'utf8'));
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((text) => /paddock-devtools|showDevtools/.test(text))).toEqual([]);
});

test.skipIf(msw === undefined)(
  "without MSW's plugin the command in docs/browser.md puts the worker where a page fetches it",
  async () => {
    const docs = await readFile(join(ROOT, 'docs/browser.md'), 'utf8');
    const [command = ''] = /^npx msw init .*$/m.exec(docs) ?? [];
    const built = await buildExample(msw as string, command);
    const worker = await readFile(join(built, 'mockServiceWorker.js'), 'utf8');
    expect(worker).toBe(await readFile(join(msw as string, 'msw/lib/mockServiceWorker.js'), 'utf8'));
  },
);

test.skipIf(!CHROMIUM || msw === undefined)("Playwright's HAR of the example page is judged", async () => {
  const { site, page, har, context } = await recordExample(msw as string);
  await page.goto(site.origin);
  const tasks = page.getByRole('listitem');
  await tasks.nth(2).waitFor();
  await page.getByLabel('New task').fill('Feed the cat');
  await page.getByRole('button', { name: 'Add' }).click();
  await tasks.filter({ hasText: 'Feed the cat' }).waitFor();
  // This writes the file.
  await context.close();

  const judge = (file: string) =>
    runPaddock(['judge', file, '--document', join(ROOT, 'examples/msw-vite/src/openapi.yaml')]);
  const held = await judge(har);
  expect(held.output).toMatch(/listTasks +200 +covered/);
  expect(held.output).toMatch(/addTask +201 +covered/);
  expect(held.output).toContain('3 judged');
  expect(held.code).toBe(0);

  const broken = join(har, '../broken.har');
  await writeFile(broken, (await readFile(har, 'utf8')).replaceAll('\\"title\\":\\"', '\\"titel\\":\\"'));
  const found = await judge(broken);
  expect(found.output).toContain('POST /tasks accepts bodies without title');
  expect(found.output).toContain('Violated: listTasks 200, addTask 201');
  expect(found.code).toBe(1);
});

/**
 * Builds examples/msw-vite with the published package, as users do.
 * @param msw the `node_modules` with MSW
 * @param worker a command that writes MSW's service worker; without it, MSW's plugin for Vite does
 * @returns the folder of its pages
 */
async function buildExample(msw: string, worker?: string): Promise<string> {
  const folder = await copyExample(msw);
  if (worker !== undefined) {
    await rm(join(folder, 'vite.config.js'));
    const PATH = [join(msw, '.bin'), process.env.PATH].join(delimiter);
    expect(await run(folder, ['sh', '-c', worker], { PATH })).toMatchObject({ code: 0 });
  }
  const { code, output } = await run(folder, ['vite', 'build'], OF_USERS);
  expect(output).toContain('built in');
  expect(code).toBe(0);
  return join(folder, 'dist');
}

/** With the NODE_ENV of a test, Vite would make a development build. */
const OF_USERS = { NODE_ENV: undefined };

/** Copies the example without building it: a folder with the packages in its package.json. */
async function copyExample(msw: string): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'example-')), 'msw-vite');
  const isSource = (path: string) => !/\/(?:node_modules|dist)$/.test(path);
  await cp(join(ROOT, 'examples/msw-vite'), folder, { recursive: true, filter: isSource });
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await link(join(ROOT, 'node_modules'), folder, 'vite');
  await link(msw, folder, 'msw');
  await cp((await builtPackage()).built, join(modules, 'openapi-paddock'), { recursive: true });
  return folder;
}

/** The example page in a browser whose traffic Playwright records. */
interface RecordedExample {
  readonly site: FileServer;
  /** An empty page. */
  readonly page: Page;
  /** The HAR, which is written when the context closes. */
  readonly har: string;
  readonly context: BrowserContext;
}

/**
 * Builds examples/msw-vite, serves it, and opens a browser until the end of the test.
 * @param msw the `node_modules` with MSW
 */
async function recordExample(msw: string): Promise<RecordedExample> {
  const site = await serveFiles(await buildExample(msw));
  const browser = await launchChromium();
  onTestFinished(async () => {
    await browser.close();
    site.close();
  });
  const har = join(await mkdtemp(join(tmpdir(), 'example-har-')), 'traffic.har');
  const context = await openContext(browser, { recordHar: { path: har } });
  return { site, page: await context.newPage(), har, context };
}
