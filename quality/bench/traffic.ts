import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/**
 * Recorded traffic of the Pet Store, as a browser would have saved it, none of which breaks the contract: of ten exchanges,
 * each another one, five are reads, three lists, one a create and one a 404. The same bytes for the same arguments.
 * @returns the number of exchanges
 */
export async function writeTraffic(file: string, bytes: number): Promise<number> {
  const out = createWriteStream(file);
  let [written, count] = [0, 0];
  out.write('{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[\n');
  for (; written < bytes; count++) {
    const text = `${count > 0 ? ',\n' : ''}${entryOf(count)}`;
    written += text.length;
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end('\n]}}\n');
  await finished(out);
  return count;
}

/** Milliseconds between two requests. */
const PACE = 20;
const BEGIN = Date.parse('2030-01-01T00:00:00Z');

function entryOf(count: number): string {
  const { method, path, status, body, sent } = exchangeOf(count);
  const text = JSON.stringify(body);
  const posted = sent && JSON.stringify(sent);
  const type = { name: 'content-type', value: 'application/json' };
  return JSON.stringify({
    startedDateTime: new Date(BEGIN + count * PACE).toISOString(),
    time: 5 + (count % 9),
    request: {
      ...{
        method,
        url: `https://pets.example/v1${path}`,
        httpVersion: 'HTTP/2',
        queryString: [],
        cookies: [],
      },
      headers: [
        ...HEADERS,
        { name: 'authorization', value: 'Bearer 4f1c2a7e-8d55' },
        ...(sent ? [type] : []),
      ],
      ...(posted !== undefined && { postData: { mimeType: type.value, text: posted } }),
      ...{ headersSize: -1, bodySize: posted?.length ?? 0 },
    },
    response: {
      ...{ status, statusText: '', httpVersion: 'HTTP/2', headers: [...HEADERS, type], cookies: [] },
      content: { size: text.length, mimeType: type.value, text },
      ...{ redirectURL: '', headersSize: -1, bodySize: -1 },
    },
    cache: {},
    timings: { send: 0.2, wait: 3.4, receive: 0.6 },
  });
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
  readonly sent?: object;
}

function exchangeOf(number: number): Exchange {
  const id = number + 1;
  const place = number % 10;
  if (place === 8) {
    const { id: _, ...sent } = petOf(id);
    return { method: 'POST', path: '/pets', status: 201, body: petOf(id), sent };
  }
  if (place === 9) {
    const body = { code: 'not_found', message: `There is no pet ${id}`, status: 404 };
    return { method: 'GET', path: `/pets/${id}`, status: 404, body };
  }
  if (place < 5) return { method: 'GET', path: `/pets/${id}`, status: 200, body: petOf(id) };
  const limit = 20 + (number % 30);
  const body = Array.from({ length: limit }, (_, index) => petOf(id * 50 + index));
  return { method: 'GET', path: `/pets?limit=${limit}`, status: 200, body };
}

const STATUSES = ['available', 'pending', 'sold'] as const;

function petOf(id: number) {
  return { id, name: `Pet number ${id}`, categoryId: 1 + (id % 12), status: STATUSES[id % 3] };
}

/** As many as browsers and services send. */
const HEADERS = Array.from({ length: 9 }, (_, index) => ({
  name: `x-header-${index}`,
  value: 'application/json, text/plain, gzip, deflate, br, zstd',
}));
