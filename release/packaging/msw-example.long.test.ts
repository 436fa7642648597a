import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readHar } from '#har';
import { createMock } from '#mock';
import { CHROMIUM, launchChromium } from '../../quality/testing/chromium.ts';
import { ROOT, start } from '../../quality/testing/command.ts';
import { installMsw } from '../../quality/testing/temporary-tools.ts';
import { buildExample, copyExample, OF_USERS } from './testing/build-example.ts';
import { recordExample } from './testing/record-example.ts';

/** examples/msw-vite as a user has it: built with the package that is published, and opened in a browser. */

/** What Playwright has recorded of the page is what a mock begins with. */
async function expectToBePlayed(
  har: string,
  shown: readonly string[],
  stop: () => Promise<void>,
): Promise<void> {
  // Writes the file.
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
    // The worker is the only file that is fetched once the page has begun.
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
    const requests = page.getByRole('list', { name: 'Requests' }).getByRole('button');
    await requests.filter({ hasText: '/v1/tasks' }).first().waitFor();
    await add('No');
    await requests.filter({ hasText: '422' }).click();
    await page.getByText('body.title must have at least 3 characters, not "No"').last().waitFor();

    await page.getByRole('tab', { name: 'Scenarios' }).click();
    await page.getByLabel('Operation').selectOption('POST /tasks');
    await page.getByRole('button', { name: 'Answer 503' }).click();
    await page.getByText('addTask status 503').waitFor();
    await add('Feed the cat');
    await page.getByText('used 1 of 1').waitFor();
    expect(await tasks.filter({ hasText: 'Feed the cat' }).count()).toBe(0);
    await add('Feed the cat');
    await tasks.filter({ hasText: 'Feed the cat' }).waitFor();

    await page.getByLabel('Latency').fill('400');
    await page.getByText('400 ms').waitFor();
    const begun = performance.now();
    await add('Feed the dog');
    await tasks.filter({ hasText: 'Feed the dog' }).waitFor();
    // One request that adds it, and one that shows it.
    expect(performance.now() - begun).toBeGreaterThan(800);
    await page.getByLabel('Latency').fill('0');
    await page.getByText('0 ms', { exact: true }).waitFor();

    const offline = page.getByRole('switch', { name: 'Off-line' });
    await offline.click();
    await expect.poll(() => offline.getAttribute('aria-checked')).toBe('true');
    await add('Feed the bird');
    await expect.poll(() => alert.textContent()).toBe('Failed to fetch');
    await offline.click();
    await expect.poll(() => offline.getAttribute('aria-checked')).toBe('false');

    await page.getByRole('tab', { name: 'Records' }).click();
    await page.getByRole('list', { name: 'Records of /tasks' }).getByText('Feed the dog').click();
    const record = page.getByLabel('Record as JSON');
    await record.fill((await record.inputValue()).replace('the dog', 'the fish'));
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
