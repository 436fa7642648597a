import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * Sends the recorded list with a header that is another each time, or, for POST, the recorded create with another id.
 * Arguments: port, file with the recorded responses.
 */
const [port, file = ''] = process.argv.slice(2);
const { list, create } = JSON.parse(readFileSync(file, 'utf8'));
const created = JSON.parse(create.body);
let count = 0;

createServer((request, response) => {
  count += 1;
  if (request.method !== 'POST') {
    response.writeHead(list.status, [...list.headers, 'X-Request-Number', `${count}`]);
    response.end(list.body);
    return;
  }
  request.resume().on('end', () => {
    response.writeHead(
      create.status,
      create.headers.map((text: string) => text.replace(/\/\d+$/, `/${count}`)),
    );
    response.end(JSON.stringify({ ...created, id: count }));
  });
}).listen(Number(port), '127.0.0.1');
