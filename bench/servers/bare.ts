import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * The limit: `node:http` answers with the bytes that the mock gave, and thinks of nothing. Of a create it reads,
 * parses and serialises the body, which no service can do without.
 * Arguments: port, file with the answers that were recorded (see `record.ts`).
 */
interface Recorded {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

const [port, file = ''] = process.argv.slice(2);
const answers: Record<string, Recorded> = JSON.parse(readFileSync(file, 'utf8'));
let lastId = 1000;

createServer((request, response) => {
  if (request.method !== 'POST') {
    const name =
      request.headers.authorization === undefined ? '401' : request.url?.includes('?') ? 'list' : 'read';
    return answer(answers[name] as Recorded, (answers[name] as Recorded).body);
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const sent = JSON.parse(Buffer.concat(chunks).toString());
    if (sent.name === undefined) return answer(answers['400'] as Recorded, (answers['400'] as Recorded).body);
    lastId += 1;
    answer(answers.create as Recorded, JSON.stringify({ id: lastId, ...sent }));
  });

  function answer({ status, headers }: Recorded, body: string): void {
    response.writeHead(status, headers as string[]);
    response.end(body);
  }
}).listen(Number(port), '127.0.0.1');
