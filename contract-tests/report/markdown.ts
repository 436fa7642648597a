import type { Cause } from './cause.ts';
import { plain } from './escape.ts';
import type { Report } from './report.ts';
import { type ReportedFinding, shownPlace } from './reported-finding.ts';
import {
  caseCounts,
  casesInWords,
  coveredCells,
  explainedBy,
  groupObservations,
  headline,
  isNotSeenAgain,
  type JudgeSection,
  judgeSections,
  operationsByStatus,
  provenance,
  seconds,
  sinceBaseline,
  trafficCounts,
  triedPhrase,
} from './summary.ts';
import type { CellVerdict } from './verdict.ts';

const SIGNS: Readonly<Record<CellVerdict, string>> = {
  covered: '✅ covered',
  violated: '❌ violated',
  'not reached': '⚠️ not reached',
  skipped: '➖ skipped',
  withheld: '⛔ withheld',
  planned: '📋 planned',
  'partly covered': '⚠️ partly covered',
};

/** GitHub shows 1 MiB of a summary at most. */
const MOST_CAUSES = 50;

/** Markdown (GitHub's) for a job summary. */
export function renderMarkdown(report: Report): string {
  const { cells, causes, findings, totals, reason, exitCode, latency, notSpecified } = report;
  const traffic = trafficCounts(report);
  const rows = cells.map(
    (cell) =>
      `| ${text(cell.operationId)} | ${cell.status} | ${SIGNS[cell.verdict]}${caseCounts(cell)} | ${text(cell.reason ?? '')}${cell.gates ? '' : ' (does not gate)'} |`,
  );
  const sentence = `${headline(report)}${reason ? ` ${text(reason)}` : ''} (exit ${exitCode})`;
  const baseline = sinceBaseline(report);
  const lines = [
    `## ${sentence}`,
    '',
    traffic === undefined
      ? `${coveredCells(report)} on ${text(report.target)}: ${totals.cases} cases, ${totals.failed} failed, ${totals.requests} requests in ${seconds(report)}, seed ${report.seed}.`
      : `${coveredCells(report)} on ${text(report.target)}: ${traffic}.`,
    '',
    `${text(provenance(report))}.`,
    '',
    ...(baseline === undefined ? [] : [`${text(baseline)}.`, '']),
    ...causes.slice(0, MOST_CAUSES).flatMap((cause) => causeLines(cause, findings[cause.finding])),
    ...(causes.length > MOST_CAUSES
      ? [`${causes.length - MOST_CAUSES} more causes are in the other reports.`, '']
      : []),
    '| operation | status | verdict | |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    ...withheldLines(report),
    ...notSpecifiedLines(notSpecified),
    ...judgeSections(report).flatMap(judgeLines),
    ...latencyLines(latency),
    `**${sentence}**`,
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function withheldLines({ withheld }: Report): string[] {
  if (withheld.length === 0) return [];
  const items = withheld.map(({ method, path, reason }) => `- ${code(`${method} ${path}`)}: ${text(reason)}`);
  return ['### Withheld: they may change what the run has not made', '', ...items, ''];
}

function notSpecifiedLines(observations: Report['notSpecified']): string[] {
  if (observations.length === 0) return [];
  const items = groupObservations(observations).map((one) => `- ${text(one.operationId)}: ${text(one.text)}`);
  return ['### Not specified by the document', '', ...items, ''];
}

function latencyLines(latency: Report['latency']): string[] {
  if (latency.length === 0) return [];
  const rows = latency.map(
    ({ operationId, requests, p50, p95, max }) =>
      `| ${text(operationId)} | ${requests} | ${p50} | ${p95} | ${max} |`,
  );
  return [
    '### Latency in milliseconds',
    '',
    '| operation | requests | p50 | p95 | max |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
  ];
}

/** What an outside judge says, beside what the suite says. */
function judgeLines({ judge, sentence, notes, rows }: JudgeSection): string[] {
  const head = [`| case | suite | ${judge} | |`, '| --- | --- | --- | --- |'];
  const body = rows.map(
    (row) => `| ${text(row.cases)} | ${text(row.suite)} | ${row.opinion} | ${text(row.text)} |`,
  );
  return [
    `### ${text(sentence)}`,
    '',
    ...notes.flatMap((note) => [`- ${text(note)}`, '']),
    ...(rows.length > 0 ? [...head, ...body, ''] : []),
  ];
}

function causeLines(cause: Cause, finding: ReportedFinding | undefined): string[] {
  const { title, pointer, knownUntil, gates, received, documented, curl, steps, statuses } = cause;
  const note = knownUntil ? ` (known until ${knownUntil})` : gates ? '' : ' (does not gate)';
  const explained = explainedBy(cause);
  const tried = triedPhrase(cause);
  const again = isNotSeenAgain(cause) ? 'Seen once, not again: ' : '';
  const [, ...others] = cause.instances;
  return [
    `### ${again}${text(title)}${note}`,
    '',
    `- received ${code(received)}`,
    `- documented ${code(documented)}`,
    `- at ${code(finding ? shownPlace(finding) : cause.at)}${finding?.excerpt ? ` ${code(pointer)}` : ''}`,
    ...operationsByStatus(statuses ?? []).map((line) => `- answered ${text(line)}`),
    `- ${text(casesInWords(cause))}`,
    ...(explained ? [`- explains ${text(explained)}`] : []),
    ...(tried ? [`- tried: ${text(tried)}`] : []),
    '',
    ...(finding?.excerpt ? [...fenced(finding.excerpt, 'json'), ''] : []),
    ...(steps?.map((step, index) => `${index + 1}. ${code(step)}`) ?? fenced([curl], 'sh')),
    '',
    ...others.flatMap((one) => [`- ${text(one.caseId)}: received ${code(one.received)}, ${code(one.curl)}`]),
    ...(others.length > 0 ? [''] : []),
  ];
}

/**
 * Text without Markdown or HTML syntax (CommonMark §2.4: any ASCII punctuation may be escaped). GitHub looks for
 * mentions and issues in the rendered text: a word joiner separates them from their signs.
 */
function text(value: string): string {
  return oneLine(value)
    .replace(/[\\`*_{}[\]()#+!|<>&~@:./-]/g, (sign) =>
      sign === '<' ? '&lt;' : sign === '&' ? '&amp;' : `\\${sign}`,
    )
    .replace(/(?<=[@#])(?=\w)/g, '\u2060');
}

/** A code span whose fence is longer than any run of backticks within (CommonMark §6.1). */
function code(value: string): string {
  const content = oneLine(value);
  const fence = '`'.repeat(longestRun(content) + 1);
  return `${fence} ${content} ${fence}`;
}

function fenced(lines: readonly string[], language: string): string[] {
  const content = lines.map(plain).join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return [`${fence}${language}`, content, fence];
}

function longestRun(value: string): number {
  return Math.max(0, ...(value.match(/`+/g) ?? []).map(({ length }) => length));
}

function oneLine(value: string): string {
  return plain(value).replace(/\s+/g, ' ');
}
