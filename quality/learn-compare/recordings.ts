import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createMock } from '#mock';
import { install } from '../services/install.ts';
import { withInstance } from '../services/instance.ts';
import { ALERTMANAGER } from '../services/of-others/alertmanager.ts';
import { launchChromium } from '../testing/chromium.ts';

/** What Chromium has sent to a service, and what the service says of itself. */
export interface Recording {
  readonly har: string;
  /** The base URL of the service. */
  readonly url: string;
  /** The document of the service itself: what is learned is held against it. */
  readonly document: string;
}

/** @param folder of the recording @param cache where services are installed */
type Make = (folder: string, cache: string) => Promise<Recording>;

/** Of the page of each operation of the console's reference, its form sent with what is filled in. */
const ofConsole =
  (document: string): Make =>
  async (folder) => {
    const mock = await createMock({ document, port: 0 });
    const har = join(folder, 'console.har');
    try {
      await inChromium(har, async (page) => {
        await page.goto(`${mock.controlUrl}/reference`);
        const links = page.getByRole('navigation', { name: 'Operations and schemas' }).getByRole('link');
        await links.first().waitFor();
        const addresses = await links.evaluateAll((all) =>
          all.map((one) => one.getAttribute('href') ?? '').filter((one) => one.includes('#/operations/')),
        );
        // Each several times: the console offers another record where the last one is gone.
        for (const address of [...addresses, ...addresses, ...addresses]) await send(page, address);
      });
    } finally {
      await mock.close();
    }
    return { har, url: mock.url, document };
  };

async function send(page: Page, address: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/__admin/reference${address.slice(address.indexOf('#'))}`);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status', { name: 'Response' }).locator('.pill').waitFor();
}

/** What a person does on the pages of Alertmanager, whose own client is written in Elm. */
const ofAlertmanager: Make = async (folder, cache) => {
  const installed = join(cache, ALERTMANAGER.name);
  await install(ALERTMANAGER.packages, installed);
  return withInstance(ALERTMANAGER, installed, async (place) => {
    await ALERTMANAGER.fill(place);
    const har = join(folder, 'alertmanager.har');
    await inChromium(har, (page) => useAlertmanager(page, new URL(place.url).origin));
    const document = join(folder, 'alertmanager-document.yaml');
    await copyFile(await ALERTMANAGER.document(place), document);
    return { har, url: place.url, document };
  });
};

async function useAlertmanager(page: Page, origin: string): Promise<void> {
  const answered = (part: string) => page.waitForResponse((response) => response.url().includes(part));
  const show = async (view: string, part: string) => {
    const response = answered(part);
    await page.goto(`${origin}/#/${view}`);
    await response;
  };
  const match = async (text: string) => {
    await page.locator('#filter-bar-matcher').fill(text);
    await page.getByRole('button', { name: '+', exact: true, disabled: false }).first().click();
  };
  await show('alerts', '/alerts/groups');
  for (const box of ['Silenced', 'Inhibited']) {
    const response = answered('/alerts/groups');
    await page.getByText(box, { exact: true }).click();
    await response;
  }
  const filtered = answered('/alerts/groups?filter');
  await match('cluster="eu"');
  await filtered;
  await show('status', '/status');
  for (const nth of [0, 1]) {
    await show('silences', '/silences');
    const response = answered('/silence/');
    await page.getByRole('link', { name: 'View' }).nth(nth).click();
    await response;
  }
  for (const cluster of ['eu', 'us', 'ap']) {
    await page.goto(`${origin}/#/silences/new`);
    await match(`cluster="${cluster}"`);
    await page.locator('input').last().fill('ann');
    await page.locator('textarea').fill('maintenance');
    const response = answered('/silence/');
    await page.getByRole('button', { name: 'Create' }).click();
    await response;
  }
  for (const _ of [1, 2]) {
    await show('silences', '/silences');
    await page.getByRole('button', { name: 'Expire', exact: true }).first().click();
    const response = answered('/silence/');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await response;
  }
}

async function inChromium(har: string, use: (page: Page) => Promise<void>): Promise<void> {
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({
      recordHar: { path: har, content: 'embed' },
      viewport: { width: 1400, height: 1000 },
    });
    await use(await context.newPage());
    await context.close();
  } finally {
    await browser.close();
  }
}
/** Each records anew: what a browser sends is the same each time, but for the ids. */
export const RECORDINGS: Readonly<Record<string, Make>> = {
  console: ofConsole('fixtures/documents/recipe-blog.yaml'),
  alertmanager: ofAlertmanager,
};
