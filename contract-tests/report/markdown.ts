import { LAWS } from '../laws/law.ts';
import type { CellVerdict } from '../verdict.ts';
import { plain } from './escape.ts';
import { type JudgeSection, judgeSections } from './opinion-rows.ts';
import type { Report } from './report.ts';
import type { ReportedFinding } from './reported-finding.ts';
import { coveredCells, VERDICTS } from './summary.ts';

const SIGNS: Readonly<Record<CellVerdict, string>> = {
  covered: '✅ covered',
  violated: '❌ violated',
  'not reached': '⚠️ not reached',
  skipped: '➖ skipped',
};

/** GitHub shows 1 MiB of a summary at most. */
const MOST_FINDINGS = 50;

/** Markdown (GitHub's) for a job summary. */
export function renderMarkdown(report: Report): string {
  const { cells, findings, totals, verdict, reason, exitCode } = report;
  const rows = cells.map(
    (cell) =>
      `| ${text(cell.operationId)} | ${cell.status} | ${SIGNS[cell.verdict]} | ${text(cell.reason ?? '')}${cell.gates ? '' : ' (does not gate)'} |`,
  );
  const lines = [
    `## ${VERDICTS[verdict]}${reason ? ` ${text(reason)}` : ''} (exit ${exitCode})`,
    '',
    `${coveredCells(report)} on ${text(report.target)}: ${totals.cases} cases, ${totals.failed} failed, ${totals.requests} requests, seed ${report.seed}.`,
    '',
    '| operation | status | verdict | |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    ...findings.slice(0, MOST_FINDINGS).flatMap(findingLines),
    ...(findings.length > MOST_FINDINGS
      ? [`${findings.length - MOST_FINDINGS} more findings are in the other reports.`, '']
      : []),
    ...judgeSections(report).flatMap(judgeLines),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
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

function findingLines(finding: ReportedFinding): string[] {
  const { caseId, law, received, documented, at, curl, steps, knownUntil } = finding;
  return [
    `### ${text(caseId)}`,
    '',
    `${text(LAWS[law])}${knownUntil ? ` (known until ${knownUntil})` : ''}`,
    '',
    `- received ${code(received)}`,
    `- documented ${code(documented)}`,
    `- at ${code(at)}`,
    '',
    ...(steps?.map((step, index) => `${index + 1}. ${code(step)}`) ?? fenced(curl)),
    '',
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

function fenced(value: string): string[] {
  const content = plain(value);
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return [`${fence}sh`, content, fence];
}

function longestRun(value: string): number {
  return Math.max(0, ...(value.match(/`+/g) ?? []).map(({ length }) => length));
}

function oneLine(value: string): string {
  return plain(value).replace(/\s+/g, ' ');
}
