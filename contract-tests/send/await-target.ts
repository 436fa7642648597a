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

/** Waits until anything at all answers at the base URL, at most `--wait` seconds. Undefined: it does; else why not. */
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
      const reason = await knock();
      if (signal?.aborted) return INTERRUPTED;
      if (reason === undefined || performance.now() >= deadline) return reason;
      await sleep(PAUSE, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    client.close();
  }

  async function knock(): Promise<string | undefined> {
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
      if (error instanceof WireError) return error.message;
      throw error;
    }
  }
}
