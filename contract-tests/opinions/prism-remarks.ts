import type { CaseResult } from '../cases/case.ts';
import type { Run } from '../run/run.ts';
import type { Recorded } from '../run/traffic.ts';
import type { Hearing, Remark } from './opinion.ts';
import type { AskPrism } from './prism-ask.ts';
import type { Violation } from './prism-violations.ts';
import type { SelfCheck } from './self-check.ts';

/** Prism's remarks on all exchanges of the run. */
export async function remarksOn(
  run: Run,
  results: readonly CaseResult[],
  ask: AskPrism,
  eyes: SelfCheck,
): Promise<Pick<Hearing, 'remarks' | 'notes'>> {
  const byId = new Map(results.map((result) => [result.case.id, result]));
  const heard = new Map<string, readonly Violation[] | undefined>();
  const remarks: Remark[] = [];
  for (const entry of run.traffic?.entries ?? []) {
    const key = looksOf(entry);
    if (!heard.has(key)) heard.set(key, await ask(entry.request, entry.response));
    const violations = heard.get(key);
    if (violations)
      remarks.push({ entry, objections: objectionsOf(entry, violations, byId.get(entry.caseId), eyes) });
  }
  const all = [...heard.values()];
  const silent = all.filter((violations) => !violations).length;
  const doubles = all.filter((violations) => violations?.some(({ isDouble }) => isDouble)).length;
  return {
    remarks,
    notes: [
      ...eyes.notes,
      ...(doubles > 0 ? [`it takes integers beyond 2^53 for wrong: ${doubles} answers, not counted`] : []),
      ...(silent > 0
        ? [`it answers ${silent} of the requests itself, and so says nothing of the target`]
        : []),
    ],
  };
}

/** Exchanges that look alike are shown once. */
function looksOf({ request, response: answer }: Recorded): string {
  const stable = answer.headers.filter(([name]) => name.toLowerCase() !== 'date');
  const parts = [request.method, request.url.href, request.headers, answer.status, stable];
  return [JSON.stringify(parts), textOf(request.body), textOf(answer.body)].join('\n');
}

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('latin1');
}

function objectionsOf(
  { operation, response: answer }: Recorded,
  violations: readonly Violation[],
  result: CaseResult | undefined,
  eyes: SelfCheck,
): string[] {
  // Where the document describes "any other error", and the suite has nothing against the answer, that is what a
  // request gets that breaks the document, or of which it does not speak. Prism was not told of `default`.
  const isOpen =
    result?.findings.length === 0 &&
    (result.notSpecified.length > 0 || violations.some(({ part }) => part === 'request'));
  const isOtherError =
    isOpen && answer.status >= 400 && operation.responses.some(({ key }) => key === 'default');
  return violations
    .filter(({ part }) => part === 'response')
    .filter(({ isDouble }) => !isDouble)
    .filter(({ isStatus }) => !(isStatus && isOtherError))
    .filter(({ isBody }) => !(isBody && eyes.isMistaken(operation.id, answer.status)))
    .map(({ text }) => text);
}
