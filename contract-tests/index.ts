/** The door of the contract suite. */
export type { Case, CaseResult, Finding } from './case.ts';
export { type CheckEvent, check, prepare, type Suite } from './check.ts';
export type { JudgeSummary, Opinion } from './opinions/compare.ts';
export type { JudgeName } from './opinions/opinion.ts';
export { renderGithub, withoutCommands } from './report/github.ts';
export { renderHtml } from './report/html.ts';
export { renderJson } from './report/json.ts';
export { renderJunit } from './report/junit.ts';
export { renderMarkdown } from './report/markdown.ts';
export type { Report } from './report/report.ts';
export type { ReportedFinding } from './report/reported-finding.ts';
export { renderSarif } from './report/sarif.ts';
export { renderTerminal } from './report/terminal.ts';
export type { CheckOptions } from './settings.ts';
export { SettingsError } from './settings-error.ts';
export type { Cell, Verdict } from './verdict.ts';
