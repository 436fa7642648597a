import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * The limit: `node:http` sends the recorded bytes of the mock, chosen by method and target alone; no header is read.
 * Only of a create it reads, parses and serialises the body, as every service must.
 * Arguments: port, file with the recorded responses (see `record.ts`).
 */
interface Recorded {
  readonly status: number;
  readonly headers: readonly string[];
  /** Once prepared, each character is one byte: headers and body then go out in one write without encoding. */
  readonly body: string;
}

const [port, file = ''] = process.argv.slice(2);
const recorded: Record<string, Recorded> = JSON.parse(readFileSync(file, 'utf8'));
const [list, read, create] = [prepare('list'), prepare('read'), prepare('create')];
const [unauthorized, invalid] = [prepare('401'), prepare('400')];
let lastId = 1000;

function prepare(name: string): Recorded {
  const { status, headers, body } = recorded[name] as Recorded;
  const bytes = Buffer.from(body).toString('latin1');
  return { status, headers: [...headers, 'Content-Length', `${bytes.length}`], body: bytes };
}

function send(response: ServerResponse, { status, headers, body }: Recorded): void {
  response.writeHead(status, headers as string[]);
  response.end(body, 'latin1');
}

function answerPost(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const sent = JSON.parse((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString());
    if (sent.name === undefined) return send(response, invalid);
    lastId += 1;
    const body = JSON.stringify({ id: lastId, ...sent });
    response.writeHead(create.status, create.headers.with(-1, `${Buffer.byteLength(body)}`));
    response.end(body);
  });
}

createServer({ requireHostHeader: false, optimizeEmptyRequests: true }, (request, response) => {
  if (request.method === 'POST') return answerPost(request, response);
  const target = request.url as string;
  send(response, target.includes('?') ? list : target.endsWith('/pets') ? unauthorized : read);
}).listen(Number(port), '127.0.0.1');
