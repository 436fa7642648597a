import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { headersOf, type Measured, methodOf, OPERATIONS } from './operations.ts';

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
