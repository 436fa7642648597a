import { accessSync, constants } from 'node:fs';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** For a machine without a desktop, and without traffic of its own. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The Chromium named by the variable CHROMIUM, else the installed one, if any. */
export function chromiumPath(): string | undefined {
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
