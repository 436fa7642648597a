import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** Sends the recorded list with a header that is another each time. Arguments: port, file with the recorded responses. */
const [port, file = ''] = process.argv.slice(2);
const { status, headers, body } = JSON.parse(readFileSync(file, 'utf8')).list;
let count = 0;

createServer((_, response) => {
  count += 1;
  response.writeHead(status, [...headers, 'X-Request-Number', `${count}`]);
  response.end(body);
}).listen(Number(port), '127.0.0.1');
