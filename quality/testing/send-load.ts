import { connect, type Socket } from 'node:net';

export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
}

export interface LoadOptions {
  /** The prefix of the paths. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in turn. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  /** The number of requests to send, or the number of seconds. */
  readonly until: { readonly amount: number } | { readonly seconds: number };
}

export interface LoadResult {
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The number of requests without a complete response, or with one without Content-Length. */
  readonly broken: number;
  readonly seconds: number;
  /** The response times in milliseconds, in ascending order. */
  readonly latencies: readonly number[];
}

/**
 * Sends requests as fast as they are answered, over persistent connections. Writes to sockets directly: a `node:http`
 * client takes more CPU time than the measured server, which would then wait for requests.
 */
export async function sendLoad({
  url,
  headers,
  requests,
  connections,
  until,
}: LoadOptions): Promise<LoadResult> {
  const { host, hostname, port, pathname } = new URL(url);
  const basePath = pathname.replace(/\/$/, '');
  const messages = requests.map((one) => messageOf(one, basePath, { host, ...headers }));
  const statuses: Record<string, number> = {};
  const latencies: number[] = [];
  const begun = performance.now();
  let [sent, broken] = [0, 0];
  const isOver = () =>
    'amount' in until ? sent >= until.amount : performance.now() - begun >= until.seconds * 1000;

  async function work(): Promise<void> {
    let socket: Socket | undefined;
    while (!isOver()) {
      const message = messages[sent++ % messages.length] as string;
      const before = performance.now();
      if (!socket?.writable) socket = connect(Number(port), hostname).setNoDelay();
      const status = await exchange(socket, message).catch(() => undefined);
      if (status === undefined) {
        broken += 1;
        socket.destroy();
      } else {
        statuses[status] = (statuses[status] ?? 0) + 1;
        latencies.push(performance.now() - before);
      }
    }
    socket?.destroy();
  }

  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - begun) / 1000;
  return { statuses, broken, seconds, latencies: latencies.sort((a, b) => a - b) };
}

/** The request as sent, with a character for each byte. */
function messageOf(
  { method, path, body }: LoadRequest,
  basePath: string,
  headers: Readonly<Record<string, string>>,
): string {
  const bytes = Buffer.from(body ?? '').toString('latin1');
  const all = { ...headers, ...(body !== undefined && { 'content-length': `${bytes.length}` }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${basePath}${path} HTTP/1.1\r\n${lines.join('')}\r\n${bytes}`;
}

/** Sends a request, and resolves with the status of its response once that is complete. */
function exchange(socket: Socket, message: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = '';
    let missing = Number.POSITIVE_INFINITY;
    const take = (piece: Buffer) => {
      if (missing < Number.POSITIVE_INFINITY) missing -= piece.length;
      else {
        head += piece.toString('latin1');
        const end = head.indexOf('\r\n\r\n') + 4;
        if (end >= 4) missing = end + lengthOf(head.slice(0, end)) - head.length;
      }
      if (missing > 0) return;
      leave();
      if (missing === 0) resolve(Number(head.slice(9, 12)));
      else reject(new Error('a response without Content-Length, or with more bytes'));
    };
    const fail = () => {
      leave();
      reject(new Error('no whole response'));
    };
    const leave = () => socket.off('data', take).off('error', fail).off('close', fail);
    socket.on('data', take).on('error', fail).on('close', fail).write(message, 'latin1');
  });
}

/** The length of a response body (RFC 9112 §6.3); NaN: only chunks or the end of the connection tell. */
function lengthOf(head: string): number {
  if (/^HTTP\/1\.1 (?:204|304)/.test(head)) return 0;
  return Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
}
