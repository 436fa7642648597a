/** The parts of a report, for rooms that make their own (`#report-parts`); not part of the package's interface. */
export { openSuite } from './check.ts';
export { keyAt } from './laws/finding.ts';
export { isSilentRefusal } from './laws/unsaid.ts';
export { groupByCause } from './report/cause.ts';
export { escapeMarkdown, markdownCode } from './report/escape.ts';
export { excerptAt, sourceAround } from './report/source-lines.ts';
export { isUnstable } from './report/verdict.ts';
export { curlOf } from './send/curl.ts';
export { isAbout, type KnownFinding, knownUntilDay, readKnown } from './settings/known.ts';
