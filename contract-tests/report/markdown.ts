import { type Cause, isWorthALook } from './cause.ts';
import { plain } from './escape.ts';
import { brokenInWords } from './in-words.ts';
import type { Report } from './report.ts';
import { type ReportedFinding, shownPlace } from './reported-finding.ts';
import {
  caseCounts,
  casesInWords,
  coveredCells,
  explainedBy,
  groupObservations,
  isNotSeenAgain,
  isPlainlyConfirmed,
  operationsByStatus,
  provenance,
  seconds,
  settledBy,
  trafficCounts,
  triedPhrase,
  verdictAndReason,
  WORTH_A_LOOK,
} from './summary.ts';
import type { CellVerdict } from './verdict.ts';

const SIGNS: Readonly<Record<CellVerdict, string>> = {
  covered: '✅',
  violated: '❌',
  'not reached': '⚠️',
  skipped: '➖',
  withheld: '⛔',
  planned: '📋',
  'partly covered': '⚠️',
};

/** GitHub shows 1 MiB of a summary at most. */
const MOST_CAUSES = 50;

/** So much of what was received or is documented is said; the other reports have it whole. */
const LONGEST_VALUE = 160;

/** Markdown (GitHub's) for a job summary or a comment, which people read unrendered, too. */
export function renderMarkdown(report: Report): string {
  const { causes, findings, totals, exitCode, latency, notSpecified } = report;
  const traffic = trafficCounts(report);
  const sentence = `${text(verdictAndReason(report))} (exit ${exitCode})`;
  const words = report.verdict === 'broken' ? brokenInWords(report) : undefined;
  const lines = [
    `## ${sentence}`,
    '',
    ...(words === undefined ? [] : [`**${text(words)}.**`, '']),
    `- ${coveredCells(report)} on ${code(report.target)}`,
    traffic === undefined
      ? `- ${totals.cases} cases, ${totals.failed} failed; ${totals.requests} requests in ${seconds(report)}, seed ${report.seed}`
      : `- ${traffic}`,
    '',
    ...causes
      .slice(0, MOST_CAUSES)
      .flatMap((cause, index) => [
        ...(isWorthALook(cause) && !isWorthALook(causes[index - 1] ?? { gates: true })
          ? [`## ${WORTH_A_LOOK}: presumed facts that the target does not keep`, '']
          : []),
        ...causeLines(cause, findings[cause.finding], index),
      ]),
    ...(causes.length > MOST_CAUSES
      ? [`${causes.length - MOST_CAUSES} more causes are in the other reports.`, '']
      : []),
    ...cellLines(report),
    ...withheldLines(report),
    ...notSpecifiedLines(notSpecified),
    ...latencyLines(latency),
    `${text(provenance(report))}.`,
    '',
    `**${sentence}**`,
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** A narrow table, and below it why cells are not covered, each reason once. */
function cellLines({ cells }: Report): string[] {
  if (cells.length === 0) return [];
  const byOperation = Map.groupBy(cells, ({ operationId }) => operationId);
  const rows = [...byOperation].map(([operationId, own]) => {
    const shown = own.map((cell) => `${SIGNS[cell.verdict]} ${cell.status}${caseCounts(cell)}`);
    return `| ${text(operationId)} | ${shown.join(', ')} |`;
  });
  const explained = cells.filter(
    ({ verdict, reason }) => verdict !== 'covered' && verdict !== 'violated' && reason,
  );
  const reasons = Map.groupBy(explained, ({ verdict, reason }) => `${verdict}: ${reason}`);
  const because = [...reasons].map(([reason, own]) => `- ${text(reason)}: ${text(someCells(own))}`);
  const apart = cells.filter(({ gates, verdict }) => !gates && verdict !== 'withheld');
  return [
    '### Operations and statuses',
    '',
    '| operation | statuses |',
    '| --- | --- |',
    ...rows,
    '',
    ...because,
    ...(apart.length > 0 ? [`- does not decide the verdict: ${text(someCells(apart))}`] : []),
    ...(because.length > 0 || apart.length > 0 ? [''] : []),
  ];
}

/** Cells that a line names. */
const MOST_CELLS = 6;

function someCells(cells: Report['cells']): string {
  const named = cells.slice(0, MOST_CELLS).map(({ operationId, status }) => `${operationId} ${status}`);
  const more = cells.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function withheldLines({ withheld }: Report): string[] {
  if (withheld.length === 0) return [];
  const items = withheld.map(({ method, path, reason }) => `- ${code(`${method} ${path}`)}: ${text(reason)}`);
  return ['### Withheld: they may change what the run has not made', '', ...items, ''];
}

function notSpecifiedLines(observations: Report['notSpecified']): string[] {
  if (observations.length === 0) return [];
  const items = groupObservations(observations).map(
    (one) => `- ${one.operationId === '' ? '' : `${text(one.operationId)}: `}${text(one.text)}`,
  );
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

/** A short section: what is wrong, where the document says it, and how to see it again. */
function causeLines(cause: Cause, finding: ReportedFinding | undefined, index: number): string[] {
  const { title, pointer, knownUntil, gates, received, documented, curl, steps, statuses } = cause;
  const commands = steps ?? (curl === '' ? [] : [curl]);
  const explained = explainedBy(cause);
  const tried = isPlainlyConfirmed(cause) ? undefined : triedPhrase(cause);
  const again = isNotSeenAgain(cause) ? ['seen once, not again'] : [];
  const quiet = gates || isWorthALook(cause) ? again : [...again, 'does not gate'];
  const notes = knownUntil ? [`known until ${knownUntil}`] : quiet;
  const [, ...others] = cause.instances;
  const rest = cause.count - cause.instances.length;
  return [
    `### ${index + 1}. ${text(title)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`,
    '',
    `- received ${code(inBrief(received))}`,
    `- documented ${code(inBrief(documented))}`,
    `- at ${code(finding ? shownPlace(finding) : cause.at)}${finding?.excerpt ? ` ${code(pointer)}` : ''}`,
    ...operationsByStatus(statuses ?? []).map((line) => `- answered ${text(line)}`),
    `- ${text(casesInWords(cause))}`,
    ...(explained ? [`- explains ${text(inBrief(explained))}`] : []),
    ...settledBy(cause).map((line) => `- settled by ${code(line)}`),
    ...(tried ? [`- tried: ${text(tried)}`] : []),
    '',
    ...(finding?.excerpt ? [...fenced(finding.excerpt, 'json'), ''] : []),
    // What follows from the documents alone has no command.
    ...(commands.length > 0 ? [...fenced(commands, 'sh'), ''] : []),
    ...others.map((one) => `- also ${text(one.caseId)}: ${code(inBrief(one.received))}`),
    ...(others.length > 0 && rest > 0 ? [`- and ${rest} more`] : []),
    ...(others.length > 0 ? [''] : []),
  ];
}

function inBrief(value: string): string {
  return value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE)}…`;
}

/**
 * Text without Markdown or HTML syntax (CommonMark §2.4: any ASCII punctuation may be escaped). Only what would be syntax
 * where it stands is escaped, so that a path or a sentence can be read as it is written. GitHub looks for mentions and
 * issues in the rendered text: a word joiner separates them from their signs.
 */
function text(value: string): string {
  return oneLine(value)
    .replace(/[\\`*[\]|~@]|<|&(?=[#\w])/g, (sign) =>
      sign === '<' ? '&lt;' : sign === '&' ? '&amp;' : `\\${sign}`,
    )
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/#(?=\w)|#+(?=\s*$)/g, (sign) => sign.replaceAll('#', '\\#'))
    .replace(/:(?=\/\/)|(?<!\d):(?=[\w+-]+:)|(?<=\bwww)\./gi, '\\$&')
    .replace(/^(\s*)([-+=#>]|\d+(?=[.)]))/, (_, space: string, sign: string) =>
      /\d/.test(sign) ? `${space}${sign}\u2060` : `${space}\\${sign}`,
    )
    .replace(/(?<=[@#])(?=\w)/g, '\u2060');
}

/** A code span whose fence is longer than any run of backticks within (CommonMark §6.1). */
function code(value: string): string {
  const content = oneLine(value);
  const fence = '`'.repeat(longestRun(content) + 1);
  const space = /^[` ]|[` ]$|^$/.test(content) ? ' ' : '';
  return `${fence}${space}${content}${space}${fence}`;
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
