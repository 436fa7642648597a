import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMock } from '#mock';

/** A service on a free port that breaks about as many promises of its document as it has operations. */
export interface FaultyService {
  readonly url: string;
  close(): Promise<void>;
}

/** No page, shell or terminal may interpret this text. */
const HOSTILE = `</pre><script>document.title = 'run'</script>" 'x' \u001b[31m\u202e`;

const LARGE = 30_000;

/** Changes to a body; each operation has one of them. */
const FAULTS: readonly ((body: unknown) => unknown)[] = [
  (body) => onRecord(body, (record, last) => delete record[last]),
  (body) => onRecord(body, (record, last) => (record[last] = { of: HOSTILE })),
  (body) => onRecord(body, (record) => (record[Object.keys(record)[0] ?? 'id'] = [7, null])),
  (body) => onRecord(body, (record, last) => (record[last] = null)),
  (body) => onRecord(body, (record, last) => (record[last] = HOSTILE.repeat(LARGE / HOSTILE.length))),
];

const PICTURE = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 31) % 256));

/** The mock of a document with a fault in each operation, selected by method and path: every run finds the same. */
export async function startFaultyService(document: string): Promise<FaultyService> {
  const mock = await createMock({ document, apiKeys: ['k'] });
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const body = await bodyOf(incoming);
    const response = await mock.fetch(
      new Request(`http://127.0.0.1${url}`, {
        method,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
        ...(body.length > 0 && method !== 'GET' && method !== 'HEAD' && { body: new Uint8Array(body) }),
      }),
    );
    const chosen = choose(method, url);
    const type = response.headers.get('content-type') ?? '';
    const bytes = Buffer.from(await response.arrayBuffer());
    const isWhole = response.ok && type.includes('json');
    const isPicture = isWhole && chosen % 13 === 0;
    const isBroken = isWhole && chosen % 11 === 1;
    const faulty = isWhole ? faultyJson(bytes.toString(), chosen) : bytes;
    outgoing.writeHead(response.ok && chosen % 7 === 2 ? 202 : isBroken ? 500 : response.status, {
      'content-type': isPicture ? 'image/png' : type,
      'x-served-by': HOSTILE.replace(/[^ -~]/g, ''),
    });
    outgoing.end(isPicture ? PICTURE : faulty);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(mock.url).pathname}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mock.close();
    },
  };
}

function faultyJson(text: string, chosen: number): string {
  if (text === '') return text;
  const fault = FAULTS[chosen % FAULTS.length];
  return JSON.stringify(fault?.(JSON.parse(text)));
}

/** Changes the first record of a body in place, also in a list or an envelope. */
function onRecord(body: unknown, change: (record: Record<string, unknown>, last: string) => void): unknown {
  const record = recordIn(body);
  if (record) change(record, Object.keys(record).at(-1) ?? 'id');
  return body;
}

function recordIn(value: unknown): Record<string, unknown> | undefined {
  if (Array.isArray(value)) return recordIn(value.at(-1));
  if (typeof value !== 'object' || value === null) return undefined;
  const members = Object.values(value);
  const inner = members.length === 1 || Array.isArray(members[0]) ? recordIn(members[0]) : undefined;
  return inner ?? (value as Record<string, unknown>);
}

/** A hash of a method and a path, regardless of ids. */
function choose(method: string, url: string): number {
  const path = (url.split('?')[0] ?? '').replace(/\/[^/]*[\d%~-][^/]*(?=\/|$)/g, '/*');
  return [...method, ...path].reduce((all, sign) => (all * 31 + (sign.codePointAt(0) ?? 0)) % 100_003, 7);
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
