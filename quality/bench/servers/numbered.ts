import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';

/**
 * Sends the recorded list with a header that is another each time, or, for POST, the recorded create with another id.
 * Arguments: port, file with the recorded responses.
 */
const [port, file = ''] = process.argv.slice(2);
const { list, create } = JSON.parse(readFileSync(file, 'utf8'));
const created = JSON.parse(create.body);
let count = 0;

function send(response: ServerResponse, status: number, headers: readonly string[], body: string): void {
  // The generator of the project reads no chunks.
  response.writeHead(status, [...headers, 'Content-Length', `${Buffer.byteLength(body)}`]).end(body);
}

createServer((request, response) => {
  count += 1;
  if (request.method !== 'POST') {
    send(response, list.status, [...list.headers, 'X-Request-Number', `${count}`], list.body);
    return;
  }
  const headers = create.headers.map((text: string) => text.replace(/\/\d+$/, `/${count}`));
  const body = JSON.stringify({ ...created, id: count });
  request.resume().on('end', () => send(response, create.status, headers, body));
}).listen(Number(port), '127.0.0.1');
