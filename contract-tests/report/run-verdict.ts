import type { Contract } from '#spec';
import type { CaseResult } from '../cases/case.ts';
import { isElsewhere, type Seen } from '../run/run.ts';
import { INTERRUPTED } from '../send/wire.ts';
import { baseUrlHint } from '../settings/base-url.ts';
import type { Settings } from '../settings/settings.ts';

import {
  type Cell,
  type CellVerdict,
  counts,
  gates,
  type OperationStanding,
  type Verdict,
} from './verdict.ts';

/** The verdicts of these cells are valid however the run ended. */
const JUDGED: ReadonlySet<CellVerdict> = new Set(['covered', 'partly covered', 'violated']);

const NOTHING = ': there is nothing to check';

/** The first that applies: interrupted, no verdict, broken, incomplete, holds. */
export function judgeRun(
  contract: Pick<Contract, 'basePaths' | 'servers' | 'operations'>,
  cells: readonly Cell[],
  standings: readonly OperationStanding[],
  results: readonly CaseResult[],
  seen: Seen,
  settings: Settings,
): { verdict: Verdict; reason: string | undefined } {
  const { operations } = contract;
  if (settings.plan) return { verdict: 'planned', reason: undefined };
  if (settings.signal?.aborted) return { verdict: 'incomplete', reason: INTERRUPTED };
  if (seen.lockedOut !== undefined) return { verdict: 'no verdict', reason: seen.lockedOut };
  const executed = results.filter(({ outcome }) => outcome !== 'skipped' && outcome !== 'withheld');
  if (operations.length === 0)
    return { verdict: 'incomplete', reason: `the document describes no operation${NOTHING}` };
  if (executed.length === 0) {
    if (settings.shard && results.every(({ code }) => code === 'shard'))
      return { verdict: 'holds', reason: 'no case is in this shard' };
    const isWithheld = results.some(({ outcome }) => outcome === 'withheld');
    const why = isWithheld ? ': all that is left is withheld; --allow OPERATION sends it' : '';
    return { verdict: 'incomplete', reason: seen.ended ?? `nothing was executed${why}` };
  }
  const unusable = `no operation gave a usable answer${because(executed)}`;
  if (isElsewhere(seen))
    return { verdict: 'no verdict', reason: `${unusable}; ${baseUrlHint(settings.base, contract)}` };
  if (seen.usable === 0) return { verdict: 'no verdict', reason: unusable };
  const { admitted, refused } = seen.admission;
  if (refused > 0 && admitted === 0 && !settings.stateless)
    return { verdict: 'no verdict', reason: refusedBecause(settings) };
  const operationOf = new Map(results.map((result) => [result.case.operation.id, result.case.operation]));
  // Not all findings belong to a cell: an undocumented error has none, for example.
  const isBroken = results.some((result) =>
    result.findings.some((finding) => {
      const operation = operationOf.get(finding.operationId) ?? result.case.operation;
      return counts(finding, settings) && gates(operation, settings);
    }),
  );
  const standing = judgeStanding(cells, standings, isBroken, seen.ended);
  if (standing.verdict !== 'holds' || operations.some(({ responses }) => responses.length > 0))
    return standing;
  return { verdict: 'incomplete', reason: `the document describes no response of any operation${NOTHING}` };
}

/**
 * For a completed run on the service itself: broken, incomplete, holds.
 * @param isBroken a finding gates
 * @param ended why the run ended before all cases ran
 */
export function judgeStanding(
  cells: readonly Cell[],
  standings: readonly OperationStanding[],
  isBroken: boolean,
  ended: string | undefined,
): { verdict: Verdict; reason: string | undefined } {
  const gating = cells.filter((cell) => cell.gates);
  if (isBroken || gating.some(({ verdict }) => verdict === 'violated'))
    return { verdict: 'broken', reason: ended };
  if (ended !== undefined) {
    const isJudged = cells.some(({ verdict }) => JUDGED.has(verdict));
    return { verdict: isJudged ? 'incomplete' : 'no verdict', reason: ended };
  }
  const missed = gating.find(({ verdict }) => verdict === 'not reached' || verdict === 'partly covered');
  if (missed) {
    const how = missed.verdict === 'not reached' ? 'not reached' : 'covered in part only';
    const reason = `${missed.status} of ${missed.operationId} was ${how}: ${missed.reason}`;
    return { verdict: 'incomplete', reason };
  }
  const lacking = standings.find((standing) => standing.gates);
  if (lacking)
    return { verdict: 'incomplete', reason: `${lacking.operationId} was not reached: ${lacking.reason}` };
  return { verdict: 'holds', reason: undefined };
}

function because(executed: readonly CaseResult[]): string {
  const told = executed.find(({ reason }) => reason !== undefined)?.reason;
  const reason = told ?? executed[0]?.findings[0]?.received;
  return reason === undefined ? '' : `: ${reason}`;
}

function refusedBecause({ apiKey, credentials }: Settings): string {
  if (Object.keys(credentials).length > 0) return 'the target refuses the credentials everywhere';
  return apiKey === undefined
    ? 'no API key was given, and the target asks for one'
    : 'the target refuses the API key everywhere';
}
