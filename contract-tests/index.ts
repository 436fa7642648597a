/** The entry point of the contract suite (`#contract-tests`); `openapi-paddock/check` adds the judging of traffic. */
import '#supported-node';

export { type Contract, DocumentError, loadContract, type Problem } from '#spec';
export type { Case, CaseResult, Outcome } from './cases/case.ts';
export type { Plan, PlannedOperation } from './cases/plan.ts';
export { type CheckEvent, check, prepare, type Suite } from './check.ts';
export type { ConfirmingEvent } from './confirm/confirm.ts';

export type { CredentialSource, Issued } from './credentials/source.ts';
export type { Hooks } from './hooks/hooks.ts';
export type { OwnBreach, OwnLaw } from './laws/all-laws.ts';
export type { Evidence } from './laws/evidence.ts';
export type { Confirmation, Finding, Observation } from './laws/finding.ts';
export { LAWS, type LawName } from './laws/law.ts';
export { renderGithub, withoutCommands } from './report/annotations.ts';
export type { Cause, Instance, SeenStatus } from './report/cause.ts';
export { REPORT_FORMATS, type ReportFormat, type ReportFormatName, renderJson } from './report/formats.ts';
export { renderHtml } from './report/html.ts';
export { joinTargets, type ShardReport } from './report/join-reports.ts';
export { type KnownUpdate, updateKnown } from './report/known-update.ts';
export { renderMarkdown } from './report/markdown.ts';
export { mergeReports } from './report/merge-reports.ts';
export { readReport } from './report/read-report.ts';
export type {
  DocumentChange,
  DocumentInfo,
  Report,
  ReportedCase,
  Shard,
  Traffic,
  UncalledOperation,
  VersionStep,
} from './report/report.ts';
export type { ReportedExchange, ReportedExchanges } from './report/reported-exchange.ts';
export type { ConsumerTouch, ReportedFinding, WorthALook } from './report/reported-finding.ts';
export { renderSarif } from './report/sarif.ts';
export { renderTerminal, type TerminalOptions } from './report/terminal.ts';
export { renderJunit } from './report/test-results.ts';
export type { Cell, CellVerdict, Verdict } from './report/verdict.ts';
export type { Coverage } from './run/coverage.ts';
export type { CreatedRecord } from './run/ledger.ts';
export type { Latency } from './run/recording.ts';
export type { Exchange } from './send/response.ts';
export { UserCodeError, type WireResponse } from './send/wire.ts';
export type { CheckOptions, StrictPart } from './settings/check-options.ts';
export { SettingsError } from './settings/check-options.ts';
export type { Settings } from './settings/settings.ts';
