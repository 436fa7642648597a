import type { Client, TlsSettings } from './client.ts';
import type { Fetch } from './fetch-client.ts';
import { openClient } from './open-client.ts';
import type { Pace } from './pace.ts';
import { createPatientClient, type PatientClient } from './patience.ts';

/** The connections of a run: a case has one of its own while it is at work. */
export interface Connections {
  use<T>(work: (client: PatientClient) => Promise<T>): Promise<T>;
  close(): void;
}

export interface ConnectionOptions {
  readonly timeout: number;
  readonly retries: number;
  /** No proxy is asked. */
  readonly direct: boolean;
  /** Requests that one case may have under way at the same time. */
  readonly sockets: number;
  /** Aborts what is under way. */
  readonly abort?: AbortSignal | undefined;
  readonly tls?: TlsSettings | undefined;
  /** Takes the requests in place of a socket. */
  readonly fetch?: Fetch | undefined;
  /** Wraps each client, to see what it sends. */
  readonly watch?: ((client: Client) => Client) | undefined;
}

export function createConnections(
  { retries, watch = (client) => client, ...options }: ConnectionOptions,
  pace: Pace,
): Connections {
  const reuse = { isUnsafe: false };
  const clients: { close(): void }[] = [];
  const idle: PatientClient[] = [];

  function open(): PatientClient {
    const client = watch(openClient({ ...options, reuse }));
    clients.push(client);
    return createPatientClient(client, retries, pace);
  }

  return {
    async use(work) {
      const client = idle.pop() ?? open();
      try {
        return await work(client);
      } finally {
        idle.push(client);
      }
    },
    close: () => clients.forEach((client) => void client.close()),
  };
}
