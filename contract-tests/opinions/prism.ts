import type { Contract } from '#spec';
import type { CaseResult } from '../cases/case.ts';
import type { Recorded } from '../run/recording.ts';
import {
  failed,
  type Installed,
  JudgeFailure,
  type Judgement,
  type JudgeResult,
  type RecordedRun,
} from './judge.ts';
import { startPlayback } from './playback.ts';
import { type PrismProxy, type PrismViolation, startPrismProxy } from './prism-proxy.ts';
import { type Sight, selfCheck } from './self-check.ts';

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

/** Prism's judgements of all exchanges of a run. */
async function judgeRun(
  { settings, traffic, results }: RecordedRun,
  proxy: PrismProxy,
  sight: Sight,
): Promise<JudgeResult> {
  const byId = new Map(results.map((result) => [result.case.id, result]));
  const validated = new Map<string, readonly PrismViolation[] | undefined>();
  const judgements: Judgement[] = [];
  for (const exchange of traffic?.entries ?? []) {
    const key = contentOf(exchange);
    if (!validated.has(key))
      validated.set(key, await proxy.validate(exchange.request, settings.base, exchange.response));
    const violations = validated.get(key);
    if (!violations) continue;
    const counted = countedOf(violations, exchange, byId.get(exchange.caseId), sight);
    judgements.push({ exchange, violations: counted.map(({ text }) => text) });
  }
  const all = [...validated.values()];
  const silent = all.filter((violations) => !violations).length;
  const doubles = all.filter((violations) => violations?.some(({ isDouble }) => isDouble)).length;
  const notes = [
    ...sight.notes,
    ...(doubles > 0 ? [`it takes integers beyond 2^53 for wrong: ${doubles} answers, not counted`] : []),
    ...(silent > 0 ? [`it answers ${silent} of the requests itself, and so says nothing of the target`] : []),
  ];
  return { judgements, notes, failure: undefined };
}

/** Equal exchanges are validated once. */
function contentOf({ request, response }: Recorded): string {
  const stable = response.headers.filter(([name]) => name.toLowerCase() !== 'date');
  const parts = [request.method, request.url.href, request.headers, response.status, stable];
  const bodies = [request.body ?? [], response.body].map((bytes) => Buffer.from(bytes).toString('latin1'));
  return [JSON.stringify(parts), ...bodies].join('\n');
}

function countedOf(
  violations: readonly PrismViolation[],
  { operation, response }: Recorded,
  result: CaseResult | undefined,
  sight: Sight,
): PrismViolation[] {
  // Prism was not shown `default`. An invalid request, or one that the document leaves open, may get an error that
  // is described by it, as long as the suite accepts the response.
  const isOpen =
    result?.findings.length === 0 &&
    (result.notSpecified.length > 0 || violations.some(({ part }) => part === 'request'));
  const isOtherError =
    isOpen && response.status >= 400 && operation.responses.some(({ key }) => key === 'default');
  const isMistaken = sight.isMistaken(operation.id, response.status);
  return violations.filter(
    ({ part, isDouble, isStatus, isBody }) =>
      part === 'response' && !isDouble && !(isStatus && isOtherError) && !(isBody && isMistaken),
  );
}
