import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Measure } from './probe.ts';

/** Preloaded: the program under test does not know it. */
export const PROBE = new URL('./probe.ts', import.meta.url).href;

/** What a process with the probe is at this moment. */
export async function measureOf(child: ChildProcess): Promise<Measure> {
  child.send('measure');
  const [measure] = await once(child, 'message');
  return measure as Measure;
}
