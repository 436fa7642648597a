import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from '../../console/testing/page.ts';
import { stock } from '../../quality/mutants/by-hand/pet.ts';
import { openContext } from '../../quality/testing/chromium.ts';
import { describeInChromium } from '../../quality/testing/describe-in-chromium.ts';
import { startFaultyService } from '../testing/faulty-service.ts';
import { manyCollections } from '../testing/many-collections.ts';
import { reportOf, reportOn } from '../testing/report-on.ts';
import { NASTY } from '../testing/report-saying.ts';
import { renderHtml } from './html.ts';
import { brokenInWords } from './in-words.ts';
import type { Report } from './report.ts';

/** Each width and each look once. */
const WIDE = { colorScheme: 'light', viewport: { width: 1280, height: 900 } } as const;
const NARROW = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;

// Of failing runs, opened from files.
describeInChromium('the HTML report', (browser) => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  });

  async function written(report: Report): Promise<string> {
    const file = join(await mkdtemp(join(folder, 'report-')), 'report.html');
    await writeFile(file, renderHtml(report));
    return pathToFileURL(file).href;
  }

  /** Opens the page and records console messages, errors, requests and dialogs. */
  async function open(
    address: string,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<{ page: Page; noise: string[] }> {
    const context = await openContext(browser(), options);
    const page = await context.newPage();
    const noise: string[] = [];
    page.on('console', (message) => noise.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => noise.push(`error: ${error.message}`));
    page.on('request', (request) => noise.push(`request: ${request.url()}`));
    page.on('dialog', (dialog) => {
      noise.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(address);
    return { page, noise };
  }

  const others = (noise: readonly string[]) =>
    noise.filter((line) => !/^request: (?:file:.*report\.html|data:image\/svg.*)$/.test(line));

  describe('with one cause', () => {
    let report: Report;
    let address: string;

    beforeAll(async () => {
      report = await reportOn({ page: (records) => records });
      address = await written(report);
    });

    test('the headline is what is broken, and the card shows it from request to document', async () => {
      expect(report.causes).toHaveLength(1);
      const { page, noise } = await open(address);
      await page.getByRole('heading', { level: 1, name: 'GET /pets ignores ?limit.' }).waitFor();
      const card = page.getByRole('article', { name: 'GET /pets ignores ?limit' });
      await card.getByText(report.causes[0]?.received ?? '-', { exact: true }).waitFor();
      expect(await card.getByRole('heading', { name: 'Request' }).isVisible()).toBe(true);
      const [request, response] = await Promise.all(
        ['Request', 'Response'].map((name) => card.getByRole('heading', { name, exact: true }).boundingBox()),
      );
      expect(request?.y).toBe(response?.y);
      const marked = await card
        .getByRole('group', { name: 'Document' })
        .first()
        .locator('mark')
        .textContent();
      expect(marked).toMatch(new RegExp(`^${report.findings[report.causes[0]?.finding ?? 0]?.place.line} `));
      const end = page.getByRole('contentinfo');
      await end.getByText(report.documentInfo.digest).waitFor();
      await end.getByText(`seed ${report.seed}`).waitFor();
      expect(others(noise)).toEqual([]);
    });

    test('the command is copied as it is', async () => {
      const { page } = await open(address, { permissions: ['clipboard-read', 'clipboard-write'] });
      await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(report.causes[0]?.curl);
    });

    test.each([WIDE, NARROW])('is accessible, with everything open: $colorScheme', async (options) => {
      const { page } = await open(address, options);
      await page
        .locator('details')
        .evaluateAll((all) => all.forEach((one) => void one.setAttribute('open', '')));
      await expectAccessible(page);
    });
  });

  describe('with dozens of causes', () => {
    let report: Report;
    let address: string;

    beforeAll(async () => {
      const document = join(folder, 'openapi.json');
      await writeFile(document, JSON.stringify(manyCollections(11)));
      const service = await startFaultyService(document);
      try {
        const settings = { settle: 0, jobs: 8, examples: 1, retries: 0, disposable: true };
        report = await reportOf({ target: service.url, apiKey: 'k', document, ...settings });
      } finally {
        await service.close();
      }
      address = await written(report);
    });

    const shown = (page: Page) => page.locator('article:visible').count();

    test('the headline counts, and a search finds one among many', async () => {
      const { page, noise } = await open(address);
      const total = report.causes.length;
      expect(total).toBeGreaterThanOrEqual(30);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(
        /^\d+ operations .*; \d+ operations .*; \d+ more problems\.$/,
      );
      await page.keyboard.press('/');
      await page.keyboard.type('post /shelfb does not keep');
      await expect.poll(() => shown(page)).toBe(1);
      await page
        .getByRole('search')
        .getByText(/^1 of \d+$/)
        .waitFor();
      await page.keyboard.press('Escape');
      expect(await shown(page)).toBe(total);
      expect(others(noise)).toEqual([]);
    });

    test('cards open with the keyboard, mark the failing member and show three instances at most', async () => {
      const { page } = await open(address);
      const index = report.causes.findIndex(
        ({ law, finding }) => law === 'schema' && report.findings[finding]?.part?.endsWith('/id'),
      );
      const card = page.getByRole('article').nth(index);
      await card.locator('summary').first().focus();
      await page.keyboard.press('Enter');
      expect(await card.locator('pre.body mark').first().textContent()).toMatch(/^"id": /);
      await page.getByRole('button', { name: 'Open all' }).click();
      expect(await page.locator('article > details:not([open])').count()).toBe(0);
      const instances = await page
        .getByRole('article')
        .evaluateAll((all) => all.map((one) => one.querySelectorAll('.exchange').length));
      expect(Math.max(...instances)).toBe(3);
      await page
        .getByText(/^\d+ more requests? showed the same/)
        .first()
        .waitFor();
      const lost = report.causes.findIndex(({ key }) => key.startsWith('created/lost/'));
      expect(await page.getByRole('article').nth(lost).locator('mark').first().textContent()).toMatch(
        /is not here$/,
      );
    });

    test('huge and binary bodies are bounded', async () => {
      const { page } = await open(address);
      await page.getByRole('button', { name: 'Open all' }).click();
      await page.getByText('4000 bytes that are no text').first().waitFor();
      const longest = await page
        .locator('pre.body')
        .evaluateAll((all) => Math.max(...all.map(({ textContent }) => textContent?.length ?? 0)));
      expect(longest).toBeLessThan(5000);
      expect((await readFile(new URL(address))).length).toBeLessThan(3e6);
    });

    test('on paper everything is open, and nothing is left to click', async () => {
      const { page } = await open(address);
      const closed = await page.locator('article > details:not([open])').count();
      expect(closed).toBeGreaterThan(0);
      await page.emulateMedia({ media: 'print' });
      await page.evaluate('dispatchEvent(new Event("beforeprint"))');
      expect(await page.locator('details:not([open])').count()).toBe(0);
      expect(await page.locator('button:visible, form:visible, nav:visible').count()).toBe(0);
      await page.evaluate('dispatchEvent(new Event("afterprint"))');
      expect(await page.locator('article > details:not([open])').count()).toBe(closed);
      expect((await page.pdf()).length).toBeGreaterThan(10_000);
    });

    test('a violated cell opens its cause', async () => {
      const { page } = await open(address);
      const link = page.locator('td.violated a').last();
      const id = (await link.getAttribute('href'))?.slice(1);
      await link.click();
      await expect.poll(() => page.locator(`#${id}`).isVisible()).toBe(true);
    });

    test('is accessible, with everything open', async () => {
      const { page } = await open(address, NARROW);
      await page
        .locator('details')
        .evaluateAll((all) => all.forEach((one) => void one.setAttribute('open', '')));
      await expectAccessible(page);
    });

    test('is accessible, folded and where nothing is found', async () => {
      const { page } = await open(address, WIDE);
      await expectAccessible(page);
      await page.getByRole('search').getByLabel('Search').fill('nothing says this');
      expect(await shown(page)).toBe(0);
      await expectAccessible(page);
    });

    test('of six hundred operations the head of the matrix stays, and a search finds one', async () => {
      const [cell] = report.cells;
      if (!cell) throw new Error('the report has cells');
      const cells = Array.from({ length: 600 }, (_, index) =>
        [200, 201, 400, 401, 404].map((status) => ({
          ...cell,
          operationId: `operation-${index + 1}`,
          status,
          verdict: index % 50 === 0 ? ('not reached' as const) : ('covered' as const),
          reason: index % 50 === 0 ? 'nobody can provoke it' : undefined,
        })),
      ).flat();
      const { page } = await open(await written({ ...report, cells }));
      const table = page.locator('.tall');
      await table.scrollIntoViewIfNeeded();
      await table.evaluate((element) => {
        element.scrollTop = 8000;
      });
      const head = table.getByRole('columnheader', { name: '404' });
      const [box, frame] = [await head.boundingBox(), await table.boundingBox()];
      expect(Math.abs((box?.y ?? 0) - (frame?.y ?? 999))).toBeLessThan(4);
      expect(frame?.height).toBeLessThan(760);
      const rows = page.locator('.cell-row:visible');
      await page.getByRole('search').getByLabel('Search').fill('operation-59');
      await expect.poll(() => rows.count()).toBe(11);
      await page.getByRole('search').getByLabel('Search').fill('not reached');
      await expect.poll(() => rows.count()).toBe(12);
      await page.getByText('nobody can provoke it').waitFor();
    });
  });

  describe('of a target that says what some reader would obey', () => {
    let report: Report;
    let address: string;

    beforeAll(async () => {
      const names = Object.values(NASTY);
      const hostile = stock(31).map((record, index) => ({
        ...record,
        name: names[index] ?? record.name,
        status: names[index],
      }));
      report = await reportOn({ stock: () => hostile, page: (records) => records, matches: () => true });
      address = await written(report);
    });

    test('only the script of the page runs, nothing is requested and nothing is logged', async () => {
      expect(report.verdict).toBe('broken');
      const { page, noise } = await open(address);
      await page.locator('summary').evaluateAll((all) => all.forEach((one) => void one.click()));
      expect(others(noise)).toEqual([]);
      expect(await page.title()).toBe(`${brokenInWords(report)}. ${report.target}`);
      expect(await page.locator('script').count()).toBe(1);
      expect(
        await page
          .locator('img:not([src^="data:image/svg"]), iframe, [onerror], [onfocus], [onload]')
          .count(),
      ).toBe(0);
    });

    test('a script or a style that somebody puts into the file is refused', async () => {
      const file = new URL(await written(report));
      const html = await readFile(file, 'utf8');
      await writeFile(file, html.replace('</main>', '<script>document.title = "run"</script></main>'));
      const { page, noise } = await open(file.href);
      expect(await page.title()).not.toBe('run');
      expect(noise.join('\n')).toMatch(/Content Security Policy/);
    });

    test('Tab reaches every cause, and Enter opens it', async () => {
      const { page } = await open(address);
      const opened = new Set<string>();
      for (;;) {
        await page.keyboard.press('Tab');
        const { tag, title, isClosed } = await page.evaluate<Focused>(FOCUSED);
        if (tag === 'BODY') break;
        if (title) opened.add(title);
        if (isClosed) await page.keyboard.press('Enter');
      }
      expect(opened.size).toBe(report.causes.length);
      expect(await page.locator('article details:not([open])').count()).toBe(0);
    });

    test('a screen reader finds landmarks, one main heading and no skipped level', async () => {
      const { page } = await open(address);
      for (const role of ['banner', 'navigation', 'main', 'contentinfo'] as const)
        expect(await page.getByRole(role).count()).toBe(1);
      const levels = await page
        .locator('h1, h2, h3, h4')
        .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
      expect(levels.filter((level) => level === 1)).toHaveLength(1);
      expect(levels.every((level, index) => index === 0 || level - (levels[index - 1] ?? 0) <= 1)).toBe(true);
      expect(await page.getByRole('table').first().getByRole('rowheader').count()).toBeGreaterThan(0);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('findings');
    });

    test('a narrow page does not scroll sideways, and without scripts it shows everything', async () => {
      const { page } = await open(address, {
        viewport: { width: 360, height: 740 },
        javaScriptEnabled: false,
      });
      expect(await page.getByRole('search').count()).toBe(0);
      expect(await page.getByRole('article').count()).toBe(report.causes.length);
      const scripted = await open(address, { viewport: { width: 360, height: 740 } });
      await scripted.page
        .locator('details')
        .evaluateAll((all) => all.forEach((one) => void one.setAttribute('open', '')));
      expect(await scripted.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });
  });
});

/** What has the focus; `isClosed`: the summary of something folded. */
interface Focused {
  readonly tag: string;
  /** Of the cause that it is in. */
  readonly title: string | undefined;
  readonly isClosed: boolean;
}

const FOCUSED = `(({ tagName, parentElement }) => {
  const title = document.activeElement.closest('article')?.getAttribute('aria-labelledby');
  const isClosed = tagName === 'SUMMARY' && parentElement?.open === false;
  return { tag: tagName, title, isClosed };
})(document.activeElement)`;
