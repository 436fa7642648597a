import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type PaddockProcess, startPaddock } from '../testing/paddock.ts';
import { measureOf, PROBE } from './measured.ts';
import type { Measure } from './probe.ts';

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
