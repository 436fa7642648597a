import type { CaseResult } from '../cases/case.ts';
import type { Finding } from '../laws/finding.ts';
import type { Exchange } from '../send/response.ts';
import type { JudgeName } from '../settings/check-options.ts';
import { judgeWithDredd } from './dredd.ts';
import {
  failed,
  type Installed,
  type Judge,
  type Judgement,
  type JudgeResult,
  type RecordedRun,
} from './judge.ts';
import { judgeWithPrism } from './prism.ts';

/** Where a judge and the suite disagree. Neither is right by that: it is for people to look at. */
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

/** What a judge says of the run as a whole. */
export interface JudgeSummary {
  readonly judge: JudgeName;
  readonly version: string;
  /** Cases (Prism) or cells (Dredd) that it has judged, and in how many of them the suite agrees. */
  readonly judged: number;
  readonly agreed: number;
  /** What it could not see or was not asked. */
  readonly notes: readonly string[];
  /** Why it could not judge the run. */
  readonly reason: string | undefined;
}

/** The judges of a run, and where they differ from the suite. */
export interface Opinions {
  readonly judges: readonly JudgeSummary[];
  readonly opinions: readonly Opinion[];
}

const SHOWN = 3;

/** Groups judgements by case, for Dredd by operation and status, and compares each group with what the suite found. */
export function compare(
  { judge, version }: Installed,
  { judgements, notes, failure }: JudgeResult,
  results: readonly CaseResult[],
): Opinions {
  const groupOf = ({ case: { id, operation, status } }: CaseResult) =>
    judge === 'dredd' ? `${operation.id} ${status}` : id;
  const byGroup = Map.groupBy(results, groupOf);
  const byId = new Map(results.map((result) => [result.case.id, groupOf(result)]));
  const findings = results.flatMap((result) => result.findings);
  const blamed = new Set(findings.map(({ exchange }) => kindOf(exchange)));
  const groups = Map.groupBy(judgements, ({ exchange }) => byId.get(exchange.caseId) ?? '');
  const compared = [...groups].flatMap(([group, said]) => {
    const own = byGroup.get(group);
    const concerned = judge === 'dredd' ? findings.filter((finding) => cellOf(finding) === group) : undefined;
    return own
      ? [differenceOf(judge, said, own, concerned ?? own.flatMap((one) => one.findings), blamed)]
      : [];
  });
  const opinions = compared.filter((one) => one !== undefined);
  const [judged, agreed] = [compared.length, compared.length - opinions.length];
  return { judges: [{ judge, version, judged, agreed, notes, reason: failure }], opinions };
}

/** Undefined: judge and suite agree. */
function differenceOf(
  judge: JudgeName,
  judgements: readonly Judgement[],
  results: readonly CaseResult[],
  findings: readonly Finding[],
  blamed: ReadonlySet<string>,
): Opinion | undefined {
  const objecting = judgements.find(({ violations }) => violations.length > 0);
  const shown = new Set(judgements.map(({ exchange }) => exchange.response));
  const seen = findings.find(({ exchange }) => shown.has(exchange.response));
  if (findings.length > 0 === (objecting !== undefined)) return undefined;
  // A case may send other requests first; another case has found responses of this kind wrong already.
  if (objecting && blamed.has(kindOf(objecting.exchange))) return undefined;
  // What the judge was not shown it cannot have missed.
  if (!objecting && !seen && judge === 'prism') return undefined;
  const caseId = seen?.caseId ?? objecting?.exchange.caseId ?? findings[0]?.caseId;
  const { case: told } = results.find(({ case: one }) => one.id === caseId) ?? (results[0] as CaseResult);
  return {
    judge,
    caseId: told.id,
    operationId: told.operation.id,
    status: told.status,
    suite: suiteSays(findings, results),
    opinion: objecting ? 'objects' : 'no objection',
    text: objecting ? showObjection(objecting) : showFinding(seen ?? (findings[0] as Finding)),
  };
}

function cellOf({ operationId, status }: Finding): string {
  return `${operationId} ${status}`;
}

function kindOf({ operation, response }: Exchange): string {
  return `${operation.id} ${response.status}`;
}

function suiteSays(findings: readonly Finding[], results: readonly CaseResult[]): string {
  if (findings.length > 0) return `broken: ${[...new Set(findings.map(({ law }) => law))].join(', ')}`;
  const [{ outcome } = { outcome: 'passed' }] = results;
  if (results.length === 1 && outcome !== 'passed') return outcome;
  return results.some(({ notSpecified }) => notSpecified.length > 0) ? 'not specified' : 'kept';
}

function showObjection({ exchange: { request, response }, violations }: Judgement): string {
  const more = violations.length > SHOWN ? ` (and ${violations.length - SHOWN} more)` : '';
  const path = request.url.pathname + request.url.search;
  return `${request.method} ${path} answered ${response.status}: ${violations.slice(0, SHOWN).join('; ')}${more}`;
}

function showFinding({ received, documented }: Finding): string {
  return `received ${received}; documented ${documented}`;
}

const JUDGE: Readonly<Record<JudgeName, Judge>> = { prism: judgeWithPrism, dredd: judgeWithDredd };

/** Asks a judge about the run. An opinion decides nothing, so a judge that fails is only reported. */
export async function askJudge(
  run: Omit<RecordedRun, 'results'>,
  results: readonly CaseResult[],
  installed: Installed,
): Promise<Opinions> {
  return compare(installed, await resultOf({ ...run, results }, installed), results);
}

async function resultOf(run: RecordedRun, installed: Installed): Promise<JudgeResult> {
  if (run.traffic?.entries.length === 0) return failed('the target gave no answer to show it');
  const [result] = (await JUDGE[installed.judge](run.contract, [run], installed)) as [JudgeResult];
  const dropped = run.traffic?.dropped() ?? 0;
  if (result.failure !== undefined || dropped === 0) return result;
  return { ...result, notes: [...result.notes, `${dropped} exchanges were not kept for it`] };
}
