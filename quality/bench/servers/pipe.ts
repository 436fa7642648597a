import { Agent, createServer, request } from 'node:http';

/** The baseline of `npm run lab -- bench proxy`: a `node:http` proxy that pipes. Arguments: port, port of the target. */
const [port, target] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

createServer((incoming, outgoing) => {
  const { method, url, rawHeaders } = incoming;
  const options = { host: '127.0.0.1', port: target, method, path: url, headers: rawHeaders, agent };
  const onward = request(options, (response) => {
    outgoing.writeHead(response.statusCode as number, response.statusMessage, response.rawHeaders);
    response.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}).listen(Number(port), '127.0.0.1');
