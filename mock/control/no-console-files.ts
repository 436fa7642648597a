import type { Outcome } from '../errors/refusal.ts';

/** The same as console-files.ts for a mock in a browser, which has no files. */
export async function consoleFile(): Promise<Outcome> {
  return { refuse: 'no such path', message: 'The console is served by a mock in Node only' };
}
