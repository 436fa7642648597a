import { startPaddock } from '../testing/paddock.ts';

const PEAK = new URL('./peak.ts', import.meta.url).href;

export interface CheckRun {
  readonly code: number | NodeJS.Signals;
  readonly output: string;
  readonly ms: number;
  /** The largest resident memory of the process, in bytes. */
  readonly peak: number;
}

/** Runs `paddock check` with the built-in key. */
export async function runCheck(args: readonly string[], env: Record<string, string> = {}): Promise<CheckRun> {
  const begun = performance.now();
  const { child, ended, output } = startPaddock(['check', ...args], {
    env: { PADDOCK_API_KEY: 'paddock-dev-key', NO_COLOR: '1', ...env },
    preload: PEAK,
  });
  let peak = 0;
  child.on('message', (bytes) => {
    peak = Number(bytes);
  });
  const code = await ended;
  return { code, output: output().all, peak, ms: performance.now() - begun };
}
