import type { MockRequest } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';

/** Replaces console-files.ts in browsers, which have no files. */
export async function consoleFile({ path }: MockRequest): Promise<Outcome> {
  return { refuse: 'no such path', message: `No such path: ${path}` };
}
