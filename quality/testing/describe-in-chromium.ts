import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { CHROMIUM, launchChromium } from './chromium.ts';

/**
 * Tests that share a browser, which is launched before the first of them. Where no Chromium is installed they are skipped,
 * and their title says so.
 * @param tests receives the browser, which is there once the first test runs
 * @param flags of the browser, beside those of {@link launchChromium}
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
