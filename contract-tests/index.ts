/** The public entry point of the contract suite: `openapi-paddock/check`. */
import '#supported-node';

export { type Contract, DocumentError, loadContract, type Problem } from '#spec';
export type { BaselineComparison, FindingIdentity } from './baseline.ts';
export type { Case, CaseResult, Outcome } from './cases/case.ts';
export { type CheckEvent, check, prepare, type Suite } from './check.ts';
export type { CheckOptions, JudgeName } from './check-options.ts';
export type { Finding, Observation } from './finding.ts';
export { type KnownUpdate, updateKnown } from './known-update.ts';
export { LAWS, type LawName } from './laws/law.ts';
export type {
  ObservedFinding,
  ObservedRequest,
  ObserveOptions,
  Observer,
  PendingExchange,
  Unjudged,
} from './observe/observed.ts';
export { observe } from './observe/observer.ts';

export { createReplay, type Replay } from './observe/replay.ts';

export type { JudgeSummary, Opinion } from './opinions/compare.ts';
export type { Plan, PlannedOperation } from './plan.ts';
export type { Cause } from './report/causes.ts';
export { REPORT_FORMATS, type ReportFormat, type ReportFormatName } from './report/formats.ts';
export { renderGithub, withoutCommands } from './report/github.ts';
export { renderHtml } from './report/html.ts';
export { renderJson } from './report/json.ts';
export { renderJunit } from './report/junit.ts';
export { renderMarkdown } from './report/markdown.ts';
export type { DocumentInfo, Report, ReportedCase, UncalledOperation } from './report/report.ts';
export type { ReportedExchange, ReportedExchanges } from './report/reported-exchange.ts';
export type { ReportedFinding } from './report/reported-finding.ts';
export { renderSarif } from './report/sarif.ts';
export { renderTerminal } from './report/terminal.ts';
export type { Traffic } from './report/traffic.ts';
export type { Coverage } from './run/coverage.ts';
export type { Latency } from './run/latency.ts';
export type { CreatedRecord } from './run/ledger.ts';
export type { Exchange } from './send/exchange.ts';
export type { WireResponse } from './send/wire.ts';
export type { Settings } from './settings.ts';
export { SettingsError } from './settings-error.ts';
export type { Cell, CellVerdict, Verdict } from './verdict.ts';
