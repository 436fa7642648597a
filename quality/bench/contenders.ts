import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../testing/free-port.ts';
import { PRISM } from '../testing/prism.ts';
import { headersOf, OPERATIONS } from './operations.ts';

/** A server to measure, started with `node`. */
export interface Contender {
  readonly name: string;
  readonly basePath: string;
  readonly args: readonly string[];
  readonly folder?: string;
  readonly store?: string;
}

export interface Running {
  readonly name: string;
  /** The base URL, including the path prefix. */
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from its start to its first 200. */
  readonly startUp: number;
  stop(): Promise<void>;
}

/** Replaced by a free port in the arguments. */
const PORT = '{port}';

/** The names of {@link contenders}, without that of another checkout. */
export const NAMES = ['paddock', 'paddock, file', 'bare node:http', 'Prism'] as const;

/** @param folder the package built by `buildPackage` */
export function paddockIn(folder: string): Contender {
  return { name: 'paddock', basePath: '/v1', args: ['cli/paddock.js', 'mock', '--port', PORT], folder };
}

/**
 * @param folder the package
 * @param recorded file with the responses that the bare server repeats
 * @param before folder of another checkout's package, to measure its mock too
 */
export function contenders(folder: string, recorded: string, before?: string): Contender[] {
  const paddock = paddockIn(folder);
  const store = `file:${join(mkdtempSync(join(tmpdir(), 'paddock-bench-')), 'records.db')}`;
  return [
    paddock,
    { ...paddock, name: 'paddock, file', store },
    ...(before === undefined ? [] : [{ ...paddockIn(before), name: 'before' }]),
    { name: 'bare node:http', basePath: '/v1', args: ['quality/bench/servers/bare.ts', PORT, recorded] },
    { name: 'Prism', basePath: '', args: [PRISM, 'mock', 'spec/openapi.yaml', '--port', PORT] },
  ];
}

/** Milliseconds. */
const TIMEOUT = 60_000;

/** Starts a server, and repeats the first operation until it returns the expected response. */
export async function start({ name, basePath, args, folder = '.', store }: Contender): Promise<Running> {
  const [first] = OPERATIONS;
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    args.map((arg) => (arg === PORT ? `${port}` : arg)),
    {
      cwd: folder,
      env: { ...process.env, ...(store !== undefined && { PADDOCK_STORE: store }) },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const url = `http://127.0.0.1:${port}${basePath}`;
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

/** Builds the package in a clone, and returns its folder. Benchmarks measure what users start, not the sources. */
export function buildPackage(clone: string): string {
  process.stderr.write(`building the package of ${clone}\n`);
  execFileSync(process.execPath, ['release/packaging/build.ts'], { cwd: resolve(clone), stdio: 'ignore' });
  return join(resolve(clone), 'dist');
}
