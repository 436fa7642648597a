import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A hand-written service for `fixtures/specs/bicycles.yaml`, independent of the mock and the document. */
export interface StandsService {
  readonly url: string;
  close(): void;
}

/** Its behaviour where the document is silent. */
export interface Manners {
  /** The status for a body whose media type is not JSON; undefined: it parses it as JSON. */
  readonly otherMediaType?: number;
  /** Bodies longer than this, in bytes, get 413. */
  readonly longestBody?: number;
  /** Returns the documented body instead of its own page. */
  readonly documentedBodies?: boolean;
}

interface Stand {
  readonly standId: number;
  readonly street: string;
  readonly places: number;
  readonly covered?: boolean;
}

interface Outcome {
  readonly status: number;
  readonly body?: unknown;
  readonly page?: string;
}

const complain = (status: number, complaint: string): Outcome => ({ status, body: { complaint } });
/** The response of a gateway or framework before the service sees the request. */
const gateway = (status: number): Outcome => ({ status, page: `<html><h1>${status}</h1></html>` });

export async function startStandsService(manners: Manners = {}): Promise<StandsService> {
  const stands = new Map<number, Stand>();
  for (let standId = 1; standId <= 60; standId++)
    stands.set(standId, {
      standId,
      street: `Street ${standId}`,
      places: standId,
      covered: standId % 2 === 0,
    });

  const server = createServer((request, response) => {
    answer(request, stands, manners).then(
      (outcome) => write(outcome, response),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    close: () => server.close().closeAllConnections(),
  };
}

function write({ status, body, page }: Outcome, response: ServerResponse): void {
  const text = page ?? (body === undefined ? '' : JSON.stringify(body));
  const type = page === undefined ? 'application/json' : 'text/html';
  response.writeHead(status, text === '' ? {} : { 'content-type': type }).end(text);
}

async function answer(
  request: IncomingMessage,
  stands: Map<number, Stand>,
  manners: Manners,
): Promise<Outcome> {
  const { method = '', headers } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const url = new URL(request.url ?? '', 'http://stands');
  const accept = headers.accept ?? '*/*';
  if (url.href.length > 1500) return gateway(414);
  if (!/\*\/\*|application\/(json|\*)/.test(accept)) return gateway(406);
  if (headers['transfer-encoding'] !== undefined) return gateway(411);
  if (headers['content-encoding'] !== undefined) return gateway(415);
  if (bytes.length > (manners.longestBody ?? 4096)) return gateway(413);
  const segments = url.pathname.split('/').slice(1);
  if (segments[0] !== 'api' || segments[1] !== 'stands' || segments.length > 3) return gateway(404);
  if (segments.length === 2) {
    if (method === 'GET') return list(url.searchParams, stands);
    return method === 'POST'
      ? withBody(request, bytes, manners, (stand) => add(stand, stands))
      : gateway(405);
  }
  const standId = /^\d{1,9}$/.test(segments[2] ?? '') ? Number(segments[2]) : 0;
  if (!stands.has(standId)) return complain(404, 'There is no such stand.');
  if (method === 'GET') return { status: 200, body: stands.get(standId) };
  if (method === 'DELETE') {
    stands.delete(standId);
    return { status: 204 };
  }
  if (method !== 'PUT') return gateway(405);
  return withBody(request, bytes, manners, (stand) => {
    stands.set(standId, { ...stand, standId });
    return { status: 200, body: stands.get(standId) };
  });
}

function list(query: URLSearchParams, stands: ReadonlyMap<number, Stand>): Outcome {
  const covered = query.get('covered');
  const selection = [...stands.values()].filter(
    (stand) => covered === null || String(stand.covered) === covered,
  );
  const count = Math.min(200, Number(query.get('count') ?? 50) || 50);
  const offset = Number(query.get('offset') ?? 0) || 0;
  return { status: 200, body: selection.slice(Math.max(0, offset)).slice(0, Math.max(1, Math.trunc(count))) };
}

function add(stand: Omit<Stand, 'standId'>, stands: Map<number, Stand>): Outcome {
  const standId = Math.max(0, ...stands.keys()) + 1;
  stands.set(standId, { ...stand, standId });
  return { status: 201, body: stands.get(standId) };
}

function withBody(
  { headers }: IncomingMessage,
  bytes: Buffer,
  { otherMediaType, documentedBodies }: Manners,
  act: (stand: Omit<Stand, 'standId'>) => Outcome,
): Outcome {
  const refuse = (status: number) => (documentedBodies ? complain(status, 'No.') : gateway(status));
  const isJson = /^application\/json/i.test(headers['content-type'] ?? '');
  if (!isJson && otherMediaType !== undefined) return refuse(otherMediaType);
  if (bytes.length === 0) return complain(400, 'A stand is needed.');
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString());
  } catch {
    return refuse(415);
  }
  const problem = problemOf(json);
  if (problem !== undefined) return complain(400, problem);
  const { street, places, covered } = json as Stand;
  return act({ street, places, ...(covered === undefined ? {} : { covered }) });
}

function problemOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'A stand is an object.';
  const { street, places, covered } = body as Record<string, unknown>;
  if (typeof street !== 'string' || street.length < 1 || [...street].length > 200) return 'street';
  if (!Number.isInteger(places) || Number(places) < 1 || Number(places) > 500) return 'places';
  return covered === undefined || typeof covered === 'boolean' ? undefined : 'covered';
}
