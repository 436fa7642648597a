import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A request that is measured. */
export interface Measured {
  readonly name: string;
  readonly path: string;
  /** Where there is one, the method is POST. */
  readonly body?: string;
  /** The media type of the body; absent: JSON. */
  readonly type?: string;
  readonly status: number;
}

export const KEY = 'paddock-dev-key';
const PET = '{"name":"Ernesto","categoryId":7,"status":"available"}';

/** Those of the shipped document. */
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

export function headersOf({ name, body, type = 'application/json' }: Measured): Record<string, string> {
  return {
    ...(name !== '401' && { authorization: `Bearer ${KEY}` }),
    ...(body !== undefined && { 'content-type': type }),
  };
}

/** Headers that node:http writes by itself. */
const OWN = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

/** A response for the bare server, which repeats it for the same request. */
export interface Recorded {
  readonly request: {
    readonly method: string;
    /** Path and query. */
    readonly target: string;
    readonly body?: string;
    readonly type?: string;
  };
  readonly status: number;
  /** Names and values in turn, without those that `node:http` writes by itself. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** Records the mock's responses for the bare server, which sends the same bytes, by operation. Gives the file's path. */
export async function recordResponses(
  url: string,
  operations: readonly Measured[] = OPERATIONS,
): Promise<string> {
  const recorded = operations.map(async (operation) => [operation.name, await responseTo(url, operation)]);
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-bench-')), 'responses.json');
  await writeFile(file, JSON.stringify(Object.fromEntries(await Promise.all(recorded))));
  return file;
}

export async function responseTo(url: string, operation: Measured): Promise<Recorded> {
  const options = { method: methodOf(operation), headers: headersOf(operation) };
  const sent = request(url + operation.path, options).end(operation.body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { rawHeaders: raw, statusCode: status = 0 } = response;
  const headers = raw.filter((_, index) => !OWN.has((raw[index - (index % 2)] as string).toLowerCase()));
  const { pathname, search } = new URL(url + operation.path);
  const { body, type } = operation;
  const given = {
    method: options.method,
    target: pathname + search,
    ...(body !== undefined && { body, type }),
  };
  return { request: given, status, headers, body: await text(response) };
}
