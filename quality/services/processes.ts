import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The program of this clone. */
export const PADDOCK = [process.execPath, fileURLToPath(new URL('../../cli/paddock.js', import.meta.url))];

export interface Ended {
  /** The exit code; 1 if a signal or the time limit ended it. */
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Running processes that this process has started: an interrupt ends these, and nothing else. */
const RUNNING = new Set<ChildProcess>();

/** How long a process may take to end after the request, in milliseconds. */
const PATIENCE_MS = 30_000;

/** The time limit of a registry's client, in milliseconds. */
const INSTALL_MS = 900_000;

/** Starts a program as the leader of its own process group. */
function start(folder: string, [program = '', ...args]: readonly string[], env: Environment) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PADDOCK_'));
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), NO_COLOR: '1', ...env },
    detached: true,
  });
  RUNNING.add(child);
  child.once('close', () => RUNNING.delete(child));
  return child;
}

type Environment = Readonly<Record<string, string>>;

/**
 * Runs a program to its end.
 * @param limit in milliseconds; it then gets the signal of Ctrl-C, so that it can still print its results
 */
export async function run(folder: string, command: readonly string[], limit = INSTALL_MS): Promise<Ended> {
  const child = start(folder, command, {});
  const timer = setTimeout(() => stop(child, 'SIGINT'), limit);
  const ended = once(child, 'close').then(([code]) => ({ code: code ?? 1, message: '' }));
  const [{ code, message }, output, errors] = await Promise.all([
    ended.catch((error: Error) => ({ code: 1, message: error.message })),
    text(child.stdout),
    text(child.stderr),
  ]);
  clearTimeout(timer);
  return { code, output, errors: message || errors };
}

/** Runs a program that must succeed. @throws Error with its last output */
export async function must(folder: string, command: readonly string[]): Promise<{ output: string }> {
  const { code, output, errors } = await run(folder, command);
  if (code === 0) return { output };
  throw new Error(`${command.join(' ')}: ${(errors || output).trim().split('\n').slice(-5).join('\n')}`);
}

/** Starts a long-running program, with its output in a file. */
export function launch(
  folder: string,
  command: readonly string[],
  log: string,
  env: Environment = {},
): ChildProcess {
  const child = start(folder, command, env);
  const file = createWriteStream(log);
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  child.once('error', (error) => file.write(`${error.message}\n`));
  child.once('close', () => file.end());
  return child;
}

/** Ends a program and its process group; forcibly if it takes too long. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (!RUNNING.has(child)) return;
  const closed = once(child, 'close');
  kill(child, signal);
  const timer = setTimeout(() => kill(child, 'SIGKILL'), PATIENCE_MS);
  await closed.catch(() => undefined);
  clearTimeout(timer);
}

/** Ends everything that was started if this process is interrupted, or fails. */
export function stopAllWhenInterrupted(): void {
  // After an exception in this program it is too late to wait.
  process.once('exit', () => {
    for (const child of RUNNING) kill(child, 'SIGKILL');
  });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, async () => {
      await Promise.all([...RUNNING].map((child) => stop(child)));
      process.exit(code);
    });
}

/** Signals the whole group, which the program leads (`detached`). */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** A proxy address without a listener, so that whatever a service is asked to fetch stays on this machine. */
const NOWHERE = 'http://127.0.0.1:9';

/** For programs that must not reach other machines. */
export const OFFLINE = {
  http_proxy: NOWHERE,
  https_proxy: NOWHERE,
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
  no_proxy: '127.0.0.1,localhost',
  NO_PROXY: '127.0.0.1,localhost',
} as const;
