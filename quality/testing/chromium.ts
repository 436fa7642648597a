import { accessSync, constants } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** For a machine without a desktop, and without background traffic. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The Chromium in the variable CHROMIUM, else the installed one, if any. */
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

/** Undefined if none is installed. */
export const CHROMIUM = chromiumPath();

/** Launches Chromium with a new profile, which is removed at the end. @param env additional environment variables */
export async function launchChromium(
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('no Chromium is installed; name one in the variable CHROMIUM');
  // Imported on demand: most tests only ask where the browser is.
  const { chromium } = await import('playwright-core');
  const variables = Object.fromEntries(
    Object.entries(process.env).filter(([, value]) => value !== undefined),
  );
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [...flags, ...FLAGS],
    env: { ...(variables as Record<string, string>), ...env },
  });
}

/** A context with timeouts of five minutes: enough on the busiest machine, and below the time limit of a test. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(300_000);
  return context;
}
