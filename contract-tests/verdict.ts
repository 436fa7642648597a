import { type Contract, explicitStatuses, type Operation } from '#spec';
import { baseUrlHint } from './base-url-hint.ts';
import type { CaseResult } from './cases/case.ts';
import type { Finding } from './finding.ts';
import { REMOVED } from './laws/removal.ts';
import { isElsewhere, NO_SERVICE, type Seen } from './run/run.ts';
import { INTERRUPTED } from './send/unreachable.ts';
import type { Settings } from './settings.ts';

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
  const finding = findings.find(counts);
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

function counts(finding: Finding): boolean {
  return finding.knownUntil === undefined;
}

/** The first that applies: interrupted, no verdict, broken, incomplete, holds. */
export function judgeRun(
  { servers }: Pick<Contract, 'servers'>,
  cells: readonly Cell[],
  results: readonly CaseResult[],
  seen: Seen,
  settings: Settings,
): { verdict: Verdict; reason: string | undefined } {
  if (settings.signal?.aborted) return { verdict: 'incomplete', reason: INTERRUPTED };
  const executed = results.filter(({ outcome }) => outcome !== 'skipped');
  if (executed.length === 0) return { verdict: 'incomplete', reason: 'nothing was executed' };
  if (isElsewhere(seen)) {
    const hint = baseUrlHint(
      settings.base,
      servers.map(({ basePath }) => basePath),
    );
    return {
      verdict: 'no verdict',
      reason: `no operation gave a usable answer${because(executed)}; ${hint}`,
    };
  }
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

/** What something else than the service has answered is evidence of nothing. */
export function withoutForeign(results: readonly CaseResult[], seen: Seen): readonly CaseResult[] {
  if (!isElsewhere(seen)) return results;
  return results.map((result) =>
    result.outcome === 'skipped'
      ? result
      : {
          ...result,
          outcome: 'not reached',
          reason: result.reason ?? result.findings[0]?.received ?? NO_SERVICE,
          covered: false,
          findings: [],
          notSpecified: [],
          notices: [],
        },
  );
}

function because(executed: readonly CaseResult[]): string {
  const reason =
    executed.find((result) => result.reason !== undefined)?.reason ?? executed[0]?.findings[0]?.received;
  return reason === undefined ? '' : `: ${reason}`;
}
