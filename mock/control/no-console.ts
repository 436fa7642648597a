import type { MockRequest } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';

/** In place of console-files.ts in a browser, where no file can be read. */
export async function consoleFile({ path }: MockRequest): Promise<Outcome> {
  return { refuse: 'no such path', message: `No such path: ${path}` };
}
