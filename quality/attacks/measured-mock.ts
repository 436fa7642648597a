import { type MockProcess, startMock } from '../testing/paddock.ts';
import { measureOf, PROBE } from './measured.ts';
import type { Measure } from './probe.ts';

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
