import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createMock, type Mock } from '#mock';
import { launch, openConsole, SHIPPED } from './testing/page.ts';

/** `npm run screenshots`: pictures of every page for docs/, taken from a mock that has just been used. */
const OUT = fileURLToPath(new URL('../docs/screenshots/', import.meta.url));

interface Picture {
  readonly name: string;
  /** The address within the console. */
  readonly address: string;
  /** What a person does before the picture is taken. */
  readonly act: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  {
    name: 'requests',
    address: '#/requests',
    act: (page) => page.getByRole('option').filter({ hasText: '/v1/pets' }).first().waitFor(),
  },
  {
    name: 'refusal',
    address: '#/requests',
    async act(page) {
      const refused = page.getByRole('option').filter({ hasText: 'POST' }).filter({ hasText: '400' });
      await refused.click();
      await page.locator('mark').nth(1).waitFor();
    },
  },
  { name: 'records', address: '#/records', act: (page) => page.getByRole('table').waitFor() },
  {
    name: 'record',
    address: '#/records',
    async act(page) {
      await page.getByRole('button', { name: 'Add record' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('name').fill('Rex');
      await form.getByLabel('categoryId').fill('many');
      await form.getByRole('button', { name: 'Add' }).click();
      await form.getByText('must be an integer').waitFor();
      await form.locator('summary').click();
      await form.locator('mark').waitFor();
    },
  },
];

const WINDOWS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 760 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 760 } },
  narrow: { colorScheme: 'light', viewport: { width: 360, height: 740 } },
};

/** A seed whose first names any font can show. */
const SEED = 80;

/** What a front-end in development sends. */
async function use({ url }: Mock): Promise<void> {
  const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
  const send = (path: string, init: RequestInit = {}) => fetch(url + path, { headers, ...init });
  const post = (body: string) => send('/pets', { method: 'POST', body });
  await send('/pets?limit=20');
  await send('/pets?status=available&limit=20');
  for (const id of [3, 7, 12]) await send(`/pets/${id}`);
  await post('{"name":"Biscuit","categoryId":4,"status":"available"}');
  await fetch(`${url}/pets`);
  await send('/pets?status=lost');
  await send('/pets/99999');
  await post('{"name":7,"status":"gone"}');
  await send('/pets?limit=20');
  await send('/pets/2?__code=404');
  await send('/pets/1', { headers: { ...headers, prefer: 'code=503' } });
  await send('/pet');
  await send('/pets?status=sold');
}

const mock = await createMock({ document: SHIPPED, port: 0, seed: SEED });
const browser = await launch();
mkdirSync(OUT, { recursive: true });
await use(mock);
for (const { name, address, act } of PICTURES) {
  for (const [window, options] of Object.entries(WINDOWS)) {
    const { page } = await openConsole(browser, `${mock.controlUrl}/${address}`, options);
    await page.getByText('Live', { exact: true }).waitFor();
    await act(page);
    writeFileSync(`${OUT}${name}-${window}.png`, await page.screenshot());
    await page.context().close();
  }
}
await browser.close();
await mock.close();
