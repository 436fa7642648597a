import { accessSync, constants } from 'node:fs';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium that CHROMIUM names, else one of this machine; undefined: there is none. */
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
