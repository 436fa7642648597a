import { type Contract, explicitStatuses, type Operation } from '#spec';
import type { CaseResult } from './cases/case.ts';
import type { Finding } from './finding.ts';
import { REMOVED } from './laws/removal.ts';
import type { Seen } from './run/run.ts';
import type { Settings } from './settings.ts';

/** How a cell stands: `covered` where its status was seen as documented, `violated` where a finding counts. */
export type CellVerdict = 'covered' | 'violated' | 'not reached' | 'skipped';

/** One operation and one explicitly documented status, and how it stands. */
export interface Cell {
  readonly operationId: string;
  readonly status: number;
  readonly verdict: CellVerdict;
  /** False: whatever it is, it does not decide (experimental or beta operations). */
  readonly gates: boolean;
  readonly reason: string | undefined;
  readonly cases: readonly string[];
}

/** How the contract stands after a run; each has its exit code. */
export type Verdict = 'holds' | 'broken' | 'incomplete' | 'no verdict';

export const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  holds: 0,
  broken: 1,
  'no verdict': 3,
  incomplete: 4,
};

const UNSTABLE = new Set(['experimental', 'beta']);

export function gates(operation: Operation, settings: Settings): boolean {
  return settings.strictStability || !UNSTABLE.has(operation.stability ?? '');
}

export function judgeCells(contract: Contract, settings: Settings, results: readonly CaseResult[]): Cell[] {
  const gone = results.filter(({ reason }) => reason === REMOVED);
  const removed = new Set(gone.map((result) => result.case.operation));
  return contract.operations.flatMap((operation) =>
    explicitStatuses(operation.responses).map((status) => {
      const own = results.filter(
        (result) => result.case.operation === operation && result.case.status === status,
      );
      return {
        operationId: operation.id,
        status,
        ...judgeCell(
          own,
          results.flatMap(({ findings }) =>
            findings.filter((finding) => finding.operationId === operation.id && finding.status === status),
          ),
          `${operation.id}/${status}/`,
          removed.has(operation),
          settings,
        ),
        gates: gates(operation, settings),
        cases: own.map((result) => result.case.id),
      };
    }),
  );
}

function judgeCell(
  own: readonly CaseResult[],
  findings: readonly Finding[],
  id: string,
  removed: boolean,
  settings: Settings,
): { verdict: CellVerdict; reason: string | undefined } {
  const finding = findings.find((one) => counts(one, settings));
  if (finding) return { verdict: 'violated', reason: finding.received };
  if (removed) return { verdict: 'skipped', reason: REMOVED };
  // A known finding has seen the status; that it is not as documented has been accepted for a time.
  if (findings.length > 0 || own.some(({ covered }) => covered))
    return { verdict: 'covered', reason: undefined };
  if (own.length === 0) {
    const excluded = (settings.only && !settings.only.test(id)) || settings.skip?.test(id);
    return excluded
      ? { verdict: 'skipped', reason: settings.skip?.test(id) ? '--skip' : '--only' }
      : { verdict: 'not reached', reason: 'the document does not say what request is answered so' };
  }
  const stopped = own.find(({ outcome }) => outcome === 'not reached');
  if (stopped) return { verdict: 'not reached', reason: stopped.reason };
  const skipped = own.find(({ outcome }) => outcome === 'skipped');
  if (skipped) return { verdict: 'skipped', reason: skipped.reason };
  return { verdict: 'not reached', reason: 'no answer bore this status' };
}

/** Whether a finding is neither accepted for a time nor, where only new ones gate, an old one. */
export function counts({ knownUntil, isNew }: Finding, { newOnly }: Settings): boolean {
  return knownUntil === undefined && !(newOnly && isNew === false);
}

/** The first that applies: no verdict, broken, incomplete, holds. */
export function judgeRun(
  cells: readonly Cell[],
  results: readonly CaseResult[],
  seen: Seen,
  settings: Settings,
): { verdict: Verdict; reason: string | undefined } {
  const executed = results.filter(({ outcome }) => outcome !== 'skipped');
  if (executed.length === 0) return { verdict: 'incomplete', reason: 'nothing was executed' };
  if (seen.usable === 0)
    return { verdict: 'no verdict', reason: `no operation gave a usable answer${because(executed)}` };
  if (seen.refused > 0 && seen.admitted === 0 && !settings.stateless) {
    const key =
      settings.apiKey === undefined
        ? 'no API key was given, and the target asks for one'
        : 'the target refuses the API key everywhere';
    return { verdict: 'no verdict', reason: key };
  }
  const gating = cells.filter((cell) => cell.gates);
  if (gating.some(({ verdict }) => verdict === 'violated')) return { verdict: 'broken', reason: undefined };
  const missed = gating.find(({ verdict }) => verdict === 'not reached');
  if (missed)
    return {
      verdict: 'incomplete',
      reason: `${missed.operationId} ${missed.status} was not reached: ${missed.reason}`,
    };
  return { verdict: 'holds', reason: undefined };
}

function because(executed: readonly CaseResult[]): string {
  const reason =
    executed.find((result) => result.reason !== undefined)?.reason ?? executed[0]?.findings[0]?.received;
  return reason === undefined ? '' : `: ${reason}`;
}
