import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a process says of itself when it is asked. Loaded before the program under test, which knows nothing of it. */
export interface Measure {
  /** In bytes, after garbage was collected. */
  readonly heap: number;
  readonly rss: number;
  /** What keeps the process alive, by kind: sockets, servers, timers. */
  readonly handles: Readonly<Record<string, number>>;
  /** How late the event loop was since the last question, in milliseconds. */
  readonly delay: { readonly mean: number; readonly p99: number; readonly max: number };
}

const histogram = monitorEventLoopDelay({ resolution: 10 });
histogram.enable();

function measure(): Measure {
  const delay = {
    mean: histogram.mean / 1e6,
    p99: histogram.percentile(99) / 1e6,
    max: histogram.max / 1e6,
  };
  // Once more for what the first round has let go.
  for (let round = 0; round < 2; round++) globalThis.gc?.();
  histogram.reset();
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss, handles, delay };
}

// Only while a question is asked: otherwise the program ends when it would end by itself.
process.on('message', () => process.send?.(measure()));
process.channel?.unref();
