import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { CHROMIUM, launchChromium } from './chromium.ts';

/**
 * Tests that share a browser, which is launched before the first of them. Without an installed Chromium they are
 * skipped, and their title says so.
 * @param tests gets the browser, which is available once the first test runs
 * @param flags for the browser, in addition to those of {@link launchChromium}
 */
export function describeInChromium(
  title: string,
  tests: (browser: () => Browser) => void,
  flags?: readonly string[],
): void {
  describe.skipIf(!CHROMIUM)(`${title} in ${CHROMIUM ?? 'Chromium: none is here'}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium(flags);
    }, 60_000);
    afterAll(() => browser?.close());
    tests(() => browser);
  });
}
