import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The state of a process, sent on request. The module is preloaded: the program under test does not know it. */
export interface Measure {
  /** Bytes, after garbage collection. */
  readonly heap: number;
  readonly rss: number;
  /** The number of active resources by type: sockets, servers, timers. */
  readonly handles: Readonly<Record<string, number>>;
  /** Event loop delay since the last measure, in milliseconds. */
  readonly delay: { readonly mean: number; readonly p99: number; readonly max: number };
}

const histogram = monitorEventLoopDelay({ resolution: 10 });
histogram.enable();

function measure(): Measure {
  const delay = {
    // NaN while there is no sample.
    mean: (histogram.mean || 0) / 1e6,
    p99: histogram.percentile(99) / 1e6,
    max: histogram.max / 1e6,
  };
  // Twice: finalizers of the first collection release more.
  for (let round = 0; round < 2; round++) globalThis.gc?.();
  histogram.reset();
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss, handles, delay };
}

// The peak of its resident memory, in bytes, when it ends.
process.on('exit', () => process.send?.(process.resourceUsage().maxRSS * 1024));
// The channel must not keep the process alive.
process.on('message', () => process.send?.(measure()));
process.channel?.unref();
