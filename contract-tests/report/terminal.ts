import { styleText } from 'node:util';
import { LAWS } from '../laws/law.ts';
import type { CellVerdict, Verdict } from '../verdict.ts';
import type { Report } from './report.ts';
import type { ReportedFinding } from './reported-finding.ts';
import { opinionLines } from './terminal-opinions.ts';
import { plain, VERDICTS } from './words.ts';

type Style = Parameters<typeof styleText>[0];

const CELL_STYLES: Readonly<Record<CellVerdict, Style>> = {
  covered: 'green',
  violated: 'red',
  'not reached': 'yellow',
  skipped: 'dim',
};

const VERDICT_STYLES: Readonly<Record<Verdict, Style>> = {
  holds: 'green',
  broken: 'red',
  incomplete: 'yellow',
  'no verdict': 'yellow',
};

const SHOWN_NOTES = 8;

/** The report for people: a line for each cell, then each finding, then what else was seen. */
export function renderTerminal(report: Report, colour: boolean): string {
  const paint = (style: Style, text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  return [
    ...cellLines(report, paint),
    '',
    // Where the target could not be judged, what was seen of it says nothing.
    ...(report.verdict === 'no verdict' ? [] : seenLines(report, paint)),
    ...createdLines(report),
    coverageLine(report),
    ...verdictLines(report, paint),
  ].join('\n');
}

function seenLines(report: Report, paint: Paint): string[] {
  return [
    ...report.findings.flatMap((finding, index) => [...findingLines(finding, index, paint), '']),
    ...noteLines('Not specified by the document', report.notSpecified, paint),
    ...noteLines('Notices', report.notices, paint),
    ...opinionLines(report, (text) => paint('bold', text)),
  ];
}

type Paint = (style: Style, text: string) => string;

function cellLines({ cells }: Report, paint: Paint): string[] {
  const width = Math.max(0, ...cells.map(({ operationId }) => plain(operationId).length));
  return cells.map(({ operationId, status, verdict, gates, reason }) => {
    const note = verdict === 'not reached' || verdict === 'skipped' ? `  ${reason ?? ''}` : '';
    const tail = gates ? '' : '  (does not gate)';
    return `${plain(operationId).padEnd(width)}  ${status}  ${paint(CELL_STYLES[verdict], verdict)}${tail}${plain(note)}`;
  });
}

function findingLines(finding: ReportedFinding, index: number, paint: Paint): string[] {
  const known = finding.knownUntil ? ` (known until ${finding.knownUntil})` : '';
  return [
    paint('bold', `${index + 1}. ${plain(finding.caseId)}: ${LAWS[finding.law]}${known}`),
    `   received    ${plain(finding.received)}`,
    `   documented  ${plain(finding.documented)}`,
    `   at          ${plain(finding.at)}`,
    `   again       ${plain(finding.curl)}`,
  ];
}

function noteLines(title: string, notes: Report['notices'], paint: Paint): string[] {
  if (notes.length === 0) return [];
  const shown = notes
    .slice(0, SHOWN_NOTES)
    .map(({ operationId, text }) => `   ${plain(operationId)}: ${plain(text)}`);
  const more = notes.length - shown.length;
  return [
    paint('bold', `${title}:`),
    ...shown,
    ...(more > 0 ? [`   and ${more} more, in the JSON report`] : []),
    '',
  ];
}

function createdLines({ created }: Report): string[] {
  if (created.length === 0) return [];
  const uncertain = created.filter(({ certain }) => !certain).length;
  const marks = created.map(({ mark }) => mark).filter((mark) => mark !== undefined);
  const shared = marks[0]?.replace(/-\d+$/, '');
  return [
    `${created.length - uncertain} records created${uncertain > 0 ? `, ${uncertain} possibly created` : ''}${shared ? `; all bear the mark ${plain(shared)}-N` : ''}`,
  ];
}

function coverageLine({ coverage }: Report): string {
  const { parameters, enumValues, responseProperties } = coverage;
  const parts = { parameters, 'enum values': enumValues, 'response properties': responseProperties };
  const told = Object.entries(parts).map(([name, { seen, total }]) => `${seen} of ${total} ${name}`);
  return `Seen: ${told.join(', ')}`;
}

function verdictLines({ verdict, reason, cells, totals, seed, exitCode }: Report, paint: Paint): string[] {
  const covered = cells.filter((cell) => cell.verdict === 'covered').length;
  const sentence = paint(VERDICT_STYLES[verdict], VERDICTS[verdict]);
  return [
    `${covered} of ${cells.length} cells covered; ${totals.cases} cases: ${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped, ${totals.notReached} not reached; ${totals.requests} requests in ${(totals.ms / 1000).toFixed(1)} s (seed ${seed})`,
    `${sentence + (reason ? ` ${plain(reason)}` : '')} (exit ${exitCode})`,
  ];
}
