import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * The limit: `node:http` answers with the bytes that the mock gave, and thinks of nothing, as fast as `node:http` can. Which ones follows from
 * method and target alone; no header is read. Of a create it reads, parses and serialises the body, which no service
 * can do without.
 * Arguments: port, file with the answers that were recorded (see `record.ts`).
 */
interface Recorded {
  readonly status: number;
  readonly headers: readonly string[];
  /** Once prepared, each character is one byte: headers and body then go out in one write, nothing is encoded. */
  readonly body: string;
}

const [port, file = ''] = process.argv.slice(2);
const recorded: Record<string, Recorded> = JSON.parse(readFileSync(file, 'utf8'));
const [list, read, create, refused, invalid] = ['list', 'read', 'create', '401', '400'].map(prepare) as [
  Recorded,
  Recorded,
  Recorded,
  Recorded,
  Recorded,
];
let lastId = 1000;

function prepare(name: string): Recorded {
  const { status, headers, body } = recorded[name] as Recorded;
  const bytes = Buffer.from(body).toString('latin1');
  return { status, headers: [...headers, 'Content-Length', `${bytes.length}`], body: bytes };
}

function answer(response: ServerResponse, { status, headers, body }: Recorded): void {
  response.writeHead(status, headers as string[]);
  response.end(body, 'latin1');
}

function answerPost(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const sent = JSON.parse((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString());
    if (sent.name === undefined) return answer(response, invalid);
    lastId += 1;
    const body = JSON.stringify({ id: lastId, ...sent });
    response.writeHead(create.status, create.headers.with(-1, `${Buffer.byteLength(body)}`));
    response.end(body);
  });
}

createServer({ requireHostHeader: false, optimizeEmptyRequests: true }, (request, response) => {
  if (request.method === 'POST') return answerPost(request, response);
  const target = request.url as string;
  answer(response, target.includes('?') ? list : target.endsWith('/pets') ? refused : read);
}).listen(Number(port), '127.0.0.1');
