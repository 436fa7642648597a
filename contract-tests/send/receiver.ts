import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the service sent to the run. */
export interface ReceivedCallback {
  readonly method: string;
  /** Path and query below the mailbox; empty: none. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** When its head arrived, on the clock of `performance.now()`. */
  readonly at: number;
}

/** A unique URL, and the callbacks that it receives. */
export interface Mailbox {
  readonly url: string;
  readonly received: readonly ReceivedCallback[];
  /** Resolves when a matching callback has arrived, after at most so many milliseconds, or with the signal. */
  wait(ms: number, isMeant: (callback: ReceivedCallback) => boolean, signal: AbortSignal): Promise<void>;
}

/** Receives callbacks; it listens from the first mailbox on. */
export interface CallbackReceiver {
  /** @param status the response of the mailbox. Rejects if it cannot listen */
  mailbox(status: number): Promise<Mailbox>;
  close(): void;
}

export interface ReceiverOptions {
  /** The URL at which the target reaches the run; undefined: the address that it listens on. */
  readonly callbackUrl: URL | undefined;
  /** Undefined: the port of the URL, else a free one. */
  readonly callbackPort: number | undefined;
}

/** In bytes; longer bodies are not read completely. */
const LONGEST = 2 ** 20;

export function createReceiver({ callbackUrl, callbackPort }: ReceiverOptions): CallbackReceiver {
  const boxes = new Map<string, { take: (callback: ReceivedCallback) => void; status: number }>();
  let listening: Promise<{ base: string; server: Server }> | undefined;

  async function listen(): Promise<{ base: string; server: Server }> {
    const server = createServer((request, response) => {
      const at = performance.now();
      const chunks: Buffer[] = [];
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= LONGEST) chunks.push(chunk);
      });
      request.on('end', () => {
        const [, token = '', target = ''] = /\/paddock-([\w-]{36})(.*)$/s.exec(request.url ?? '') ?? [];
        const box = boxes.get(token);
        const { method = '', headers } = request;
        response.writeHead(box?.status ?? 404).end();
        box?.take({ method, target, headers, body: Buffer.concat(chunks), at });
      });
    });
    const isHere = callbackUrl === undefined || LOOPBACK.test(callbackUrl.hostname);
    const port = callbackPort ?? (callbackUrl ? Number(callbackUrl.port || 80) : 0);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // The target is on another machine or in a container.
      server.listen(port, isHere ? '127.0.0.1' : undefined, resolve);
    });
    // A callback that never arrives must not keep the process alive.
    server.unref();
    const localUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { base: callbackUrl?.href.replace(/\/$/, '') ?? localUrl, server };
  }

  return {
    async mailbox(status) {
      listening ??= listen();
      const { base } = await listening;
      const token = randomUUID();
      const received: ReceivedCallback[] = [];
      let news = Promise.withResolvers<void>();
      const take = (callback: ReceivedCallback) => {
        received.push(callback);
        news.resolve();
        news = Promise.withResolvers();
      };
      boxes.set(token, { take, status });
      return {
        url: `${base}/paddock-${token}`,
        received,
        async wait(ms, isMeant, signal) {
          const { promise: end, resolve } = Promise.withResolvers<void>();
          let isOver = signal.aborted;
          const stop = () => {
            isOver = true;
            resolve();
          };
          const timer = setTimeout(stop, ms);
          signal.addEventListener('abort', stop, { once: true });
          while (!isOver && !received.some(isMeant)) await Promise.race([news.promise, end]);
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
        },
      };
    },
    close() {
      void listening?.then(
        ({ server }) => server.close().closeAllConnections(),
        () => {},
      );
    },
  };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
