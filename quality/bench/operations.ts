import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A request of the shipped document to measure. */
export interface Measured {
  readonly name: string;
  readonly path: string;
  /** If present, the method is POST. */
  readonly body?: string;
  readonly status: number;
}

const KEY = 'paddock-dev-key';
const PET = '{"name":"Ernesto","categoryId":7,"status":"available"}';

export const OPERATIONS: readonly [Measured, ...Measured[]] = [
  { name: 'list', path: '/pets?limit=20&status=available', status: 200 },
  { name: 'read', path: '/pets/7', status: 200 },
  { name: 'create', path: '/pets', body: PET, status: 201 },
  { name: '401', path: '/pets', status: 401 },
  { name: '400', path: '/pets', body: '{"status":"gone"}', status: 400 },
];

export const methodOf = ({ body }: Measured) => (body === undefined ? 'GET' : 'POST');

export function headersOf({ name, body }: Measured): Record<string, string> {
  return {
    ...(name !== '401' && { authorization: `Bearer ${KEY}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
}

/** Headers that node:http writes itself. */
const OWN = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

/** A recorded response, which the bare server repeats for the same request. */
export interface Recorded {
  /** Path and query. */
  readonly target: string;
  readonly sent?: string | undefined;
  readonly status: number;
  /** Names and values alternately, without those that `node:http` writes itself. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** Records the mock's responses for the bare server. Returns the path of the file. */
export async function recordResponses(base: string): Promise<string> {
  const recorded = OPERATIONS.map(async (operation): Promise<Recorded> => {
    const { body: sent } = operation;
    const url = new URL(base + operation.path);
    const response = await fetch(url, {
      method: methodOf(operation),
      headers: headersOf(operation),
      ...(sent !== undefined && { body: sent }),
    });
    const headers = [...response.headers].filter(([name]) => !OWN.has(name)).flat();
    const target = url.pathname + url.search;
    return { target, sent, status: response.status, headers, body: await response.text() };
  });
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-bench-')), 'responses.json');
  await writeFile(file, JSON.stringify(await Promise.all(recorded)));
  return file;
}
