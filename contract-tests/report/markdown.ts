import { inBrief } from '#spec';
import { markdownCode as code, markdownFence as fence, escapeMarkdown as text } from './escape.ts';
import type { Report } from './report.ts';
import type { Section } from './sections.ts';
import { type CauseView, viewOf } from './view.ts';
import { cellWords, LOOKS } from './words.ts';

/** GitHub shows at most 1 MiB of a summary. */
const MOST_CAUSES = 50;
const MOST_ITEMS = 100;

/** The maximum length of texts; the other reports contain them in full. */
const LONGEST_TEXT = 160;

/** GitHub Markdown for a job summary or a comment, which is readable without rendering, too. */
export function renderMarkdown(report: Report): string {
  const { groups, sections, verdict, broken, totals, provenance } = viewOf(report);
  const more = report.causes.length - MOST_CAUSES;
  const lines = [
    `## ${text(verdict)}`,
    '',
    ...(broken === undefined ? [] : [`**${text(broken)}.**`, '']),
    `${text(totals)}, on ${code(report.target)}.`,
    '',
    ...groups.flatMap(({ title, note, causes }) => {
      const top = causes.filter(({ number }) => number <= MOST_CAUSES);
      const head = note === '' || top.length === 0 ? [] : [`## ${title}: ${note}`, ''];
      return [...head, ...top.flatMap(causeLines)];
    }),
    ...(more > 0 ? [`${more} more causes are in the other reports.`, ''] : []),
    ...cellLines(report, sections),
    ...sections.filter(({ isOfCells }) => !isOfCells).flatMap(sectionLines),
    ...latencyLines(report),
    `${text(provenance)}.`,
    '',
    `**${text(verdict)}**`,
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The lines of a cause: the problem, its position in the document, and how to reproduce it. */
function causeLines({ number, cause, note, cases, facts }: CauseView): string[] {
  const notes = [note, cases].filter((one) => one !== '').map((one) => ` (${text(one)})`);
  const mainFacts = facts.filter(({ isDetail }) => !isDetail);
  return [`### ${number}. ${text(cause.title)}${notes.join('')}`, '', ...factLines(mainFacts)];
}

/** A cause as the text of an issue, with the cause's title as heading. */
export function renderIssue({ cause, facts }: CauseView, report: Pick<Report, 'target'>): string {
  const mainFacts = facts.filter(({ isDetail, label }) => !isDetail || label === 'owner');
  const lines = [`# ${text(cause.title)}`, '', `On ${code(report.target)}.`, '', ...factLines(mainFacts)];
  return `${lines.join('\n').trimEnd()}\n`;
}

function factLines(facts: CauseView['facts']): string[] {
  return [
    ...facts.flatMap(({ label, text: content, at, isQuoted }) => {
      const place = at === undefined ? '' : `, at ${code(at)}`;
      const brief = inBrief(content, LONGEST_TEXT);
      return content === '' ? [] : [`- ${label} ${isQuoted ? code(brief) : text(brief)}${place}`];
    }),
    '',
    ...facts.flatMap(({ lines, language = '' }) => (lines ? [...fence(lines, language), ''] : [])),
  ];
}

/** A narrow table, followed by the reasons of uncovered cells, each once. */
function cellLines({ cells }: Report, sections: readonly Section[]): string[] {
  if (cells.length === 0) return [];
  const byOperation = Map.groupBy(cells, ({ operationId }) => operationId);
  const rows = [...byOperation].map(([operationId, group]) => {
    const entries = group.map((cell) => {
      const { cases, note } = cellWords(cell);
      return `${LOOKS[cell.verdict].emoji} ${cell.status}${cases}${note && ` (${note})`}`;
    });
    return [text(operationId), entries.join(', ')];
  });
  const reasons = sections
    .filter(({ isOfCells }) => isOfCells)
    .flatMap(({ id, items }) => items.map((item) => `- ${text(`${id}: ${item.text}: ${item.name}`)}`));
  return [
    ...tableLines('Operations and statuses', ['operation', 'statuses'], '---', rows),
    ...reasons,
    ...(reasons.length > 0 ? [''] : []),
  ];
}

function sectionLines({ title, items, brief, isDetail }: Section): string[] {
  if (isDetail && brief === undefined) return [];
  const more = items.length - MOST_ITEMS;
  const lines = items
    .slice(0, MOST_ITEMS)
    .map(({ name, text: content }) => `- ${name === '' ? '' : `${text(name)}: `}${text(content)}`);
  return [
    `### ${title}`,
    '',
    ...(brief !== undefined && (isDetail || items.length === 0) ? [text(brief)] : lines),
    ...(more > 0 && !isDetail ? [`- and ${more} more, in the JSON report`] : []),
    '',
  ];
}

function latencyLines({ latency }: Report): string[] {
  if (latency.length === 0) return [];
  const rows = latency.map(({ operationId, requests, p50, p95, max }) => {
    return [text(operationId), requests, p50, p95, max];
  });
  return tableLines('Latency in milliseconds', ['operation', 'requests', 'p50', 'p95', 'max'], '---:', rows);
}

/** @param column the alignment of all columns but the first */
function tableLines(
  title: string,
  names: readonly string[],
  column: '---' | '---:',
  rows: readonly (readonly (string | number)[])[],
): string[] {
  const line = (parts: readonly (string | number)[]) => `| ${parts.join(' | ')} |`;
  const columns = names.map((_, index) => (index === 0 ? '---' : column));
  return [`### ${title}`, '', line(names), line(columns), ...rows.map(line), ''];
}
