import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { EFFORT, startAttacked } from '../../quality/testing/attack.ts';
import { ORDERS } from './testing/attacked-proxy.ts';

const REQUESTS = 160_000 * EFFORT;
/**
 * MiB that the heap may grow by after the first tenth. A kilobyte that is kept of each request would be 140; caches that
 * have a bound (texts of heads, compiled queries, the latest exchanges) may still fill.
 */
const GROWTH = 12;
const MIB = 2 ** 20;

/** One request of a visit. */
interface Step {
  readonly method: string;
  /** Of the order that the visitor has placed; `number` is that of the request. */
  readonly path: (own: number, number: number) => string;
  readonly body?: (number: number) => object;
  readonly hasKey?: boolean;
}

const STATES = ['open', 'paid', 'sent'];
const orderOf = (number: number) => ({
  article: `Article ${number}`,
  amount: 1 + (number % 100),
  state: STATES[number % 3],
});

/** Reads, changes, mistakes, and an order that is placed and cancelled: a visit leaves the records as they were. */
const VISIT: readonly Step[] = [
  { method: 'POST', path: () => '/orders', body: orderOf },
  { method: 'GET', path: (own) => `/orders/${own}` },
  { method: 'GET', path: (_, number) => `/orders?limit=${1 + (number % 50)}` },
  { method: 'GET', path: (_, number) => `/orders?state=${STATES[number % 3]}` },
  { method: 'GET', path: (_, number) => `/orders/${1 + (number % 20)}` },
  { method: 'HEAD', path: (own) => `/orders/${own}` },
  { method: 'PUT', path: (own) => `/orders/${own}`, body: orderOf },
  { method: 'GET', path: (own) => `/orders/${own}` },
  { method: 'POST', path: () => '/orders', body: (number) => ({ article: number }) },
  { method: 'GET', path: (_, number) => `/orders?limit=${-number}` },
  { method: 'GET', path: (_, number) => `/orders/${1e9 + number}` },
  { method: 'GET', path: () => '/orders', hasKey: false },
  { method: 'GET', path: (_, number) => `/unknown/${number}?name-${number % 5000}=1` },
  { method: 'OPTIONS', path: () => '/orders' },
  { method: 'DELETE', path: (own) => `/orders/${own}` },
  { method: 'GET', path: (own) => `/orders/${own}` },
];

const VISITORS = 16;
/** Requests after which a visitor comes with another connection. */
const ON_CONNECTION = 1000;

/** Sends requests as fast as they are answered, each of them another one, and counts them by status. */
async function sendVisits(url: string, first: number, count: number, statuses: Record<string, number>) {
  let next = first;

  async function send({ method, path, body, hasKey = true }: Step, own: number, agent: Agent) {
    const number = next++;
    const headers = {
      'x-request-id': `request-${number}`,
      ...(hasKey ? { authorization: `Bearer key-${number % 1000}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const asked = request(url + path(own, number), { method, agent, headers });
    asked.end(body && JSON.stringify(body(number)));
    const [response] = await once(asked, 'response');
    let text = '';
    for await (const part of response.setEncoding('utf8')) text += part;
    statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
    return method === 'POST' && response.statusCode === 201 ? (JSON.parse(text).id as number) : own;
  }

  async function comeAndGo(): Promise<void> {
    while (next < first + count) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let at = 0; at < ON_CONNECTION && next < first + count; at += VISIT.length) {
        let own = 0;
        for (const step of VISIT) own = await send(step, own, agent);
      }
      agent.destroy();
    }
  }
  await Promise.all(Array.from({ length: VISITORS }, comeAndGo));
}

test(`mock and proxy keep their size while ${REQUESTS} requests pass, after the first tenth`, {
  timeout: 900_000 * EFFORT,
}, async () => {
  const mock = await startAttacked('mock', ORDERS, '--any-key', '--count', '20', '--log=quiet');
  const proxy = await startAttacked('proxy', mock.url, ORDERS);
  onTestFinished(async () => void (await Promise.all([proxy.stop(), mock.stop()])));
  const statuses: Record<string, number> = {};
  const sizes: { readonly mock: number; readonly proxy: number }[] = [];
  const tenth = Math.ceil(REQUESTS / 10);
  for (let at = 0; at < 10; at++) {
    await sendVisits(proxy.url, at * tenth, tenth, statuses);
    const [ofMock, ofProxy] = [await mock.measure(), await proxy.measure()];
    sizes.push({ mock: ofMock.heap / MIB, proxy: ofProxy.heap / MIB });
    const shown = [ofMock.rss, ofMock.heap, ofProxy.rss, ofProxy.heap].map((one) => Math.round(one / MIB));
    process.stdout.write(`${at + 1}0 %, MiB: mock, its heap, proxy, its heap: ${shown.join(', ')}\n`);
  }
  for (const name of ['mock', 'proxy'] as const)
    expect((sizes.at(-1)?.[name] ?? 0) - (sizes[0]?.[name] ?? 0)).toBeLessThan(GROWTH);
  // Whole visits of sixteen visitors: a few more than were asked for.
  const sum = Object.values(statuses).reduce((all, one) => all + one);
  expect(sum).toBeGreaterThanOrEqual(REQUESTS);
  expect(Object.keys(statuses)).toEqual(['200', '201', '204', '400', '401', '404']);
  const response = await fetch(`${proxy.adminUrl}/findings`, { headers: { connection: 'close' } });
  const { counts, findings } = (await response.json()) as { counts: object; findings: unknown[] };
  expect(counts).toMatchObject({ requests: sum, failed: 0, refused: 0, abandoned: 0 });
  expect(findings).toEqual([]);
});
