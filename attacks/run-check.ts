import { spawn } from 'node:child_process';

const PROGRAM = new URL('../cli/paddock.js', import.meta.url).pathname;
const PEAK = new URL('./peak.ts', import.meta.url).href;

const LONGEST = 2 ** 23;

export interface CheckRun {
  readonly code: number | NodeJS.Signals;
  readonly output: string;
  readonly ms: number;
  /** The most memory that the process ever had, in bytes. */
  readonly peak: number;
}

/** Runs `paddock check` as a user does. What it prints beyond some megabytes is not kept. */
export function runCheck(args: readonly string[], env: Record<string, string> = {}): Promise<CheckRun> {
  const begun = performance.now();
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('PADDOCK_'));
  const child = spawn(process.execPath, ['--import', PEAK, PROGRAM, 'check', ...args], {
    env: { ...Object.fromEntries(clean), PADDOCK_API_KEY: 'paddock-dev-key', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  let peak = 0;
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-LONGEST);
    });
  child.on('message', (bytes) => {
    peak = Number(bytes);
  });
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code: code ?? (signal as NodeJS.Signals), output, peak, ms: performance.now() - begun });
    });
  });
}
