import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The program of this clone. */
export const PADDOCK = [process.execPath, fileURLToPath(new URL('../../cli/paddock.js', import.meta.url))];

export interface Ended {
  /** Exit code; 1 if a signal or the limit ended it. */
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** What this process has started and not yet stopped, by its own id: an interrupt ends these, and nothing else. */
const RUNNING = new Set<ChildProcess>();

/** How long a process that was asked to end may take, in milliseconds. */
const PATIENCE_MS = 30_000;

/** What a client of a registry may take, in milliseconds. */
const INSTALL_MS = 900_000;

/** Starts a program as the leader of a process group of its own. */
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
 * @param limit in milliseconds, after which it is asked to end as by Ctrl-C, so that it can print what it has
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

/** Runs a program that must succeed. @throws Error with its last words */
export async function must(folder: string, command: readonly string[]): Promise<{ output: string }> {
  const { code, output, errors } = await run(folder, command);
  if (code === 0) return { output };
  throw new Error(`${command.join(' ')}: ${(errors || output).trim().split('\n').slice(-5).join('\n')}`);
}

/** Starts a program that stays, with its output in a file. */
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

/** Ends a program and what belongs to its process group; by force if it takes too long. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (!RUNNING.has(child)) return;
  const closed = once(child, 'close');
  kill(child, signal);
  const timer = setTimeout(() => kill(child, 'SIGKILL'), PATIENCE_MS);
  await closed.catch(() => undefined);
  clearTimeout(timer);
}

/** Ends everything that was started when this process is interrupted, or fails. */
export function stopAllWhenInterrupted(): void {
  // After a fault of this program nothing is left to wait with.
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

/** Signals the group: the program leads one of its own (`detached`). */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** A proxy that nobody listens on: what a service is asked to fetch stays on this machine. */
const NOWHERE = 'http://127.0.0.1:9';

/** For programs that are not to reach any other machine. */
export const OFFLINE = {
  http_proxy: NOWHERE,
  https_proxy: NOWHERE,
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
  no_proxy: '127.0.0.1,localhost',
  NO_PROXY: '127.0.0.1,localhost',
} as const;
