import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a service has sent to the run. */
export interface ReceivedCallback {
  readonly method: string;
  /** Path and query below the mailbox; empty: none. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** When its head has come, on the clock of `performance.now()`. */
  readonly at: number;
}

/** An address that nobody else has, and what comes there. */
export interface Mailbox {
  readonly url: string;
  readonly received: readonly ReceivedCallback[];
  /** Resolves when something has come that is meant, at the latest after so many milliseconds, or with the signal. */
  wait(ms: number, isMeant: (callback: ReceivedCallback) => boolean, signal: AbortSignal): Promise<void>;
}

/** What a run listens with for callbacks; it listens from the first mailbox on. */
export interface CallbackReceiver {
  /** @param status what the mailbox answers with. Rejects when nothing can be listened to */
  mailbox(status: number): Promise<Mailbox>;
  close(): void;
}

export interface ReceiverOptions {
  /** What the target can reach; undefined: the address that is listened on. */
  readonly callbackUrl: URL | undefined;
  /** Undefined: the port of the URL, else a free one. */
  readonly callbackPort: number | undefined;
}

/** In bytes; what is longer is not read to its end. */
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
      // From another machine, or a container, it is to be reached.
      server.listen(port, isHere ? '127.0.0.1' : undefined, resolve);
    });
    // A callback that never comes holds no process.
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
