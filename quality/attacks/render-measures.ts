import type { Measure } from './probe.ts';

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
