import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { createProxy, type ProxyOptions } from '#proxy';
import { rawServer } from '../../traffic/proxy/testing/raw-server.ts';
import { KINDS } from './bytes/requests.ts';
import { responses } from './bytes/responses.ts';
import { countResponses, send } from './wire.ts';

export interface ProxyFuzz {
  /** Requests that the proxy sent on, and those that it refused. */
  readonly passed: number;
  readonly refused: number;
  /** Responses that it did not pass, but answered with 502. */
  readonly failed: number;
  /** What was wrong, with the bytes that reproduce it. */
  readonly faults: readonly string[];
}

const DOCUMENT = new URL('../../spec/openapi.yaml', import.meta.url).pathname;
const MODES: readonly Partial<ProxyOptions>[] = [
  {},
  { enforce: true },
  { annotate: true },
  { enforce: true, annotate: true },
];

const MALFORMED = fc.oneof(...KINDS.map(([, weight, arbitrary]) => ({ weight, arbitrary })));

/**
 * Sends malformed bytes through proxies, from both sides: each connection comes to an end, a target never sees more
 * requests than the proxy has sent on, a client never more responses than it has sent requests, and nothing is a bug.
 * @param count exchanges from each side
 */
export async function fuzzProxy(count: number, seed: number): Promise<ProxyFuzz> {
  const fromClients = fc.sample(MALFORMED, { numRuns: count, seed }).values();
  const fromTargets = fc.sample(responses, { numRuns: count, seed }).values();
  const all = { passed: 0, refused: 0, failed: 0, faults: [] as string[] };
  await Promise.all(
    MODES.map(async (mode) => {
      for (const one of [await attackTarget(fromClients, mode), await attackClient(fromTargets, mode)]) {
        all.passed += one.counts.requests;
        all.refused += one.counts.refused;
        all.failed += one.counts.failed;
        all.faults.push(...one.faults);
      }
    }),
  );
  return all;
}

async function through(port: number, mode: Partial<ProxyOptions>) {
  const faults: string[] = [];
  const onBug = (error: unknown) => void faults.push(`a bug: ${(error as Error).stack}`);
  const target = `http://127.0.0.1:${port}/v1`;
  const proxy = await createProxy({ target, document: DOCUMENT, port: 0, onBug, ...mode });
  return { proxy, faults, port: Number(new URL(proxy.url).port) };
}

/** A target that reads as leniently as Node can. */
async function attackTarget(exchanges: Iterable<Parameters<typeof send>[1]>, mode: Partial<ProxyOptions>) {
  let seen = 0;
  const options = { insecureHTTPParser: true, requireHostHeader: false };
  const server = createServer(options, (incoming, response) => {
    seen += 1;
    incoming.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'));
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { proxy, faults, port } = await through((server.address() as AddressInfo).port, mode);
  for (const exchange of exchanges) {
    const shown = () => JSON.stringify(Buffer.concat(exchange.pieces).toString('latin1').slice(0, 1500));
    try {
      await send(port, exchange);
      while (open > 0) await turn();
    } catch (error) {
      faults.push(`${(error as Error).message}: ${shown()}`);
    }
    // A request of a client that went away may come late, or never.
    const passed = proxy.found().counts.requests;
    if (seen > passed) faults.push(`${seen} requests for ${passed}: ${shown()}`);
    if (seen > passed) seen = passed;
  }
  await proxy.close();
  server.close().closeAllConnections();
  return { counts: proxy.found().counts, faults };
}

const GET = Buffer.from('GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key\r\n\r\n');

async function attackClient(answers: Iterable<string>, mode: Partial<ProxyOptions>) {
  let answer = '';
  const target = await rawServer((socket) => {
    socket.once('data', () => {
      socket.end(answer, 'latin1');
    });
  });
  const { proxy, faults, port } = await through(target.port, mode);
  for (answer of answers) {
    try {
      const bytes = await send(port, { pieces: [GET], pause: 0, ending: 'after the response' });
      const count = countResponses(bytes.toString('latin1'));
      if (count > 1) throw new Error(`${count} responses for one request`);
    } catch (error) {
      faults.push(`${(error as Error).message}: ${JSON.stringify(answer.slice(0, 1500))}`);
    }
  }
  await proxy.close();
  await target.close();
  return { counts: proxy.found().counts, faults };
}
