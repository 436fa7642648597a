import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const PROGRAM = fileURLToPath(new URL('../../cli/paddock.js', import.meta.url));

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Path of the program, such as that of another clone. Default: that of this one. */
  readonly program?: string;
  /** URL of a module that Node loads before the program; it has an IPC channel to the parent. */
  readonly preload?: string;
}

/** `paddock` in a process of its own. */
export interface PaddockProcess {
  readonly child: ChildProcess;
  /** What it has printed so far; `all` has both streams in the order in which they were read. */
  readonly output: () => { readonly out: string; readonly err: string; readonly all: string };
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

export interface MockProcess extends PaddockProcess {
  /** Base URL, with the path prefix. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
}

/** Characters; a target that floods the suite must not fill the memory of the test. */
const KEPT_OUTPUT = 2 ** 23;

/** Starts the program without the PADDOCK variables and Node options of this process. */
export function startPaddock(
  args: readonly string[],
  { env, cwd, preload, program = PROGRAM }: StartOptions = {},
): PaddockProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PADDOCK_'));
  const nodeOptions = preload === undefined ? [] : ['--expose-gc', '--import', preload];
  const child = spawn(process.execPath, [...nodeOptions, program, ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), NODE_OPTIONS: '', ...env },
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

/** Runs the program to its end. */
export async function runPaddock(args: readonly string[], options?: StartOptions) {
  const { ended, output } = startPaddock(args, options);
  return { code: await ended, output: output().all };
}

/** Starts `paddock mock` on a free port, and waits until it listens. */
export async function startMock(args: readonly string[] = [], options?: StartOptions): Promise<MockProcess> {
  return listening(startPaddock(['mock', '--port', '0', ...args], options));
}

/** Waits until a mock or a proxy has printed everything that it prints at the start. */
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
