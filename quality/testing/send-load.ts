import { Agent, request } from 'node:http';

export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
}

export interface LoadOptions {
  /** What precedes the paths. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in turn. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  /** How many are sent, or for how many seconds. */
  readonly until: { readonly amount: number } | { readonly seconds: number };
}

export interface LoadResult {
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests without a whole response. */
  readonly broken: number;
  readonly seconds: number;
  /** Milliseconds of each response, in ascending order. */
  readonly latencies: readonly number[];
}

/** Sends requests as fast as they are answered, over connections that stay open. */
export async function sendLoad({
  url,
  headers,
  requests,
  connections,
  until,
}: LoadOptions): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const statuses: Record<string, number> = {};
  const latencies: number[] = [];
  const begun = performance.now();
  let [sent, broken] = [0, 0];
  const isOver = () =>
    'amount' in until ? sent >= until.amount : performance.now() - begun >= until.seconds * 1000;

  async function work(): Promise<void> {
    while (!isOver()) {
      const next = requests[sent++ % requests.length] as LoadRequest;
      const before = performance.now();
      const status = await send(next).catch(() => undefined);
      if (status === undefined) broken += 1;
      else {
        statuses[status] = (statuses[status] ?? 0) + 1;
        latencies.push(performance.now() - before);
      }
    }
  }

  function send({ method, path, body }: LoadRequest): Promise<number> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      request(url + path, { agent, method, headers: { ...headers, ...length } }, (response) => {
        response.resume().once('error', reject);
        response.once('end', () => resolve(response.statusCode ?? 0));
      })
        .once('error', reject)
        .end(body);
    });
  }

  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  const seconds = (performance.now() - begun) / 1000;
  return { statuses, broken, seconds, latencies: latencies.sort((a, b) => a - b) };
}
