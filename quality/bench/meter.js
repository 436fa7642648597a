import { isMainThread } from 'node:worker_threads';

// `--import` of a measured process: says at its end what it has used.
if (isMainThread) {
  process.channel?.unref();
  process.once('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    process.send?.({ cpu: (userCPUTime + systemCPUTime) / 1e6, memory: Math.round(maxRSS / 1024) });
  });
}
