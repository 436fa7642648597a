import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createMock, type Mock } from '#mock';
import { AUTHORIZATION, DOCUMENT } from './tools.ts';

type Respond = (request: Request) => Promise<Response>;

/** A service with one fault. */
export interface FaultyService {
  readonly id: string;
  /** Of a row of the page. */
  readonly title: string;
  readonly respond: (request: Request, right: Respond, other: Respond) => Promise<Response>;
}

/** The service without a fault, which nobody may complain of. */
export const RIGHT: FaultyService = {
  id: 'right',
  title: 'a service without a fault',
  respond: (request, right) => right(request),
};

const PET = { id: 1, name: 'Ernesto', categoryId: 1 };

export const FAULTY: readonly FaultyService[] = [
  {
    id: 'limit-ignored',
    title: '`limit` is ignored',
    respond: (request, right) => right(without(request, 'limit')),
  },
  {
    id: 'filter-ignored',
    title: '`status` filters nothing',
    respond: (request, right) => right(without(request, 'status')),
  },
  {
    id: 'open-door',
    title: 'requests without a credential are answered',
    respond: (request, right) => {
      const headers = new Headers(request.headers);
      headers.set('authorization', AUTHORIZATION);
      return right(new Request(request, { headers }));
    },
  },
  {
    id: 'wrong-type',
    title: 'ids of a list are texts',
    respond: async (request, right) => {
      const response = await right(request);
      return isList(request)
        ? changed(response, (text) => text.replace(/"id":(\d+)/g, '"id":"$1"'))
        : response;
    },
  },
  {
    id: 'not-kept',
    title: 'what is created is not kept',
    respond: (request, right, other) => (request.method === 'POST' ? other(request) : right(request)),
  },
  {
    id: 'invalid-accepted',
    title: 'an invalid body is accepted',
    respond: async (request, right) => {
      const response = await right(request);
      return request.method === 'POST' && response.status === 400
        ? Response.json(PET, { status: 201 })
        : response;
    },
  },
  {
    id: 'unknown-found',
    title: 'an id that names no record is answered with a record',
    respond: async (request, right) => {
      const response = await right(request);
      return request.method === 'GET' && response.status === 404 ? Response.json(PET) : response;
    },
  },
  {
    id: 'digits-lost',
    title: 'integers beyond 2^53 lose their last digits',
    respond: async (request, right) =>
      changed(await right(request), (text) => text.replace(/\d{16,}/g, (digits) => String(Number(digits)))),
  },
  {
    id: 'crash',
    title: 'the greatest `limit` is a 500 with HTML',
    respond: async (request, right) => {
      if (new URL(request.url).searchParams.get('limit') !== '100') return right(request);
      return new Response('<h1>Oops</h1>', { status: 500, headers: { 'content-type': 'text/html' } });
    },
  },
];

/** Starts a service on loopback; `close` ends it. */
export async function startService({ respond }: FaultyService): Promise<{ url: string; close: () => void }> {
  const mocks = await Promise.all([openMock(), openMock()]);
  const [right, other] = mocks.map(
    (mock): Respond =>
      (request) =>
        mock.fetch(request),
  ) as [Respond, Respond];
  const server = createServer(async (incoming, outgoing) => {
    const response = await respond(await requestOf(incoming), right, other);
    outgoing.writeHead(response.status, [...response.headers].flat());
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
    for (const mock of mocks) mock.close();
  };
  return { url: `http://127.0.0.1:${port}/v1`, close };
}

/** It has the records of the document's examples, since some tools ask for these. */
function openMock(): Promise<Mock> {
  return createMock({ document: DOCUMENT, port: false, examplesFirst: true });
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
  const body = ['GET', 'HEAD'].includes(method) ? null : await buffer(incoming);
  // `fetch` knows no TRACE; to the service any method that it does not have is the same.
  const known = method === 'TRACE' ? 'PURGE' : method;
  return new Request(`http://127.0.0.1${url}`, { method: known, headers, body });
}

function without(request: Request, parameter: string): Request {
  const url = new URL(request.url);
  url.searchParams.delete(parameter);
  return new Request(url, request);
}

function isList({ method, url }: Request): boolean {
  return method === 'GET' && new URL(url).pathname === '/v1/pets';
}

async function changed(response: Response, change: (text: string) => string): Promise<Response> {
  const { status, headers } = response;
  const kept = new Headers(headers);
  kept.delete('content-length');
  const text = change(await response.text());
  return new Response(text === '' ? null : text, { status, headers: kept });
}
