import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import { ownCache } from '../certificates/testing/own-cache.ts';
import { CHROMIUM, launchChromium } from '../quality/testing/chromium.ts';
import { openConsole, SHIPPED } from './testing/page.ts';

/** Users also need this tool to make Chromium trust an authority (docs/https.md). */
const HAS_CERTUTIL = spawnSync('certutil', ['-H']).error === undefined;

async function mockAndBrowser(isTrusted: boolean) {
  const home = await ownCache();
  const mock = await createMock({ document: SHIPPED, port: 0, host: 'localhost', https: true });
  onTestFinished(() => mock.close());
  const database = `sql:${join(home, '.pki', 'nssdb')}`;
  const certutil = (...args: string[]) => {
    const { status, stderr } = spawnSync('certutil', ['-d', database, ...args]);
    expect(`${status} ${stderr}`).toBe('0 ');
  };
  mkdirSync(join(home, '.pki', 'nssdb'), { recursive: true });
  certutil('-N', '--empty-password');
  if (isTrusted) certutil('-A', '-t', 'C,,', '-n', 'Paddock', '-i', mock.authority as string);
  const browser = await launchChromium([], { HOME: home });
  onTestFinished(() => browser.close());
  const { port } = new URL(mock.controlUrl);
  return { browser, url: `https://localhost:${port}/__admin/`, host: `localhost:${port}` };
}

const title = CHROMIUM && HAS_CERTUTIL ? '' : ' (skipped: Chromium or certutil is not here)';

test.skipIf(title !== '')(
  `a browser that trusts the authority opens the console at https://localhost${title}`,
  async () => {
    const { browser, url, host } = await mockAndBrowser(true);
    const { page, complaints } = await openConsole(browser, url, { viewport: { width: 1100, height: 700 } });
    expect(await page.evaluate('[isSecureContext, location.host]')).toEqual([true, host]);
    // Events arrive at once, over https, too.
    await page.evaluate(
      "fetch('/v1/pets', { headers: { Authorization: 'Bearer paddock-dev-key' } }).then((one) => one.text())",
    );
    await expect.poll(() => page.getByText('/v1/pets').count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    const { SCREENSHOT } = process.env;
    if (SCREENSHOT !== undefined) await page.screenshot({ path: SCREENSHOT });
  },
);

test.skipIf(title !== '')(`a browser that does not is warned${title}`, async () => {
  const { browser, url } = await mockAndBrowser(false);
  await expect(openConsole(browser, url)).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID');
});
