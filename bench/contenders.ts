import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEY } from './operations.ts';

/** A server to be measured, as it is started by `node` itself. */
export interface Contender {
  readonly name: 'paddock' | 'bare node:http' | 'Fastify by hand' | 'Prism';
  readonly basePath: string;
  readonly args: (port: number) => string[];
}

export interface Running {
  readonly contender: Contender;
  /** Base URL, with the path prefix. */
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from its start to its first 200. */
  readonly startUp: number;
  stop(): Promise<void>;
}

/** @param recorded file with the answers that the bare server repeats */
export function contenders(recorded: string): Contender[] {
  return [
    { name: 'paddock', basePath: '/v1', args: (port) => ['cli/paddock.ts', 'mock', '--port', `${port}`] },
    {
      name: 'bare node:http',
      basePath: '/v1',
      args: (port) => ['bench/servers/bare.ts', `${port}`, recorded],
    },
    {
      name: 'Fastify by hand',
      basePath: '/v1',
      args: (port) => ['bench/servers/by-hand.ts', `${port}`, KEY],
    },
    {
      name: 'Prism',
      basePath: '',
      args: (port) => [
        'node_modules/@stoplight/prism-cli/dist/index.js',
        'mock',
        'spec/openapi.yaml',
        '--port',
        `${port}`,
      ],
    },
  ];
}

const GIVE_UP = 20_000;

export async function start(contender: Contender): Promise<Running> {
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(process.execPath, contender.args(port), { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}${contender.basePath}`;
  const stop = () => end(child);
  while (performance.now() - begun < GIVE_UP) {
    const answer = await fetch(`${url}/pets`, { headers: { authorization: `Bearer ${KEY}` } }).catch(
      () => undefined,
    );
    await answer?.arrayBuffer();
    if (answer?.status === 200)
      return { contender, url, pid: child.pid as number, startUp: performance.now() - begun, stop };
    await sleep(2);
  }
  await stop();
  throw new Error(`${contender.name} gave no answer within ${GIVE_UP / 1000} s`);
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill();
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
