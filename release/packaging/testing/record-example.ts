import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { launchChromium } from '../../../quality/testing/chromium.ts';
import { buildExample } from './build-example.ts';
import { type FileServer, serveFiles } from './serve-files.ts';

/** The example page in a browser whose traffic Playwright records. */
export interface RecordedExample {
  readonly site: FileServer;
  /** An empty page so far. */
  readonly page: Page;
  /** The HAR, which is written when the context closes. */
  readonly har: string;
  readonly context: BrowserContext;
}

/**
 * Builds examples/msw-vite, serves it, and opens a browser until the test is over.
 * @param msw the `node_modules` with MSW
 */
export async function recordExample(msw: string): Promise<RecordedExample> {
  const site = await serveFiles(await buildExample(msw));
  const browser = await launchChromium();
  onTestFinished(async () => {
    await browser.close();
    site.close();
  });
  const har = join(await mkdtemp(join(tmpdir(), 'example-har-')), 'traffic.har');
  const context = await browser.newContext({ recordHar: { path: har } });
  return { site, page: await context.newPage(), har, context };
}
