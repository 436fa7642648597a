import { once } from 'node:events';
import { type MockProcess, startMock } from '../testing/paddock.ts';
import type { Measure } from './probe.ts';

const PROBE = new URL('./probe.ts', import.meta.url).href;

/** A mock that reports its memory, handles and event loop delay on request. */
export interface MeasuredMock extends MockProcess {
  readonly measure: () => Promise<Measure>;
  /** Back to the seeded records. */
  readonly reset: () => Promise<void>;
}

export async function startMeasuredMock(): Promise<MeasuredMock> {
  const mock = await startMock(['--no-log'], { preload: PROBE });
  return {
    ...mock,
    async measure() {
      mock.child.send('measure');
      const [measure] = await once(mock.child, 'message');
      return measure as Measure;
    },
    async reset() {
      // A connection that is kept open would count as a handle.
      await fetch(new URL('/__admin/reset', mock.url), { method: 'POST', headers: { connection: 'close' } });
    },
  };
}
