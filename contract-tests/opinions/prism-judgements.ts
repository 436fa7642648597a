import type { CaseResult } from '../cases/case.ts';
import type { Recorded } from '../run/traffic.ts';
import type { Judgement, JudgeResult, RecordedRun } from './judgement.ts';
import type { PrismProxy } from './prism-proxy.ts';
import type { PrismViolation } from './prism-violations.ts';
import type { Sight } from './self-check.ts';

/** Prism's judgements of all exchanges of a run. */
export async function judgeRun(
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
