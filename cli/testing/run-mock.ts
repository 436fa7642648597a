import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

export const PROGRAM = new URL('../paddock.js', import.meta.url).pathname;

export interface Run {
  readonly child: ChildProcess;
  readonly output: () => { out: string; err: string };
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Runs `paddock mock` as a user does, with no PADDOCK variables but these. */
export function run(options: readonly string[], env: Record<string, string> = {}): Run {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('PADDOCK_'));
  const child = spawn(process.execPath, [PROGRAM, 'mock', ...options], {
    env: { ...Object.fromEntries(clean), ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return { child, ended, output: () => ({ out, err }) };
}

/** Waits until the mock has printed all that it prints at the start. */
export async function started({ child, output }: Run): Promise<{ out: string; url: string }> {
  while (!output().out.includes('\n\n')) {
    if (child.exitCode !== null) throw new Error(`it ended: ${output().err}`);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
  }
  const { out } = output();
  return { out, url: /base URL\s+(\S+)/.exec(out)?.[1] ?? '' };
}
