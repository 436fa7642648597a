import { type Contract, count, leftOutReason, someOf } from '#spec';
import type { CaseResult } from '../../contract-tests/cases/case.ts';
import type { Observation } from '../../contract-tests/laws/finding.ts';
import { makeReport } from '../../contract-tests/report/make-report.ts';
import type { Report, Traffic } from '../../contract-tests/report/report.ts';
import type { ReportedFinding } from '../../contract-tests/report/reported-finding.ts';
import { EXIT_CODES } from '../../contract-tests/report/verdict.ts';
import { bodiesJudged } from '../../contract-tests/report/words.ts';
import type { FindingsSoFar } from './findings-so-far.ts';
import { caseIdOf, type ObservedRun } from './observed.ts';
import {
  type ClientFaults,
  cellsInOrder,
  type SeenCell,
  type Tally,
  timesText,
  type UnknownRequests,
} from './tally.ts';

export interface Observed {
  readonly run: ObservedRun;
  readonly startedAt: Date;
  /** The base URLs at which the service responded. */
  readonly bases: readonly string[];
  readonly findings: FindingsSoFar;
  readonly tally: Tally;
  readonly traffic: Traffic;
  readonly exclusive: boolean;
  readonly unknown: UnknownRequests;
  readonly faults: ClientFaults;
}

/** The suite's report on traffic: a case for each cell, with the traffic's results. */
export function reportTraffic(observed: Observed): Report {
  const { run, startedAt, bases, findings, tally, traffic } = observed;
  const reported = new Map(findings.all.map((one) => [one.finding, one.reported]));
  const results = cellsInOrder(run.contract, tally.cells).map((cell) => resultOf(observed, cell));
  const report = makeReport(
    {
      ...run,
      startedAt,
      // Whether another server responded has been decided already.
      seen: {
        usable: tally.usable,
        certain: tally.usable,
        foreign: 0,
        isTheService: false,
        asked: new Set(),
        refused: new Map(),
        admission: { admitted: 0, refused: 0 },
        unreachable: 0,
        lockedOut: undefined,
        ended: undefined,
      },
      ledger: { inOrderOf: () => [], noticesBelow: () => [] },
      permissions: { refusals: [] },
      pace: { sent: () => traffic.exchanges },
      coverage: tally.coverage,
      latency: tally.latency,
      wireLog: undefined,
      isObserved: true,
      // A finding of traffic is converted when it is found.
      reportFinding: (finding) => reported.get(finding) as ReportedFinding,
    },
    results,
    Date.now() - startedAt.getTime(),
  );
  const nothing = traffic.judged === 0;
  return {
    ...report,
    ...(nothing
      ? {
          verdict: 'no verdict' as const,
          exitCode: EXIT_CODES['no verdict'],
          reason: nothingJudged(observed),
        }
      : report.verdict === 'holds' && extentOf(traffic, run.contract)),
    target: bases.length > 0 ? bases.join(', ') : report.target,
    notices: [...report.notices, ...suspicionsOf(observed), ...observed.faults.all, ...unknownOf(observed)],
    traffic,
  };
}

/** If only heads were observed, the contract does not hold yet. */
function extentOf(traffic: Traffic, { leftOut: [unread] }: Contract): Partial<Report> {
  if (unread && traffic.unread > 0) {
    const reason = `${count(traffic.unread, 'request')} to operations that are left out, such as ${unread.name}: ${leftOutReason(unread)}`;
    return { verdict: 'incomplete', exitCode: EXIT_CODES.incomplete, reason };
  }
  const lacking = traffic.bodies > traffic.bodiesJudged ? bodiesJudged(traffic) : undefined;
  if (lacking === undefined || traffic.bodiesJudged > 0) {
    const reasons = [sampledOf(traffic), lacking].filter((reason) => reason !== undefined);
    return reasons.length > 0 ? { reason: reasons.join(' ') } : {};
  }
  return { verdict: 'incomplete', exitCode: EXIT_CODES.incomplete, reason: lacking };
}

function sampledOf({ exchanges, judged, notSampled }: Traffic): string | undefined {
  if (notSampled === 0) return undefined;
  return `Of ${exchanges} exchanges, ${judged} were judged and ${notSampled} left out by sampling.`;
}

const NO_EXCHANGE = 'no exchange of the traffic';

function resultOf({ run: { settings }, findings, tally: _ }: Observed, cell: SeenCell): CaseResult {
  const { operation, status, exchanges, ms, bodies } = cell;
  const id = caseIdOf(operation.id, status);
  const caseFindings = findings.all.map(({ finding }) => finding).filter(({ caseId }) => caseId === id);
  const isLeftOut = !settings.isChosen(id);
  const unseen = isLeftOut ? '--only' : NO_EXCHANGE;
  const lacksBodies = bodies > 0 && cell.bodiesJudged === 0 && caseFindings.length === 0;
  const isSeen = exchanges > 0 && !lacksBodies;
  const sound = cell.sound && isSeen;
  const outcome = isSeen
    ? caseFindings.some(({ worthALook }) => !worthALook)
      ? 'failed'
      : 'passed'
    : isLeftOut
      ? 'skipped'
      : 'not reached';
  return {
    case: {
      id,
      title: `${count(exchanges, 'exchange')} of the traffic: ${operation.id} answered ${status}`,
      operation,
      status,
      unsafe: false,
      run: () => Promise.resolve(),
    },
    outcome,
    reason: isSeen ? undefined : lacksBodies ? bodiesJudged(cell) : unseen,
    code: isSeen ? undefined : 'unprovoked',
    covered: sound,
    reached: sound ? [`${operation.id}/${status}`] : [],
    findings: caseFindings,
    notSpecified: [],
    notices: [],
    ms,
  };
}

/** Suspicions that another client, or a lagging replica, may explain. */
function suspicionsOf({ findings, exclusive }: Observed): Observation[] {
  const unless = exclusive
    ? 'unless a replica lagged behind'
    : 'unless another client has changed the record, or a replica lagged behind';
  return findings.suspicions.map((suspicion) => ({
    ...suspicion,
    text: `${suspicion.text}, which breaks the contract ${unless}`,
  }));
}

/** Undocumented requests below the base URL of the service. */
function unknownOf({ unknown, bases }: Observed): Observation[] {
  const below = unknown.all.filter(({ request }) =>
    bases.some((base) => request.slice(request.indexOf(' ') + 1).startsWith(`${base}/`)),
  );
  return below.slice(0, MOST_UNKNOWN).map(({ request, times }) => ({
    caseId: 'traffic',
    operationId: request,
    text: `no operation of the document${timesText(times)}`,
  }));
}

const MOST_UNKNOWN = 20;

/** The maximum length of a list in one line. */
const FEW = 5;

function nothingJudged({ traffic, run, unknown }: Observed): string {
  const { operations } = run.contract;
  if (traffic.exchanges === 0) return 'the traffic has no exchange';
  if (traffic.foreign > 0)
    return 'requests to paths of the document were answered, and never as the document says';
  if (unknown.all.length === 0) {
    const { withoutResponse, byGateway, leftOut, notSampled, unread } = traffic;
    return `no exchange could be judged: ${withoutResponse} without a response, ${byGateway} answered by a gateway, ${unread} to operations that are left out of the document, ${leftOut} left out, ${notSampled} not sampled`;
  }
  const seen = unknown.all.map(({ request }) => request);
  const paths = [...new Set(operations.map(({ path, basePaths }) => basePaths[0] + path))];
  return `no request has an operation in the document: they are ${someOf(seen, FEW)}; the document has ${someOf(paths, FEW)}; --base-url URL says where its paths begin`;
}
