import type { CaseResult } from '../cases/case.ts';
import type { JudgeName } from '../check-options.ts';
import type { Finding } from '../finding.ts';
import type { Exchange } from '../send/exchange.ts';
import type { Hearing, Remark } from './opinion.ts';

/** Where a judge and the suite do not see the same. Neither is right by that: it is for people to look at. */
export interface Opinion {
  readonly judge: JudgeName;
  /** The case, or the first one of the cell for a judge that looks at cells. */
  readonly caseId: string;
  readonly operationId: string;
  readonly status: number;
  /** What the suite says of it: `kept`, `not specified`, or which laws are broken. */
  readonly suite: string;
  readonly opinion: 'objects' | 'no objection';
  /** The objection, or what the suite has found and the judge has not. */
  readonly text: string;
}

/** How a judge was heard. */
export interface JudgeSummary {
  readonly judge: JudgeName;
  readonly version: string;
  /** Cases (Prism) or cells (Dredd) of which it has said something, and in how many of them the suite says the same. */
  readonly judged: number;
  readonly agreed: number;
  /** What it could not see or was not asked. */
  readonly notes: readonly string[];
  /** Why it could not be heard at all. */
  readonly reason: string | undefined;
}

const SHOWN = 3;

export function compare(
  { judge, version, remarks, notes }: Hearing,
  results: readonly CaseResult[],
): { summary: JudgeSummary; opinions: Opinion[] } {
  const byId = new Map(results.map((result) => [result.case.id, result]));
  const groups = Map.groupBy(remarks, ({ entry }) =>
    judge === 'dredd' ? cellOf(byId.get(entry.caseId)) : entry.caseId,
  );
  const judged = [...groups].flatMap(([group, own]) => {
    const concerned = judge === 'dredd' ? results.filter((one) => cellOf(one) === group) : [byId.get(group)];
    const present = concerned.filter((one) => one !== undefined);
    const findings = (judge === 'dredd' ? results : present)
      .flatMap((one) => one.findings)
      .filter((finding) => judge === 'prism' || `${finding.operationId} ${finding.status}` === group);
    return present.length > 0 ? [{ own, results: present, findings }] : [];
  });
  const blamed = new Set(results.flatMap(({ findings }) => findings.map(({ exchange }) => kindOf(exchange))));
  const opinions = judged.flatMap((group) => differ(judge, group, blamed) ?? []);
  const summary = { judge, version, judged: judged.length, agreed: judged.length - opinions.length, notes };
  return { summary: { ...summary, reason: undefined }, opinions };
}

function cellOf(result: CaseResult | undefined): string {
  return `${result?.case.operation.id} ${result?.case.status}`;
}

interface Judged {
  readonly own: readonly Remark[];
  readonly results: readonly CaseResult[];
  readonly findings: readonly Finding[];
}

/** Undefined: of one mind. */
function differ(
  judge: JudgeName,
  { own: remarks, results, findings }: Judged,
  blamed: ReadonlySet<string>,
): Opinion | undefined {
  const objecting = remarks.find(({ objections }) => objections.length > 0);
  const seen = findings.find(({ exchange }) =>
    remarks.some(({ entry }) => entry.response === exchange.response),
  );
  if (findings.length > 0 === (objecting !== undefined)) return undefined;
  // On the way to what a case is about, answers of a kind that another case has found wrong already.
  if (objecting && blamed.has(kindOf(objecting.entry))) return undefined;
  // What the judge was not shown it cannot have missed.
  if (!objecting && !seen && judge === 'prism') return undefined;
  const caseId = seen?.caseId ?? objecting?.entry.caseId ?? findings[0]?.caseId;
  const told = results.find(({ case: one }) => one.id === caseId) ?? (results[0] as CaseResult);
  return {
    judge,
    caseId: told.case.id,
    operationId: told.case.operation.id,
    status: told.case.status,
    suite: suiteSays(findings, results),
    opinion: objecting ? 'objects' : 'no objection',
    text: objecting ? objection(objecting) : finding(seen ?? (findings[0] as Finding)),
  };
}

function kindOf({ operation, response: answer }: Exchange): string {
  return `${operation.id} ${answer.status}`;
}

function suiteSays(findings: readonly Finding[], results: readonly CaseResult[]): string {
  if (findings.length > 0) return `broken: ${[...new Set(findings.map(({ law }) => law))].join(', ')}`;
  const [{ outcome } = { outcome: 'passed' }] = results;
  if (results.length === 1 && outcome !== 'passed') return outcome;
  return results.some(({ notSpecified }) => notSpecified.length > 0) ? 'not specified' : 'kept';
}

function objection({ entry: { request, response: answer }, objections }: Remark): string {
  const more = objections.length > SHOWN ? ` (and ${objections.length - SHOWN} more)` : '';
  const path = request.url.pathname + request.url.search;
  return `${request.method} ${path} answered ${answer.status}: ${objections.slice(0, SHOWN).join('; ')}${more}`;
}

function finding({ received, documented }: Finding): string {
  return `received ${received}; documented ${documented}`;
}
