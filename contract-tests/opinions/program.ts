import { type ChildProcess, spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import type { Installed } from './find-judge.ts';
import { Unheard } from './opinion.ts';

/** How a judge's program is run. */
export interface Start {
  readonly args: readonly string[];
  readonly folder: string;
  /** Beside what every program needs; of the user's own variables, which may hold keys, none is handed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** In milliseconds. */
  readonly patience: number;
}

/** Starts a program and waits for what it says when it is ready. @throws Unheard */
export async function startProgram(
  { judge, program }: Installed,
  start: Start,
  ready: RegExp,
): Promise<{ found: RegExpExecArray; stop: () => Promise<void> }> {
  const { child, output } = launch(program, start);
  try {
    const found = await new Promise<RegExpExecArray>((resolve, reject) => {
      const late = setTimeout(() => reject(new Unheard(`${judge} does not start`)), start.patience);
      // A program that is ready goes on talking: from then on nobody reads it.
      const look = () => {
        const match = ready.exec(output());
        if (!match) return;
        clearTimeout(late);
        child.stdout?.off('data', look);
        resolve(match);
      };
      child.stdout?.on('data', look);
      child.once('exit', () => {
        clearTimeout(late);
        reject(new Unheard(`${judge} ends at once: ${complaintOf(output())}`));
      });
    });
    return { found, stop: () => stopped(child) };
  } catch (error) {
    await stopped(child);
    throw error;
  }
}

/** Runs a program to its end, and gives what it has printed. @throws Unheard */
export async function runProgram({ judge, program }: Installed, start: Start): Promise<string> {
  const { child, output } = launch(program, start);
  const late = setTimeout(() => child.kill('SIGKILL'), start.patience);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(late);
  if (child.signalCode === 'SIGKILL') throw new Unheard(`${judge} does not end`);
  return output();
}

/** What went wrong, in the program's words: its first error, else its last line. */
export function complaintOf(output: string): string {
  const lines = stripVTControlCharacters(output).trim().split('\n');
  return lines.find((line) => /^error: /i.test(line))?.replace(/^error: /i, '') ?? lines.at(-1) ?? '';
}

function launch(
  program: string,
  { args, folder, env }: Start,
): { child: ChildProcess; output: () => string } {
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
  return { child, output: () => output };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
