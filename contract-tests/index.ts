/** The door of the contract suite. */
export type { Case, CaseResult, Finding } from './case.ts';
export { type CheckEvent, check, prepare, type Suite } from './check.ts';
export { renderJson } from './report/json.ts';
export { renderJunit } from './report/junit.ts';
export type { Report, ReportedFinding } from './report/report.ts';
export { renderTerminal } from './report/terminal.ts';
export { type CheckOptions, SettingsError } from './settings.ts';
export type { Cell, Verdict } from './verdict.ts';
