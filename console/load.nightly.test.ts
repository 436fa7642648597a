import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createMock, type MockOptions } from '#mock';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { openConsole, SHIPPED } from './testing/page.ts';

const KEY = { authorization: 'Bearer paddock-dev-key' };

/** In milliseconds; a page that needs longer for a click has collapsed. */
const PATIENCE = 5000;

describeInChromium('under load', (browser) => {
  async function open(path: string, options: Partial<MockOptions> = {}) {
    const mock = await createMock({ document: SHIPPED, port: 0, ...options });
    onTestFinished(() => mock.close());
    const { page, complaints } = await openConsole(browser(), mock.controlUrl + path);
    await page.getByText('Live', { exact: true }).waitFor();
    return { mock, page, complaints };
  }

  /** The longest time that the page was busy, from now on. */
  async function watchFreezes(page: Page): Promise<() => Promise<number>> {
    await page.evaluate(`{
      let last = performance.now();
      window.longest = 0;
      setInterval(() => {
        const now = performance.now();
        window.longest = Math.max(window.longest, now - last);
        last = now;
      }, 20);
    }`);
    return () => page.evaluate<number>('window.longest');
  }

  test('a thousand requests in a second for five seconds: the page answers, and shows the last one', async () => {
    const { mock, page, complaints } = await open('/#/requests');
    const longest = await watchFreezes(page);
    for (let second = 0; second < 5; second++) {
      const begun = performance.now();
      for (let batch = 0; batch < 20; batch++)
        await Promise.all(Array.from({ length: 50 }, () => mock.fetch('/pets?limit=5', { headers: KEY })));
      // The user filters, and opens a request, while more arrive.
      if (second === 2) {
        await page.getByLabel('Search').fill('limit', { timeout: PATIENCE });
        await page.getByRole('option').filter({ hasText: '/v1/pets' }).first().click({ timeout: PATIENCE });
        await page.getByRole('article').getByText('listPets').waitFor({ timeout: PATIENCE });
      }
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1000 - (performance.now() - begun))));
    }
    await mock.fetch('/pets?limit=7', { headers: KEY });
    await page.getByRole('option').filter({ hasText: 'limit=7' }).waitFor({ timeout: PATIENCE });
    expect(await longest()).toBeLessThan(PATIENCE);
    // Only visible rows are in the document, and the stored ones are limited.
    expect(
      await page
        .getByRole('listbox', { name: /^Requests/ })
        .getByRole('option')
        .count(),
    ).toBeLessThan(100);
    await page.getByText('2000 requests').waitFor({ timeout: PATIENCE });
    expect(complaints).toEqual([]);
  });

  test('a hundred thousand records are paged, filtered and changed', async () => {
    const { page, complaints } = await open('/#/records', { count: 100_000 });
    await page.getByText('1–50 of 100,00').waitFor({ timeout: 6 * PATIENCE });
    const longest = await watchFreezes(page);
    await page.getByRole('button', { name: 'Last' }).click();
    await page.getByText(/^\d\d\d,\d+–100,\d+ of 100,\d+$|^99,\d+–/).waitFor({ timeout: PATIENCE });
    await page.getByLabel('Search').fill('-9223372036854775808');
    await page.getByText(/^1–50 of \d{1,2},\d{3}$/).waitFor({ timeout: PATIENCE });
    await page
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText(/^Record \d+ was removed\.$/).waitFor({ timeout: PATIENCE });
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    expect(await longest()).toBeLessThan(PATIENCE);
    expect(complaints).toEqual([]);
  });
});
