import type { Outcome } from '../cases/case.ts';
import type { Plan } from '../cases/plan.ts';
import type { Observation } from '../laws/finding.ts';
import type { Coverage } from '../run/coverage.ts';
import type { CreatedRecord } from '../run/ledger.ts';
import type { Latency } from '../run/recording.ts';
import type { Cause } from './cause.ts';
import type { ReportedExchanges } from './reported-exchange.ts';
import type { ConsumerTouch, ReportedFinding } from './reported-finding.ts';
import type { Cell, OperationStanding, Verdict } from './verdict.ts';

/**
 * The result of a run, as data; every report is rendered from this, and `--report json=FILE` writes it. No credential stands
 * in it, in no encoding. `npm run generate` makes its JSON Schema of these types.
 */
export interface Report {
  /** Whether the target keeps the document's promises. */
  readonly verdict: Verdict;
  /** 0 holds, 1 broken, 3 no verdict, 4 incomplete, 130 and 143 interrupted by SIGINT and SIGTERM. With 2 (usage) there is no report. */
  readonly exitCode: number;
  /** What stood in the way of a verdict, or of a complete one. */
  readonly reason: string | undefined;
  /** Version of Paddock. */
  readonly paddock: string;
  /** When the run began (RFC 3339, UTC); `totals.ms` is how long it took. */
  readonly startedAt: string;
  /** Base URL of the service; of traffic all that were seen, separated by commas. */
  readonly target: string;
  /** Given with `--seed`, it repeats the run. */
  readonly seed: number;
  /** The document's path relative to the working directory, or its URL. */
  readonly document: string;
  readonly documentInfo: DocumentInfo;
  /** In the order of the document. */
  readonly operations: readonly OperationStanding[];
  readonly cells: readonly Cell[];
  /** Every promise that was seen broken, those that do not gate, too. */
  readonly findings: readonly ReportedFinding[];
  /** What is wrong: the findings grouped by that, whatever has shown it. */
  readonly causes: readonly Cause[];
  /** Where the document is silent: what the target did there. Nobody judges it. */
  readonly notSpecified: readonly Observation[];
  /** Worth knowing, and no broken promise. */
  readonly notices: readonly Observation[];
  /** Records that the run made on the target and that are still there, or may be. */
  readonly created: readonly CreatedRecord[];
  /** Operations that were not called, since they would change what the run has not made; `allow` permits them. */
  readonly withheld: readonly UncalledOperation[];
  /** Operations that were not called, since `exclude` names them. */
  readonly excluded: readonly UncalledOperation[];
  /** Everything that was tried, in the order in which it was tried. */
  readonly cases: readonly ReportedCase[];
  readonly coverage: Coverage;
  /** How long each operation took to respond. */
  readonly latency: readonly Latency[];
  readonly totals: Totals;
  /** The part of a run that this is; undefined: it is a whole run. */
  readonly shard?: Shard;
  /** What would be sent (`--plan`); undefined: the run was made. */
  readonly plan?: Plan;
  /** How much of observed traffic was judged; undefined: the suite has sent the requests. */
  readonly traffic?: Traffic;
  /** What two versions of a document say otherwise (`paddock compat`); undefined: no versions were compared. */
  readonly changes?: readonly DocumentChange[];
  /** Which version follows from that; likewise. */
  readonly semanticVersion?: VersionStep;
  /** Everything that was sent and received, for a HAR file: kept with `recordExchanges`, and in no other report. */
  readonly exchanges: ReportedExchanges | undefined;
}

/** One change between two versions of a document, with all operations that it concerns. */
export interface DocumentChange {
  readonly rule: string;
  readonly class: 'breaking' | 'warning' | 'safe' | 'note';
  /** What it is about, in words: a member in the request of an operation, say. */
  readonly subject: string;
  /** What has changed, in words. */
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly operations: readonly string[];
  /** File and line of both documents. */
  readonly old: string;
  readonly new: string;
  /** Why it has its class. */
  readonly reason: string;
  /**
   * What shows a breaking one: a request or a response that was tried, a value at its place, or the documents alone.
   * `refuted`: no value shows it, so that it is a warning. Undefined: nothing need show it.
   */
  readonly proof: 'tried' | 'value' | 'documents' | 'refuted' | undefined;
  /** The clients of `consumers` that a breaking one, or a warning, touches or may touch. Absent: no client is named. */
  readonly consumers?: readonly ConsumerTouch[];
  /** That of its cause, if it breaks; `known` accepts it by that. */
  readonly key: string;
}

/** The version that a document has to have after its former one (semver.org). */
export interface VersionStep {
  /** The part that grows; `none`: nothing has changed. */
  readonly follows: 'major' | 'minor' | 'patch' | 'none';
  /** `info.version` of both documents. */
  readonly old: string;
  readonly new: string;
  /** The least version; undefined: the former one is no semantic version. */
  readonly expected: string | undefined;
  /** Whether the document has it, or a later one; undefined: one of them is no semantic version. */
  readonly isEnough: boolean | undefined;
}

/** Which part of a run was made here. What is not in it is `skipped`, with the reason `--shard`. */
export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** Cells of other shards, as `OPERATIONID/STATUS`, that were seen with a response as documented. */
  readonly reached: readonly string[];
  /** Why it ended before all of its cases were run. */
  readonly ended: string | undefined;
}

/** Which document the run was checked against. */
export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  /** `sha256:` and the digest of the document's text, in hexadecimal; of several files that of the first, with its overlays. */
  readonly digest: string;
}

/** A case that was executed, as data. */
export interface ReportedCase {
  readonly id: string;
  readonly title: string;
  readonly operationId: string;
  readonly status: number;
  readonly outcome: Outcome;
  /** Why it was skipped or not reached. */
  readonly reason: string | undefined;
  /** Duration in milliseconds. */
  readonly ms: number;
}

/** An operation that the run did not call. */
export interface UncalledOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly reason: string;
}

export interface Totals {
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly withheld: number;
  readonly notReached: number;
  readonly requests: number;
  readonly ms: number;
  /** Operations of the document, and those of them that have answered a valid request as documented. */
  readonly operations: number;
  readonly operationsCovered: number;
  /** Responses that the document names by their status, and those of them that were seen as documented. */
  readonly responses: number;
  readonly responsesCovered: number;
}

/** How much of the traffic was judged, in numbers of exchanges. */
export interface Traffic {
  /** All that were seen. */
  readonly exchanges: number;
  /** Those held against the document. */
  readonly judged: number;
  /** Of the judged ones: those of whose request or response the body is not known whole. */
  readonly bodiesMissing: number;
  /** Of the judged ones: those with a response that the document describes with a body. */
  readonly bodies: number;
  /** Of these: those whose body is known whole, and was judged. */
  readonly bodiesJudged: number;
  /** To another origin, or below another path prefix, than those of the service. */
  readonly elsewhere: number;
  /** To a path that the document does not have. */
  readonly unknownPaths: number;
  /** With a method that the document does not have for the path. */
  readonly unknownMethods: number;
  /** To an operation that the contract leaves out, since a reference which it needs leads nowhere. */
  readonly unread: number;
  /** Without a response. */
  readonly withoutResponse: number;
  /** Answered by what stands before the service: overload, a gateway, an upgrade to https. */
  readonly byGateway: number;
  /** To an operation that is gone, as the document said it would be. */
  readonly removed: number;
  /** Of an origin that never answered as the service does. */
  readonly foreign: number;
  /** Left out by `only`. */
  readonly leftOut: number;
  /** Left out by `sample` of a proxy, whatever they were. */
  readonly notSampled: number;
  /** Distinct findings that were not kept, for want of room. */
  readonly findingsDropped: number;
}
