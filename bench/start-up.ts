import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Time from start to first answer, this mock beside Prism, on the same document: `npm run bench:start`.
 * Both are started by `node` itself, in turn; the medians' ratio is what counts, the milliseconds are this machine's.
 */
const ROUNDS = 7;
const GIVE_UP = 20_000;

interface Contender {
  readonly name: string;
  readonly path: string;
  readonly args: (port: number) => string[];
}

const PADDOCK: Contender = {
  name: 'paddock',
  path: '/v1/pets',
  args: (port) => ['cli/paddock.ts', 'mock', '--port', String(port), '--no-log'],
};

const PRISM: Contender = {
  name: 'prism',
  path: '/pets',
  args: (port) => [
    'node_modules/@stoplight/prism-cli/dist/index.js',
    'mock',
    'spec/openapi.yaml',
    '--port',
    String(port),
  ],
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Milliseconds from the start of the process to the end of its first 200. */
async function timeToFirstAnswer({ name, path, args }: Contender): Promise<number> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, args(port), { stdio: 'ignore' });
  try {
    while (performance.now() - started < GIVE_UP) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { authorization: 'Bearer paddock-dev-key' },
      }).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return performance.now() - started;
      await sleep(2);
    }
    throw new Error(`${name} gave no answer within ${GIVE_UP / 1000} s`);
  } finally {
    child.kill();
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] as number;
}

const times = new Map<Contender, number[]>([
  [PADDOCK, []],
  [PRISM, []],
]);
// The first round fills Node's compile cache and the system's file cache, for both alike, and does not count.
for (let round = 0; round <= ROUNDS; round++) {
  for (const [contender, list] of times) {
    const ms = await timeToFirstAnswer(contender);
    if (round > 0) list.push(ms);
  }
}
for (const [{ name }, list] of times)
  process.stdout.write(`${name.padEnd(8)} ${median(list).toFixed(0)} ms (median of ${ROUNDS})\n`);
const ratio = median(times.get(PADDOCK) ?? []) / median(times.get(PRISM) ?? []);
process.stdout.write(`ratio    ${ratio.toFixed(2)}\n`);
