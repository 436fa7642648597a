import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/**
 * Recorded traffic of the Pet Store, as a browser would have saved it: reads, lists, creates and refusals, none of which
 * breaks the contract. The same bytes for the same arguments.
 * @param kind `distinct`: each exchange is another one; `repeated`: some hundred, again and again
 * @returns the number of exchanges
 */
export async function writeTraffic(file: string, bytes: number, kind: TrafficKind): Promise<number> {
  const out = createWriteStream(file);
  let written = 0;
  let count = 0;
  const write = async (text: string) => {
    written += text.length;
    if (!out.write(text)) await once(out, 'drain');
  };
  await write('{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[\n');
  while (written < bytes) {
    await write(`${count > 0 ? ',\n' : ''}${entryOf(count, kind)}`);
    count += 1;
  }
  out.end('\n]}}\n');
  await finished(out);
  return count;
}

export const KINDS = ['distinct', 'repeated'] as const;
export type TrafficKind = (typeof KINDS)[number];

const BASE = 'https://pets.example/v1';
/** Exchanges that `repeated` traffic consists of. */
const DIFFERENT = 300;
/** Milliseconds between two requests. */
const PACE = 20;
const BEGIN = Date.parse('2030-01-01T00:00:00Z');

function entryOf(count: number, kind: TrafficKind): string {
  const number = kind === 'distinct' ? count : count % DIFFERENT;
  const { method, path, status, body, sent } = exchangeOf(number, kind);
  const text = JSON.stringify(body);
  const posted = sent && JSON.stringify(sent);
  const request = [
    ...REQUEST_HEADERS,
    ...(sent ? [{ name: 'content-type', value: 'application/json' }] : []),
  ];
  const entry = {
    startedDateTime: new Date(BEGIN + count * PACE).toISOString(),
    time: 5 + (count % 9),
    request: {
      ...{ method, url: BASE + path, httpVersion: 'HTTP/2', headers: request, queryString: [], cookies: [] },
      ...(posted !== undefined && { postData: { mimeType: 'application/json', text: posted } }),
      ...{ headersSize: -1, bodySize: posted?.length ?? 0 },
    },
    response: {
      ...{ status, statusText: '', httpVersion: 'HTTP/2', headers: RESPONSE_HEADERS, cookies: [] },
      content: { size: text.length, mimeType: 'application/json', text },
      ...{ redirectURL: '', headersSize: -1, bodySize: -1 },
    },
    cache: {},
    timings: { blocked: 1.2, dns: -1, connect: -1, send: 0.2, wait: 3.4, receive: 0.6, ssl: -1 },
  };
  return JSON.stringify(entry);
}

interface Given {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
  readonly sent?: object;
}

/** Of ten exchanges five are reads, three lists, one a create and one a refusal. */
function exchangeOf(number: number, kind: TrafficKind): Given {
  const id = number + 1;
  const place = number % 10;
  if (place === 8 && kind === 'distinct') {
    const { id: _, ...sent } = petOf(id);
    return { method: 'POST', path: '/pets', status: 201, body: petOf(id), sent };
  }
  if (place === 9) {
    const body = { code: 'not_found', message: `There is no pet ${id}`, status: 404 };
    return { method: 'GET', path: `/pets/${id}`, status: 404, body };
  }
  if (place < 5 || place === 8) return { method: 'GET', path: `/pets/${id}`, status: 200, body: petOf(id) };
  const limit = 20 + (number % 30);
  const body = Array.from({ length: limit }, (_, index) => petOf(id * 50 + index));
  return { method: 'GET', path: `/pets?limit=${limit}`, status: 200, body };
}

const STATUSES = ['available', 'pending', 'sold'] as const;

function petOf(id: number) {
  return { id, name: `Pet number ${id}`, categoryId: 1 + (id % 12), status: STATUSES[id % 3] };
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const REQUEST_HEADERS = pairs({
  accept: 'application/json, text/plain, */*',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-GB,en;q=0.9',
  authorization: 'Bearer 4f1c2a7e-8d55-4b1e-9d1c-2b1f0a6f7c11',
  'cache-control': 'no-cache',
  origin: 'https://shop.example',
  referer: 'https://shop.example/',
  'sec-ch-ua': '"Chromium";v="141", "Not?A_Brand";v="8"',
  'sec-fetch-mode': 'cors',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0',
});

const RESPONSE_HEADERS = pairs({
  'access-control-allow-origin': 'https://shop.example',
  'cache-control': 'private, max-age=0',
  'content-type': 'application/json; charset=utf-8',
  date: 'Tue, 01 Jan 2030 00:00:00 GMT',
  server: 'nginx',
  'strict-transport-security': 'max-age=31536000',
  vary: 'Origin',
  'x-request-id': '0b9f2d52c1a84d6c8b1f',
});
