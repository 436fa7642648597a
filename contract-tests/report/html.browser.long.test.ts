import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { stock } from '../../quality/mutants/by-hand/pet.ts';
import { describeInChromium } from '../../quality/testing/describe-in-chromium.ts';
import { reportOn } from '../testing/report-on.ts';
import { NASTY } from '../testing/report-saying.ts';
import { renderHtml } from './html.ts';
import type { Report } from './report.ts';

const CONTRASTS = new URL('../testing/contrasts.js', import.meta.url);
/** What has the focus; `isClosed`: the summary of something folded. */
interface Focused {
  readonly tag: string;
  readonly id: string | undefined;
  readonly isClosed: boolean;
}

const FOCUSED = `(({ tagName, parentElement }) => {
  const details = document.activeElement.closest('details');
  const isClosed = tagName === 'SUMMARY' && parentElement?.open === false;
  return { tag: tagName, id: details?.id, isClosed };
})(document.activeElement)`;

// Of a failing run, opened from a file.
describeInChromium('the HTML report', (browser) => {
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
    const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'report.html');
    await writeFile(file, renderHtml(report));
    address = pathToFileURL(file).href;
  });

  /** Opens the page and records console messages, errors, requests and dialogs. */
  async function open(
    options: Parameters<Browser['newPage']>[0] = {},
  ): Promise<{ page: Page; noise: string[] }> {
    const page = await browser().newPage(options);
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

  test('no script runs, nothing is requested and nothing is logged, whatever the target has sent', async () => {
    expect(report.verdict).toBe('broken');
    const { page, noise } = await open();
    await page.locator('summary').evaluateAll((all) => all.forEach((one) => void one.click()));
    expect(noise.filter((line) => !/^request: (?:file:.*report\.html|data:image.*)$/.test(line))).toEqual([]);
    expect(await page.title()).toBe(`The contract is broken. ${report.target}`);
    expect(await page.locator('script, img, svg, iframe, [onerror], [onfocus]').count()).toBe(0);
  });

  test('Tab reaches every finding, and Enter opens it and what is folded before it', async () => {
    const { page } = await open();
    const visited = new Set<string>();
    for (;;) {
      await page.keyboard.press('Tab');
      const { tag, id, isClosed } = await page.evaluate<Focused>(FOCUSED);
      if (tag === 'BODY') break;
      if (id) visited.add(id);
      if (isClosed) await page.keyboard.press('Enter');
    }
    const all = report.findings.map((_, index) => `finding-${index + 1}`);
    expect(all.filter((id) => !visited.has(id))).toEqual([]);
    expect(await page.locator('details').count()).toBeGreaterThan(all.length);
    expect(await page.locator('details:not([open])').count()).toBe(0);
  });

  test('a violated cell links to its finding, and the skip link passes the matrix', async () => {
    const { page } = await open();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('findings');
    await page.locator('td.violated a').last().click();
    const target = await page.evaluate<string>('document.querySelector(":target > summary").textContent');
    const cell = report.cells.findLast(({ verdict }) => verdict === 'violated');
    expect(target).toContain(`${cell?.operationId}/${cell?.status}/`);
    await expect.poll(() => page.locator(':target > summary').isVisible()).toBe(true);
  });

  test('a screen reader finds landmarks, one main heading and no skipped level', async () => {
    const { page } = await open();
    for (const role of ['banner', 'navigation', 'main'] as const)
      expect(await page.getByRole(role).count()).toBe(1);
    const levels = await page
      .locator('h1, h2, h3')
      .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.every((level, index) => index === 0 || level - (levels[index - 1] ?? 0) <= 1)).toBe(true);
    expect(await page.getByRole('table').first().getByRole('rowheader').count()).toBeGreaterThan(0);
    expect(await page.getAttribute('html', 'lang')).toBe('en');
  });

  test.for(['light', 'dark'] as const)('every text has sufficient contrast: %s', async (colorScheme) => {
    const { page } = await open({ colorScheme });
    const faint = await page.evaluate<{ text: string; ratio: number }[]>(await readFile(CONTRASTS, 'utf8'));
    // WCAG 2.2, 1.4.3: 4.5 to 1.
    expect(faint.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
    const dark = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(dark).toBe(colorScheme === 'dark' ? 'rgb(14, 20, 18)' : 'rgb(247, 247, 243)');
  });

  test('a narrow page does not scroll sideways', async () => {
    const { page } = await open({ viewport: { width: 360, height: 740 } });
    await page
      .locator('details')
      .evaluateAll((all) => all.forEach((one) => void one.setAttribute('open', '')));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});
