import type { Contract } from '#spec';
import type { Installed } from './find-judge.ts';
import { failed, JudgeFailure, type JudgeResult, type RecordedRun } from './judgement.ts';
import { startPlayback } from './playback.ts';
import { judgeRun } from './prism-judgements.ts';
import { type PrismProxy, startPrismProxy } from './prism-proxy.ts';
import { selfCheck } from './self-check.ts';

/** Prism's validating proxy validates every exchange of the runs. @param timeout for one exchange, in milliseconds */
export async function judgeWithPrism(
  contract: Contract,
  runs: readonly RecordedRun[],
  installed: Installed,
  timeout = 3000,
): Promise<JudgeResult[]> {
  const playback = await startPlayback(contract);
  const proxies: PrismProxy[] = [];
  const start = async () => {
    const proxy = await startPrismProxy(playback, installed, timeout);
    proxies.push(proxy);
    return proxy;
  };
  try {
    let proxy = await start();
    const sight = await selfCheck(contract, proxy);
    if (sight.isBlind) throw new JudgeFailure('prism sees no broken body at all: its silence says nothing');
    const results: JudgeResult[] = [];
    for (const [index, run] of runs.entries()) {
      if (!proxy.isRunning()) proxy = await start();
      let result = await judgeRun(run, proxy, sight);
      // A response that Prism cannot read ends it; was it the last one of the run before?
      if (!proxy.isRunning() && index > 0) {
        proxy = await start();
        result = await judgeRun(run, proxy, sight);
      }
      results.push(result);
    }
    return results;
  } catch (error) {
    if (error instanceof JudgeFailure) return runs.map(() => failed(error.message));
    throw error;
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await playback.close();
  }
}
