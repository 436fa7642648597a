import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../mock/testing/free-port.ts';
import { headersOf, KEY, OPERATIONS } from './operations.ts';

export const NAMES = ['paddock', 'before', 'bare node:http', 'Fastify by hand', 'Prism'] as const;
/** `before`: the mock of another checkout, to see what a change is worth. */
export type Name = (typeof NAMES)[number];

/** A server to be measured, as it is started by `node` itself. */
export interface Contender {
  readonly name: Name;
  readonly basePath: string;
  readonly args: (port: number) => string[];
  /** Where it is started. */
  readonly folder?: string;
}

export interface Running {
  readonly name: Name;
  /** Base URL, with the path prefix. */
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from its start to its first 200. */
  readonly startUp: number;
  stop(): Promise<void>;
}

export const paddock: Contender = {
  name: 'paddock',
  basePath: '/v1',
  args: (port) => ['cli/paddock.js', 'mock', '--port', `${port}`],
};

/** @param recorded file with the answers that the bare server repeats */
export function contenders(recorded: string, before?: string): Contender[] {
  return [
    paddock,
    ...(before === undefined ? [] : [{ ...paddock, name: 'before', folder: resolve(before) } as const]),
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
        ...['node_modules/@stoplight/prism-cli/dist/index.js', 'mock', 'spec/openapi.yaml'],
        ...['--port', `${port}`],
      ],
    },
  ];
}

const GIVE_UP = 20_000;

/** Started, and asked until it answers the first of the operations. */
export async function start({ name, basePath, args, folder = '.' }: Contender): Promise<Running> {
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(process.execPath, args(port), { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}${basePath}`;
  const [first] = OPERATIONS;
  const stop = () => end(child);
  while (performance.now() - begun < GIVE_UP) {
    const answer = await fetch(url + first.path, { headers: headersOf(first) }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === first.status)
      return { name, url, pid: child.pid as number, startUp: performance.now() - begun, stop };
    await sleep(2);
  }
  await stop();
  throw new Error(`${name} gave no answer within ${GIVE_UP / 1000} s`);
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill();
  });
}
