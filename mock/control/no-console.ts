import type { Outcome } from '../errors/refusal.ts';
import type { MockRequest } from '../exchange/exchange.ts';

/** In place of console-files.ts in a browser, where no file can be read. */
export async function consoleFile({ path }: MockRequest): Promise<Outcome> {
  return { refuse: 'no such path', message: `There is nothing at ${path}` };
}
