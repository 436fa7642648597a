import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { Recorded } from '../operations.ts';

/**
 * The upper limit: `node:http` sends the recorded bytes of the mock, selected by target, and reads no header. It reads,
 * parses and serialises a request body, as every service must. Arguments: port, file with the recorded responses (see
 * `recordResponses`).
 */
const [port, file = ''] = process.argv.slice(2);
const recorded: Recorded[] = JSON.parse(readFileSync(file, 'utf8'));
const prepared = recorded.map(({ target, sent, status, headers, body }) => {
  // Each character is one byte, so headers and body are sent in one write without encoding.
  const bytes = Buffer.from(body).toString('latin1');
  const key = sent === undefined ? target : JSON.stringify(JSON.parse(sent));
  return [key, { status, headers: [...headers, 'Content-Length', `${bytes.length}`], bytes }] as const;
});
const byKey = new Map(prepared.toReversed());

function send(response: ServerResponse, key: string): void {
  const { status = 404, headers = [], bytes = '' } = byKey.get(key) ?? {};
  response.writeHead(status, [...headers]);
  response.end(bytes, 'latin1');
}

createServer({ requireHostHeader: false, optimizeEmptyRequests: true }, (request, response) => {
  if (request.method !== 'POST') return send(response, request.url ?? '');
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => send(response, JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()))));
}).listen(Number(port), '127.0.0.1');
