import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Recorded } from '../operations.ts';

/**
 * The limit: `node:http` sends the recorded bytes of the mock, chosen by the target; no header is read. Of a request with a
 * body it reads, parses and serialises that, as every service must.
 * Arguments: port, file with the recorded responses (see `recordResponses`).
 */
interface Prepared {
  readonly status: number;
  readonly headers: string[];
  /** Each character is one byte: headers and body then go out in one write without encoding. */
  readonly bytes: string;
}

const [port, file = ''] = process.argv.slice(2);
const recorded: Recorded[] = Object.values(JSON.parse(readFileSync(file, 'utf8')));
const byTarget = new Map<string, Prepared>();
const bySent = new Map<string, Prepared>();
for (const { request, status, headers, body } of recorded) {
  const bytes = Buffer.from(body).toString('latin1');
  const prepared = { status, headers: [...headers, 'Content-Length', `${bytes.length}`], bytes };
  if (request.body === undefined) byTarget.set(request.target, prepared);
  else bySent.set(JSON.stringify(parse(request.body)), prepared);
}

/** JSON, or else a form. */
function parse(body: string): unknown {
  return body.startsWith('{') || body.startsWith('[') ? JSON.parse(body) : [...new URLSearchParams(body)];
}

function send(response: ServerResponse, { status, headers, bytes }: Prepared): void {
  response.writeHead(status, headers);
  response.end(bytes, 'latin1');
}

function answerPost(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const sent = (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString();
    send(response, bySent.get(JSON.stringify(parse(sent))) as Prepared);
  });
}

createServer({ requireHostHeader: false, optimizeEmptyRequests: true }, (request, response) => {
  if (request.method === 'POST') answerPost(request, response);
  else send(response, byTarget.get(request.url as string) as Prepared);
}).listen(Number(port), '127.0.0.1');
