import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../testing/free-port.ts';
import { headersOf, KEY, OPERATIONS } from './operations.ts';

/** A server to be measured, started by `node`. */
export interface Contender {
  readonly name: string;
  readonly basePath: string;
  readonly args: readonly string[];
  /** Where it is started. */
  readonly folder?: string;
}

export interface Running {
  readonly name: string;
  /** Base URL, with the path prefix. */
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from its start to its first 200. */
  readonly startUp: number;
  stop(): Promise<void>;
}

/** Replaced by a free port in the arguments. */
const PORT = '{port}';
const PRISM = 'node_modules/@stoplight/prism-cli/dist/index.js';

export const paddock: Contender = {
  name: 'paddock',
  basePath: '/v1',
  args: ['cli/paddock.js', 'mock', '--port', PORT],
};

/**
 * @param recorded file with the responses that the bare server repeats
 * @param before folder of another checkout, whose mock is measured, too
 */
export function contenders(recorded: string, before?: string): Contender[] {
  return [
    paddock,
    ...(before === undefined ? [] : [{ ...paddock, name: 'before', folder: resolve(before) }]),
    { name: 'bare node:http', basePath: '/v1', args: ['bench/servers/bare.ts', PORT, recorded] },
    { name: 'Fastify by hand', basePath: '/v1', args: ['bench/servers/by-hand.ts', PORT, KEY] },
    { name: 'Prism', basePath: '', args: [PRISM, 'mock', 'spec/openapi.yaml', '--port', PORT] },
  ];
}

const TIMEOUT = 20_000;

/** Starts a server, and repeats the first operation until its response is the expected one. */
export async function start({ name, basePath, args, folder = '.' }: Contender): Promise<Running> {
  const port = await freePort();
  const begun = performance.now();
  const command = args.map((arg) => (arg === PORT ? `${port}` : arg));
  const child = spawn(process.execPath, command, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}${basePath}`;
  const [first] = OPERATIONS;
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  while (performance.now() - begun < TIMEOUT) {
    const response = await fetch(url + first.path, { headers: headersOf(first) }).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.status === first.status)
      return { name, url, pid: child.pid as number, startUp: performance.now() - begun, stop };
    await sleep(2);
  }
  await stop();
  throw new Error(`${name} did not respond within ${TIMEOUT / 1000} s`);
}
