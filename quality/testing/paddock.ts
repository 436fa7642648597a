import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { vi } from 'vitest';

export const PROGRAM = fileURLToPath(new URL('../../cli/paddock.js', import.meta.url));

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The path of the program, for example that of another clone. Default: this clone's. */
  readonly program?: string;
  /** The URL of a module that Node loads before the program; it has an IPC channel to the parent. */
  readonly preload?: string;
}

/** `paddock` in its own process. */
export interface PaddockProcess {
  readonly child: ChildProcess;
  /** Its output so far; `all` has both streams in the order of reading. */
  readonly output: () => { readonly out: string; readonly err: string; readonly all: string };
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

export interface MockProcess extends PaddockProcess {
  /** The base URL, including the path prefix. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
}

/** In characters; a target that floods the suite must not fill the memory of the test. */
const KEPT_OUTPUT = 2 ** 23;

/** Starts the program in its own process, without this process's PADDOCK variables and Node options. */
export function startPaddock(
  args: readonly string[],
  { env, cwd, preload, program = PROGRAM }: StartOptions = {},
): PaddockProcess {
  const nodeOptions = preload === undefined ? [] : ['--expose-gc', '--import', preload];
  const child = spawn(process.execPath, [...nodeOptions, program, ...args], {
    cwd,
    env: { ...withoutOwn(process.env), ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(preload === undefined ? [] : (['ipc'] as const))],
  });
  const kept = { out: '', err: '', all: '' };
  const keep = (name: keyof typeof kept, text: string) => {
    kept[name] = (kept[name] + text).slice(-KEPT_OUTPUT);
  };
  for (const [name, stream] of [['out', child.stdout] as const, ['err', child.stderr] as const])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      keep(name, text);
      keep('all', text);
    });
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  return { child, ended, stop, output: () => ({ ...kept }) };
}

/** One at a time, since each uses the arguments, variables, working folder and output of this process. */
let runs: Promise<unknown> = Promise.resolve();

/**
 * Runs the program to its end in this process. Programs that need their own process, because of signals, pipes or a
 * configuration file with code, are started by {@link startPaddock}.
 */
export function runPaddock(args: readonly string[], options: Pick<StartOptions, 'env' | 'cwd'> = {}) {
  const run = runs.then(() => runHere(args, options));
  runs = run.catch(() => undefined);
  return run;
}

async function runHere(args: readonly string[], { env, cwd = '.' }: Pick<StartOptions, 'env' | 'cwd'>) {
  const { runProgram } = await import('../../cli/program.ts');
  const { argv, env: variables, exitCode } = process;
  const folder = process.cwd();
  const output = { out: '', err: '', all: '' };
  const writing =
    (name: 'out' | 'err') =>
    (text: string | Uint8Array, ...rest: unknown[]) => {
      output[name] += text;
      output.all += text;
      const written = rest.at(-1);
      if (typeof written === 'function') written();
      return true;
    };
  const streams = { out: process.stdout, err: process.stderr };
  const printing = (name: 'out' | 'err') => {
    const write = writing(name);
    return (...values: unknown[]) => void write(`${format(...values)}\n`);
  };
  const spies = [
    vi.spyOn(streams.out, 'write').mockImplementation(writing('out')),
    vi.spyOn(streams.err, 'write').mockImplementation(writing('err')),
    vi.spyOn(console, 'log').mockImplementation(printing('out')),
    vi.spyOn(console, 'error').mockImplementation(printing('err')),
    vi.spyOn(console, 'warn').mockImplementation(printing('err')),
  ];
  try {
    process.argv = [process.execPath, PROGRAM, ...args];
    process.env = { ...withoutOwn(variables), ...env };
    process.exitCode = undefined;
    process.chdir(cwd);
    await runProgram();
    return { code: Number(process.exitCode ?? 0), output: output.all, out: output.out, err: output.err };
  } finally {
    Object.assign(process, { argv, env: variables, exitCode });
    process.chdir(folder);
    for (const spy of spies) spy.mockRestore();
    for (const stream of Object.values(streams))
      stream.off('error', stream.listeners('error').at(-1) as () => void);
  }
}

/** Without the PADDOCK variables and Node's options. */
function withoutOwn(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(variables).filter(([name]) => !name.startsWith('PADDOCK_'));
  return { ...Object.fromEntries(inherited), NODE_OPTIONS: '' };
}

/** Starts `paddock mock` on a free port, and waits until it listens. */
export async function startMock(args: readonly string[] = [], options?: StartOptions): Promise<MockProcess> {
  return listening(startPaddock(['mock', '--port', '0', ...args], options));
}

/** Waits until a mock or proxy has printed all its start-up output. */
export async function listening(started: PaddockProcess): Promise<MockProcess> {
  const { child, ended, output } = started;
  while (!/base URL[\s\S]*\n\n/.test(output().out)) {
    const hasEnded = await Promise.race([
      once(child.stdout as NodeJS.ReadableStream, 'data').then(() => false),
      ended.then(() => true),
    ]);
    if (hasEnded) throw new Error(`it ended: ${output().all}`);
  }
  const url = /base URL\s+(\S+)/.exec(output().out)?.[1] as string;
  return { ...started, url, port: Number(new URL(url).port), pid: child.pid as number };
}
