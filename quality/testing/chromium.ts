import { accessSync, constants } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** For a machine without a desktop, and without traffic of its own. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The Chromium named by the variable CHROMIUM, else the installed one, if any. */
function chromiumPath(): string | undefined {
  const { CHROMIUM } = process.env;
  return (CHROMIUM === undefined ? USUAL_PLACES : [CHROMIUM]).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Undefined: none is installed. */
export const CHROMIUM = chromiumPath();

/** Launches it with a new profile, which goes with it. @param env more variables of its environment */
export async function launchChromium(
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('no Chromium is installed; name one in the variable CHROMIUM');
  // Loaded only now: most tests ask only where the browser is.
  const { chromium } = await import('playwright-core');
  const own = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined));
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [...flags, ...FLAGS],
    env: { ...(own as Record<string, string>), ...env },
  });
}

/** A context that waits for five minutes, which is enough on the busiest machine, and less than the limit of a test. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(300_000);
  return context;
}
