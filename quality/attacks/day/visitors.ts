import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Statuses } from '../load.ts';

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

/** Sends requests as fast as they are answered, each of them another one. @returns how many had which status */
export async function sendVisits(url: string, first: number, count: number): Promise<Statuses> {
  const statuses: Record<string, number> = {};
  let next = first;

  async function visit(agent: Agent): Promise<void> {
    let own = 0;
    for (const step of VISIT) {
      const { status, id } = await send(url, step, own, next++, agent);
      own = id ?? own;
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
  async function comeAndGo(): Promise<void> {
    while (next < first + count) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let at = 0; at < ON_CONNECTION && next < first + count; at += VISIT.length) await visit(agent);
      agent.destroy();
    }
  }
  await Promise.all(Array.from({ length: VISITORS }, comeAndGo));
  return statuses;
}

async function send(
  url: string,
  { method, path, body, hasKey = true }: Step,
  own: number,
  number: number,
  agent: Agent,
) {
  const headers = {
    'x-request-id': `request-${number}`,
    ...(hasKey ? { authorization: `Bearer key-${number % 1000}` } : {}),
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  const asked = request(url + path(own, number), { method, agent, headers });
  asked.end(body && JSON.stringify(body(number)));
  const [response] = await once(asked, 'response');
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await once(response, 'end');
  const isPlaced = method === 'POST' && response.statusCode === 201;
  return {
    status: response.statusCode as number,
    id: isPlaced ? (JSON.parse(text).id as number) : undefined,
  };
}
