import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readArguments } from '../arguments.ts';
import { forward } from '../testing/forward.ts';
import { runPaddock, startMock } from '../testing/paddock.ts';
import { table } from './report.ts';

const HELP = `npm run bench -- check

How long paddock check takes from its start to its end, one run after another. The target is the mock: as it is, with a
latency, and behind something that empties every list.
`;

readArguments(HELP, {});
const KEY = 'paddock-dev-key';
const LATENCY = 250;

const [near, far] = [await startMock(), await startMock(['--latency', `${LATENCY}`])];
const empty = await startWithoutLists(new URL(near.url));
const runs: readonly (readonly [against: string, url: string, options: readonly string[]])[] = [
  ['paddock mock', near.url, []],
  ['a service whose list is always empty', empty.url, []],
  [`paddock mock --latency ${LATENCY}`, far.url, ['--jobs', '8']],
  [`paddock mock --latency ${LATENCY}`, far.url, []],
  [`paddock mock --latency ${LATENCY}`, far.url, ['--jobs', '1']],
];
const rows: string[][] = [];
for (const [against, url, options] of runs) {
  const began = performance.now();
  const { code, output } = await runPaddock(['check', url, ...options], { env: { PADDOCK_API_KEY: KEY } });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const requests = /(\d+) requests in/.exec(output)?.[1] ?? '?';
  rows.push([against, ['paddock check URL', ...options].join(' '), requests, `${code}`, `${seconds} s`]);
}
await Promise.all([near.stop(), far.stop()]);
empty.stop();
process.stdout.write(`${table(['against', 'command', 'requests', 'exit code', 'time'], rows)}\n`);

/** Answers each list with no record, and forwards everything else. */
async function startWithoutLists({ port, pathname }: URL): Promise<{ url: string; stop: () => void }> {
  const server = createServer((request, response) => {
    const isList = request.method === 'GET' && request.url?.split('?')[0] === `${pathname}/pets`;
    if (!isList || request.headers.authorization !== `Bearer ${KEY}`) return forward(port, request, response);
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  }).listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
  return { url, stop: () => void server.close().closeAllConnections() };
}
