import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { Installed } from './find-judge.ts';
import { JudgeFailure } from './judgement.ts';

/** A judge's program at work. */
export interface Program {
  /** Waits for the output that matches. @throws JudgeFailure */
  waitFor(ready: RegExp, timeout: number): Promise<RegExpExecArray>;
  /** Waits for the end of the program, and gives its output. @throws JudgeFailure */
  waitForEnd(timeout: number): Promise<string>;
  isRunning(): boolean;
  stop(): Promise<unknown>;
}

interface StartOptions {
  readonly folder: string;
  /** Further variables; of the user's own, which may hold keys, the judge gets none. */
  readonly env?: Readonly<Record<string, string>>;
}

export function startProgram(
  { judge, program }: Installed,
  args: readonly string[],
  { folder, env }: StartOptions,
): Program {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH, HOME, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const closed = new Promise<'closed'>((resolve) => child.once('close', () => resolve('closed')));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    isRunning,
    async waitFor(ready, timeout) {
      for (const end = performance.now() + timeout; performance.now() < end; await setTimeout(20)) {
        if (!isRunning()) await closed;
        const found = ready.exec(output);
        if (found) return found;
        if (!isRunning()) throw new JudgeFailure(`${judge} ends at once: ${complaintOf(output)}`);
      }
      throw new JudgeFailure(`${judge} does not start`);
    },
    async waitForEnd(timeout) {
      const late = new AbortController();
      const first = await Promise.race([closed, setTimeout(timeout, 'late', late)]);
      late.abort();
      if (first === 'late') throw new JudgeFailure(`${judge} does not end`);
      return output;
    },
    stop() {
      kill();
      return closed;
    },
  };
}

/** What went wrong, in the program's words: its first error, else its last line. */
export function complaintOf(output: string): string {
  const lines = stripVTControlCharacters(output).trim().split('\n');
  return lines.find((line) => /^error: /i.test(line))?.replace(/^error: /i, '') ?? lines.at(-1) ?? '';
}
