import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A request that is measured, of the shipped document. */
export interface Measured {
  readonly name: 'list' | 'read' | 'create' | '401' | '400';
  readonly path: string;
  /** Where there is one, the method is POST. */
  readonly body?: string;
  readonly status: number;
}

export const KEY = 'paddock-dev-key';
const PET = '{"name":"Ernesto","categoryId":7,"status":"available"}';

export const OPERATIONS: readonly [Measured, ...Measured[]] = [
  { name: 'list', path: '/pets?limit=20&status=available', status: 200 },
  { name: 'read', path: '/pets/7', status: 200 },
  { name: 'create', path: '/pets', body: PET, status: 201 },
  { name: '401', path: '/pets', status: 401 },
  { name: '400', path: '/pets', body: '{"status":"gone"}', status: 400 },
];

export function methodOf({ body }: Measured): 'GET' | 'POST' {
  return body === undefined ? 'GET' : 'POST';
}

export function headersOf({ name, body }: Measured): Record<string, string> {
  return {
    ...(name !== '401' && { authorization: `Bearer ${KEY}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
}

/** Headers that node:http writes by itself. */
const OWN = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

/** Records the mock's responses for the bare server, which sends the same bytes. Gives the file's path. */
export async function recordResponses(url: string): Promise<string> {
  const recorded = OPERATIONS.map(async (operation) => [operation.name, await responseTo(url, operation)]);
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-bench-')), 'responses.json');
  await writeFile(file, JSON.stringify(Object.fromEntries(await Promise.all(recorded))));
  return file;
}

async function responseTo(url: string, operation: Measured): Promise<object> {
  const options = { method: methodOf(operation), headers: headersOf(operation) };
  const sent = request(url + operation.path, options).end(operation.body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { rawHeaders: raw, statusCode: status } = response;
  const headers = raw.filter((_, index) => !OWN.has((raw[index - (index % 2)] as string).toLowerCase()));
  return { status, headers, body: await text(response) };
}
