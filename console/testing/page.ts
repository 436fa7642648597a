import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openContext } from '../../quality/testing/chromium.ts';

export const SHIPPED = new URL('../../spec/openapi.yaml', import.meta.url);

/** A page of the console, and its errors. */
export interface Console {
  readonly page: Page;
  /** Errors and warnings of the browser's own console, and exceptions. */
  readonly complaints: readonly string[];
}

export async function openConsole(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Console> {
  const context = await openContext(browser, options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, complaints };
}

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

/** Asserts WCAG 2.2 A and AA, as far as a program can, and that the page is not wider than its window. */
export async function expectAccessible(page: Page): Promise<void> {
  // The page's policy does not apply to code that the debugger evaluates.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(readFileSync(AXE, 'utf8'));
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${OPTIONS})`);
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThan(1);
}

/** Omits passed checks, whose description takes most of the time on a large page. */
const OPTIONS = JSON.stringify({
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
});

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
