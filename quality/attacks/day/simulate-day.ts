import type { Statuses } from '../load.ts';
import type { Measure } from '../probe.ts';
import { startMeasuredMock, startMeasuredProxy } from '../processes.ts';
import { ORDERS } from './orders.ts';
import { sendVisits } from './visitors.ts';

/** What both processes are after a tenth of the requests, garbage collected. */
export interface Tenth {
  readonly mock: Measure;
  readonly proxy: Measure;
}

export interface Day {
  /** Ten of them, the first after a tenth of the requests. */
  readonly tenths: readonly Tenth[];
  readonly statuses: Statuses;
  /** What the proxy has judged, and what not. */
  readonly counts: Readonly<Record<string, number>>;
  /** What the proxy has found. */
  readonly findings: readonly { readonly law: string }[];
}

/** Sends requests through a proxy to a mock, both processes of their own, and measures them after each tenth. */
export async function simulateDay(
  requests: number,
  onTenth: (tenth: Tenth, at: number) => void,
): Promise<Day> {
  const mock = await startMeasuredMock([ORDERS, '--any-key', '--count', '20']);
  const proxy = await startMeasuredProxy([mock.url, ORDERS]);
  const tenths: Tenth[] = [];
  const statuses: Record<string, number> = {};
  const part = Math.ceil(requests / 10);
  try {
    for (let at = 0; at < 10; at++) {
      for (const [status, count] of Object.entries(await sendVisits(proxy.url, at * part, part)))
        statuses[status] = (statuses[status] ?? 0) + count;
      const tenth = { mock: await mock.measure(), proxy: await proxy.measure() };
      tenths.push(tenth);
      onTenth(tenth, at + 1);
    }
    const response = await fetch(`${proxy.adminUrl}/findings`, { headers: { connection: 'close' } });
    const { counts, findings } = (await response.json()) as Pick<Day, 'counts' | 'findings'>;
    return { tenths, statuses, counts, findings };
  } finally {
    await Promise.all([proxy.stop(), mock.stop()]);
  }
}
