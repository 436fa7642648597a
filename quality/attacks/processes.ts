import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type MockProcess, type PaddockProcess, startMock, startPaddock } from '../testing/paddock.ts';
import type { Measure } from './probe.ts';

/** Preloaded: the program under test does not know it. */
const PROBE = new URL('./probe.ts', import.meta.url).href;

/** What a process with the probe is at this moment. */
async function measureOf(child: ChildProcess): Promise<Measure> {
  child.send('measure');
  const [measure] = await once(child, 'message');
  return measure as Measure;
}

/** A mock that reports its memory, handles and event loop delay on request. */
export interface MeasuredMock extends MockProcess {
  readonly measure: () => Promise<Measure>;
  /** Back to the seeded records. */
  readonly reset: () => Promise<void>;
}

export async function startMeasuredMock(args: readonly string[] = []): Promise<MeasuredMock> {
  const mock = await startMock(['--no-log', ...args], { preload: PROBE });
  return {
    ...mock,
    measure: () => measureOf(mock.child),
    async reset() {
      // A connection that is kept open would count as a handle.
      await fetch(new URL('/__admin/reset', mock.url), { method: 'POST', headers: { connection: 'close' } });
    },
  };
}

/** A proxy that reports its memory, handles and event loop delay on request. */
export interface MeasuredProxy extends PaddockProcess {
  /** Base URL, with the path prefix. */
  readonly url: string;
  readonly port: number;
  readonly adminUrl: string;
  readonly measure: () => Promise<Measure>;
}

/** Starts `paddock proxy` in front of a target, and waits until it listens. */
export async function startMeasuredProxy(args: readonly string[]): Promise<MeasuredProxy> {
  const proxy = startPaddock(['proxy', '--port', '0', '--log', 'json', ...args], { preload: PROBE });
  while (!proxy.output().out.includes('\n')) {
    const more = once(proxy.child.stdout as Readable, 'data').then(() => true);
    const goesOn = await Promise.race([more, proxy.ended.then(() => false)]);
    if (!goesOn) throw new Error(`the proxy ended: ${proxy.output().all}`);
  }
  const { url, adminUrl } = JSON.parse(proxy.output().out.split('\n')[0] as string);
  return { ...proxy, url, adminUrl, port: Number(new URL(url).port), measure: () => measureOf(proxy.child) };
}

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** A line for each moment of a process. */
export function renderMeasures(moments: Readonly<Record<string, Measure>>): string {
  const lines = Object.entries(moments).map(
    ([moment, { heap, rss, delay, handles }]) =>
      `  ${moment}: heap ${mib(heap)}, rss ${mib(rss)}, event loop delay ${delay.mean.toFixed(1)} ms on average` +
      ` and ${delay.max.toFixed(0)} ms at most, handles ${JSON.stringify(handles)}\n`,
  );
  return lines.join('');
}

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
    preload: PROBE,
  });
  let peak = 0;
  child.on('message', (bytes) => {
    peak = Number(bytes);
  });
  const code = await ended;
  return { code, output: output().all, peak, ms: performance.now() - begun };
}
