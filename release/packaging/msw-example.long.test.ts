import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readHar } from '#har';
import { createMock } from '#mock';
import { CHROMIUM } from '../../quality/testing/chromium.ts';
import { ROOT } from '../../quality/testing/command.ts';
import { installMsw } from '../../quality/testing/temporary-tools.ts';
import { buildExample } from './testing/build-example.ts';
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
