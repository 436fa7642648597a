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
 * The result of a run, as data; every report is rendered from this, and `--report json=FILE` writes it. It contains no
 * credential in any encoding. `npm run generate` makes its JSON Schema from these types.
 */
export interface Report {
  /** Whether the target keeps the document's promises. */
  readonly verdict: Verdict;
  /** 0 holds, 1 broken, 3 no verdict, 4 incomplete, 130 and 143 interrupted by SIGINT and SIGTERM. With 2 (usage) there is no report. */
  readonly exitCode: number;
  /** What prevented a verdict, or a complete one. */
  readonly reason: string | undefined;
  /** Version of Paddock. */
  readonly paddock: string;
  /** When the run began (RFC 3339, UTC); `totals.ms` is its duration. */
  readonly startedAt: string;
  /** Base URL of the service; for traffic, all observed ones, separated by commas. */
  readonly target: string;
  /** With this `--seed` the run is repeated. */
  readonly seed: number;
  /** The document's path relative to the working directory, or its URL. */
  readonly document: string;
  readonly documentInfo: DocumentInfo;
  /** In the order of the document. */
  readonly operations: readonly OperationStanding[];
  readonly cells: readonly Cell[];
  /** All broken promises, including those that do not gate. */
  readonly findings: readonly ReportedFinding[];
  /** The problems of the service: its findings, grouped by cause. */
  readonly causes: readonly Cause[];
  /** Undefined behaviours: where the document is silent, what the target did. They are not judged. */
  readonly notSpecified: readonly Observation[];
  /** Worth knowing, but no broken promises. */
  readonly notices: readonly Observation[];
  /** Records of the run at the target that remain, or may remain. */
  readonly created: readonly CreatedRecord[];
  /** Operations that were not called, as they would change records that the run did not create; `allow` permits them. */
  readonly withheld: readonly UncalledOperation[];
  /** Operations that were not called, as `exclude` names them. */
  readonly excluded: readonly UncalledOperation[];
  /** All cases, in the order of execution. */
  readonly cases: readonly ReportedCase[];
  readonly coverage: Coverage;
  /** The response times of each operation. */
  readonly latency: readonly Latency[];
  readonly totals: Totals;
  /** The shard of a run; undefined: it is a whole run. */
  readonly shard?: Shard;
  /** What would be sent (`--plan`); undefined: the run was executed. */
  readonly plan?: Plan;
  /** How much of observed traffic was judged; undefined: the suite sent the requests. */
  readonly traffic?: Traffic;
  /** The differences between two versions of a document (`paddock compat`); undefined: none were compared. */
  readonly changes?: readonly DocumentChange[];
  /** The version step that follows from these; likewise. */
  readonly semanticVersion?: VersionStep;
  /** All exchanges, for a HAR file: recorded with `recordExchanges`, and in no other report. */
  readonly exchanges: ReportedExchanges | undefined;
}

/** One change between two versions of a document, with all affected operations. */
export interface DocumentChange {
  readonly rule: string;
  readonly class: 'breaking' | 'warning' | 'safe' | 'note';
  /** The changed part, in words, such as a member in the request of an operation. */
  readonly subject: string;
  /** The change, in words. */
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly operations: readonly string[];
  /** File and line in both documents. */
  readonly old: string;
  readonly new: string;
  /** Why it has its class. */
  readonly reason: string;
  /**
   * What proves a breaking change: a request or response that was tried, a value at its place, or the documents alone.
   * `refuted`: no value proves it, so that it is a warning. Undefined: no proof is needed.
   */
  readonly proof: 'tried' | 'value' | 'documents' | 'refuted' | undefined;
  /** The clients of `consumers` that a breaking change or a warning affects or may affect. Absent: no client is named. */
  readonly consumers?: readonly ConsumerTouch[];
  /** The key of its cause, if it breaks; `known` takes it to waive the change. */
  readonly key: string;
}

/** The version that a document must have after its previous one (semver.org). */
export interface VersionStep {
  /** The part to increase; `none`: nothing changed. */
  readonly follows: 'major' | 'minor' | 'patch' | 'none';
  /** `info.version` of both documents. */
  readonly old: string;
  readonly new: string;
  /** The minimum version; undefined: the previous one is no semantic version. */
  readonly expected: string | undefined;
  /** Whether the document has it, or a later one; undefined: one of them is no semantic version. */
  readonly isEnough: boolean | undefined;
}

/** The executed part of a run. Everything else is `skipped`, with the reason `--shard`. */
export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** Cells of other shards, as `OPERATIONID/STATUS`, that were returned with a valid response. */
  readonly reached: readonly string[];
  /** Why it ended before all of its cases ran. */
  readonly ended: string | undefined;
}

/** The document of the run. */
export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  /** `sha256:` and the hexadecimal digest of the document's text; of several files, that of the first with its overlays. */
  readonly digest: string;
}

/** An executed case, as data. */
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
  /** The operations of the document, and those that gave a valid response to a valid request. */
  readonly operations: number;
  readonly operationsCovered: number;
  /** The responses that the document names by status, and those that were returned as documented. */
  readonly responses: number;
  readonly responsesCovered: number;
}

/** How much of the traffic was judged, in numbers of exchanges. */
export interface Traffic {
  /** All that were observed. */
  readonly exchanges: number;
  /** Those that were compared with the document. */
  readonly judged: number;
  /** Of the judged ones: those whose request or response body is incomplete. */
  readonly bodiesMissing: number;
  /** Of the judged ones: those with a response whose body is documented. */
  readonly bodies: number;
  /** Of these: those whose body is complete, and was judged. */
  readonly bodiesJudged: number;
  /** To another origin, or below another path prefix, than those of the service. */
  readonly elsewhere: number;
  /** To a path that the document does not have. */
  readonly unknownPaths: number;
  /** With a method that the document does not have for the path. */
  readonly unknownMethods: number;
  /** To an operation that the contract leaves out because of an unresolvable reference. */
  readonly unread: number;
  /** Without a response. */
  readonly withoutResponse: number;
  /** With a response from a gateway: overload, a gateway error, an upgrade to https. */
  readonly byGateway: number;
  /** To an operation that was removed as announced in the document. */
  readonly removed: number;
  /** To an origin that never responded as the service does. */
  readonly foreign: number;
  /** Left out by `only`. */
  readonly leftOut: number;
  /** Left out by `sample` of a proxy, whatever they were. */
  readonly notSampled: number;
  /** Distinct findings that were dropped for lack of room. */
  readonly findingsDropped: number;
}
