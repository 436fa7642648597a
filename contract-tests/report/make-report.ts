import { createHash } from 'node:crypto';
import { type Contract, explicitStatuses } from '#spec';
import packageJson from '../../package.json' with { type: 'json' };
import type { CaseResult, Outcome } from '../cases/case.ts';
import type { Finding, Observation } from '../laws/finding.ts';
import { type Root, rootsOf } from '../roots/roots.ts';
import type { Refusal } from '../run/permissions.ts';
import type { Log, Plan, Session } from '../run/run.ts';
import { judgeKnown, knownByRoot } from '../settings/known.ts';
import { causesOf } from './cause.ts';
import { judgeOperations } from './operations.ts';
import { createRedactor, redactAll } from './redact.ts';
import type { DocumentInfo, Report, ReportedCase, Shard, UncalledOperation } from './report.ts';
import { reportExchanges } from './reported-exchange.ts';
import { findingReporter, type ReportedFinding } from './reported-finding.ts';
import { judgeRun } from './run-verdict.ts';
import { type CellVerdict, EXIT_CODES, judgeCells } from './verdict.ts';

/** The input of a report, from a run or from observed traffic. */
export interface ReportedRun
  extends Pick<Plan, 'contract' | 'settings' | 'startedAt'>,
    Pick<Log, 'seen' | 'wireLog'> {
  readonly permissions: Pick<Plan['permissions'], 'refusals'>;
  readonly ledger: Pick<Log['ledger'], 'inOrderOf' | 'noticesBelow'>;
  readonly pace: Pick<Session['pace'], 'sent'>;
  readonly coverage: Pick<Log['coverage'], 'report'>;
  readonly latency: Pick<Log['latency'], 'report'>;
  /** Undefined: it is not part of a larger run. */
  readonly inShard?: Plan['inShard'];
  /** The requests were sent by others. */
  readonly isObserved?: true;
  /** Converts a finding to data. Default: at the time of the report. */
  readonly reportFinding?: (finding: Finding) => ReportedFinding;
}

/**
 * Makes the report of a run from the results of its cases.
 * @param about notices of the run as a whole
 */
export function makeReport(
  run: ReportedRun,
  executed: readonly CaseResult[],
  ms: number,
  about: readonly string[] = [],
): Report {
  const { contract, settings } = run;
  const redact = createRedactor(settings);
  const roots = rootsOf(
    executed.flatMap((result) => result.findings),
    contract,
  );
  const accepted = knownByRoot(settings, roots);
  const results = executed.map((result) => withAccepted(result, accepted));
  const { refusals } = run.permissions;
  const cells = judgeCells(contract, settings, results, refusals, run);
  const operations = judgeOperations(contract, settings, results, refusals, run);
  const { verdict, reason } = judgeRun(contract, cells, operations, results, run.seen, settings);
  const reported = reportFindings(run, executed, roots, accepted);
  const findings = [...reported.values()];
  const report = {
    verdict,
    exitCode: EXIT_CODES[verdict],
    reason,
    paddock: packageJson.version,
    startedAt: run.startedAt.toISOString(),
    target: settings.base.href,
    seed: settings.seed,
    document: contract.document.root.file.uri,
    documentInfo: describeDocument(contract),
    operations,
    cells,
    notSpecified: results.flatMap((result) => result.notSpecified),
    notices: withoutRepeats([
      ...about.map((text) => ({ caseId: '', operationId: '', text })),
      ...results.flatMap((result) => result.notices),
      ...run.ledger.noticesBelow(),
      ...judgeKnown(settings, results, roots),
    ]),
    created: run.ledger.inOrderOf(results.map((result) => result.case.id)),
    cases: results.map(reportCase),
    withheld: reportWithheld(run),
    excluded: refusals.filter(({ code }) => code === 'excluded').map(reportRefusal),
    coverage: run.coverage.report(),
    latency: run.latency.report(),
    totals: {
      ...countOutcomes(results),
      requests: run.pace.sent(),
      ms: Math.round(ms),
      ...countCovered({ operations, cells }),
    },
    exchanges: run.wireLog && reportExchanges(run.wireLog),
    ...(settings.shard && { shard: reportShard(run, settings.shard, results) }),
  };
  // Findings contain no credentials: their commands use variables.
  return {
    ...redactAll(report, redact),
    findings,
    // A title may quote a response that no finding contains.
    causes: causesOf(roots, reported).map((cause) => ({ ...cause, title: redact(cause.title) })),
  };
}

/** Sets the days until which findings are waived by their root. */
function withAccepted(result: CaseResult, accepted: ReadonlyMap<Finding, string>): CaseResult {
  if (accepted.size === 0) return result;
  const findings = result.findings.map((finding) => ({
    ...finding,
    knownUntil: finding.knownUntil ?? accepted.get(finding),
  }));
  return { ...result, findings };
}

/** Each finding as data, with its root. */
function reportFindings(
  run: ReportedRun,
  results: readonly CaseResult[],
  roots: readonly Root[],
  accepted: ReadonlyMap<Finding, string>,
): Map<Finding, ReportedFinding> {
  const report = run.reportFinding ?? findingReporter(run);
  const rootOf = new Map(
    roots.flatMap(({ key, findings, followUps }) =>
      [...findings, ...followUps.flatMap((followUp) => followUp.findings)].map(
        (finding) => [finding, key] as const,
      ),
    ),
  );
  const all = results.flatMap((result) => result.findings);
  return new Map(
    all.map((finding) => {
      const data = { ...report(finding), root: rootOf.get(finding) ?? finding.key };
      const knownUntil = finding.knownUntil === undefined ? accepted.get(finding) : undefined;
      return [finding, knownUntil === undefined ? data : { ...data, knownUntil, gates: false }];
    }),
  );
}

function reportShard(
  { contract, seen, inShard }: ReportedRun,
  { number, of }: Pick<Shard, 'number' | 'of'>,
  results: readonly CaseResult[],
): Shard {
  const others = contract.operations.filter((operation) => inShard?.(operation) === false);
  const cells = new Set(
    others.flatMap(({ id, responses }) => explicitStatuses(responses).map((status) => `${id}/${status}`)),
  );
  const reached = new Set(results.flatMap((result) => result.reached)).intersection(cells);
  return { number, of, reached: [...reached].sort(), ended: seen.ended };
}

function describeDocument({ title, version, document }: Contract): DocumentInfo {
  const { file } = document.root;
  const hash = createHash('sha256');
  for (const { text } of [file, ...(file.overlays ?? [])]) hash.update(text);
  return { title, version, digest: `sha256:${hash.digest('hex')}` };
}

/** The operations that a run does not call without permission. */
export function reportWithheld({
  permissions: { refusals },
}: Pick<ReportedRun, 'permissions'>): UncalledOperation[] {
  return refusals.filter(({ code }) => code !== 'excluded').map(reportRefusal);
}

function reportRefusal({ operation: { id, method, path }, reason }: Refusal): UncalledOperation {
  return { operationId: id, method, path, reason };
}

function reportCase({ case: one, outcome, reason, ms }: CaseResult): ReportedCase {
  return {
    id: one.id,
    title: one.title,
    operationId: one.operation.id,
    status: one.status,
    outcome,
    reason,
    ms: Math.round(ms),
  };
}

/** The numbers of operations and responses that a run has covered. */
export function countCovered({ operations, cells }: Pick<Report, 'operations' | 'cells'>) {
  const covered = (all: readonly { readonly verdict: CellVerdict }[]) =>
    all.filter(({ verdict }) => verdict === 'covered').length;
  return {
    operations: operations.length,
    operationsCovered: covered(operations),
    responses: cells.length,
    responsesCovered: covered(cells),
  };
}

export function countOutcomes(cases: readonly { readonly outcome: Outcome }[]) {
  const count = (outcome: Outcome) => cases.filter((one) => one.outcome === outcome).length;
  return {
    cases: cases.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    withheld: count('withheld'),
    notReached: count('not reached'),
  };
}

/** Merges equal notices of an operation from several cases. */
export function withoutRepeats(notices: readonly Observation[]): Observation[] {
  const groups = Map.groupBy(notices, ({ operationId, text }) => JSON.stringify([operationId, text]));
  return [...groups.values()].flatMap((group) => group.slice(0, 1));
}
