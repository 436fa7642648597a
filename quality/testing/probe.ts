import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * The state of a process, sent on request. The module is preloaded, so that the program under test does not know about
 * it.
 */
export interface Measure {
  /** In bytes, after garbage collection. */
  readonly heap: number;
  readonly rss: number;
  /** The number of active resources by type: sockets, servers, timers. */
  readonly handles: Readonly<Record<string, number>>;
  /** The event loop delay since the last measurement, in milliseconds. */
  readonly delay: { readonly mean: number; readonly p99: number; readonly max: number };
}

const histogram = monitorEventLoopDelay({ resolution: 10 });
histogram.enable();

function measure(): Measure {
  const delay = {
    // NaN without samples.
    mean: (histogram.mean || 0) / 1e6,
    p99: histogram.percentile(99) / 1e6,
    max: histogram.max / 1e6,
  };
  // Twice, because finalizers of the first collection release more.
  for (let round = 0; round < 2; round++) globalThis.gc?.();
  histogram.reset();
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss, handles, delay };
}

// Reports the peak of resident memory, in bytes, when the process ends.
process.on('exit', () => process.send?.(process.resourceUsage().maxRSS * 1024));
// The channel must not keep the process alive.
process.on('message', () => process.send?.(measure()));
process.channel?.unref();
