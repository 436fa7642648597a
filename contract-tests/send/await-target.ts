import { setTimeout as sleep } from 'node:timers/promises';
import { type Fetch, openClient, type TlsSettings, WireError } from './client.ts';
import { INTERRUPTED } from './wire.ts';

const PAUSE = 250;

interface Waiting {
  readonly base: URL;
  /** In milliseconds, for one exchange. */
  readonly timeout: number;
  /** In seconds. */
  readonly wait: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly onLoopback: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly tls?: TlsSettings | undefined;
  readonly fetch?: Fetch | undefined;
}

/**
 * Waits until anything at all answers at the base URL, at most `--wait` seconds. Undefined: it does, or closes connections,
 * which need not be said of other requests; else why not.
 */
export async function awaitTarget({
  base,
  timeout,
  wait,
  headers,
  onLoopback,
  signal,
  tls,
  fetch,
}: Waiting): Promise<string | undefined> {
  const client = openClient({ timeout, direct: onLoopback, abort: signal, tls, fetch });
  const deadline = performance.now() + wait * 1000;
  try {
    for (;;) {
      const error = await knock();
      if (signal?.aborted) return INTERRUPTED;
      if (error === undefined) return undefined;
      if (performance.now() >= deadline) return error.closed ? undefined : error.message;
      await sleep(PAUSE, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    client.close();
  }

  async function knock(): Promise<WireError | undefined> {
    try {
      await client.send({
        method: 'GET',
        url: base,
        headers: [['Accept', '*/*'], ...headers],
        body: undefined,
        chunked: false,
      });
      return undefined;
    } catch (error) {
      if (error instanceof WireError) return error;
      throw error;
    }
  }
}
