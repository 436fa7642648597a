import * as util from 'node:util';
import { stringifyJson } from '#spec';
import type { Plan } from '../cases/plan.ts';
import { shortenText } from '../laws/compare-records.ts';
import { LAWS } from '../laws/law.ts';
import { plain } from './escape.ts';
import type { Report } from './report.ts';
import type { Cause } from './reported-finding.ts';
import {
  caseCounts,
  casesByOutcome,
  casesOfCause,
  coveredCells,
  groupObservations,
  headline,
  type JudgeSection,
  judgeSections,
  provenance,
  seconds,
  sinceBaseline,
  trafficCounts,
} from './summary.ts';
import type { CellVerdict, Verdict } from './verdict.ts';

type Style = Parameters<typeof util.styleText>[0];

const CELL_STYLES: Readonly<Record<CellVerdict, Style>> = {
  covered: 'green',
  violated: 'red',
  'not reached': 'yellow',
  skipped: 'dim',
  withheld: 'dim',
  'partly covered': 'yellow',
  planned: 'dim',
};

const VERDICT_STYLES: Readonly<Record<Verdict, Style>> = {
  holds: 'green',
  broken: 'red',
  incomplete: 'yellow',
  'no verdict': 'yellow',
  planned: 'dim',
};

/** The rest of a longer list is in the JSON report. */
const SHOWN = 8;

/** The report for people: the verdict, a line for each cell, each cause, what else was seen, and the verdict again. */
export function renderTerminal(report: Report, colour: boolean): string {
  const paint = (style: Style, text: string) =>
    colour ? util.styleText(style, text, { validateStream: false }) : text;
  return [
    verdictLine(report, paint),
    '',
    ...(report.plan
      ? [...planLines(report.plan, paint), '']
      : [...cellLines(report, paint), '', ...uncalledLines(report, paint)]),
    // Without a verdict the observations mean nothing.
    ...(report.verdict === 'no verdict' ? [] : seenLines(report, paint)),
    ...createdLines(report),
    ...baselineLines(report),
    ...(report.plan
      ? [plain(provenance(report))]
      : [coverageLine(report), plain(provenance(report)), totalsLine(report)]),
    verdictLine(report, paint),
  ].join('\n');
}

function seenLines(report: Report, paint: Paint): string[] {
  const { causes, notSpecified, notices } = report;
  const notes = (observations: Report['notices']) =>
    shortened(
      groupObservations(observations).map(({ operationId, text }) => [
        `   ${plain(operationId)}: ${plain(text)}`,
      ]),
    );
  return [
    ...causes.flatMap((cause, index) => [...causeLines(report, cause, index, paint), '']),
    ...block(paint('bold', 'Not specified by the document:'), notes(notSpecified)),
    ...block(paint('bold', 'Notices:'), notes(notices)),
    ...block(
      paint('bold', 'Outside opinions, which decide nothing:'),
      judgeSections(report).flatMap(judgeLines),
    ),
  ];
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? [title, ...lines, ''] : [];
}

function shortened(entries: readonly (readonly string[])[]): string[] {
  const more = entries.length - SHOWN;
  const rest = more > 0 ? [`   and ${more} more, in the JSON report`] : [];
  return [...entries.slice(0, SHOWN).flat(), ...rest];
}

type Paint = (style: Style, text: string) => string;

function cellLines({ cells }: Report, paint: Paint): string[] {
  // One by one: there may be more than a call takes arguments.
  const width = cells.reduce((most, { operationId }) => Math.max(most, plain(operationId).length), 0);
  return cells.map((cell) => {
    const { operationId, status, verdict, gates, reason } = cell;
    const note = verdict !== 'covered' && verdict !== 'violated' ? `  ${reason ?? ''}` : '';
    const tail = gates || verdict === 'withheld' ? '' : '  (does not gate)';
    return `${plain(operationId).padEnd(width)}  ${status}  ${paint(CELL_STYLES[verdict], verdict)}${caseCounts(cell)}${tail}${plain(note)}`;
  });
}

/** What was not called at all, whether or not it has a cell. */
function uncalledLines({ withheld }: Report, paint: Paint): string[] {
  const rows = withheld.map(({ method, path, reason }) => [`   ${plain(`${method} ${path}: ${reason}`)}`]);
  return block(paint('bold', 'Withheld, since they may change what the run has not made:'), shortened(rows));
}

/** Each operation with what would be sent to it. */
function planLines({ operations, requests, records }: Plan, paint: Paint): string[] {
  const lines = operations.flatMap(({ method, path, call, reason, cases, body, ...one }) => {
    const counts = call === 'called' ? `${cases} cases, at most ${one.requests} requests` : (reason ?? '');
    const style = call === 'called' ? 'green' : call === 'withheld' ? 'yellow' : 'dim';
    return [
      `${paint(style, call.padEnd(9))}${plain(`${method} ${path}`)}  ${plain(counts)}`,
      ...(body === undefined ? [] : [`         body ${plain(shortenText(stringifyJson(body)))}`]),
    ];
  });
  return [...lines, '', `At most ${requests} requests, retries apart; at most ${records} records are left.`];
}

/** A cause in full, by the case with the shortest reproduction. */
function causeLines({ findings }: Report, cause: Cause, index: number, paint: Paint): string[] {
  const { law, at, knownUntil, finding, received, documented } = cause;
  const known = knownUntil ? ` (known until ${knownUntil})` : '';
  const { caseId = '', times = 1 } = findings[finding] ?? {};
  const cases = casesOfCause(cause);
  return [
    paint('bold', `${index + 1}. ${plain(caseId)}: ${LAWS[law]}${known}`),
    `   received    ${plain(received)}`,
    `   documented  ${plain(documented)}`,
    `   at          ${plain(at)}`,
    ...reproduceLines(cause),
    ...(cases ? [`   cases       ${plain(cases)}`] : []),
    ...(times > 1 ? [`   seen        ${times} times`] : []),
  ];
}

function reproduceLines({ curl, steps = [] }: Cause): string[] {
  if (steps.length === 0) return [`   reproduce   ${plain(curl)}`];
  const numbered = steps.map((step, index) => `${`${index + 1}.`.padEnd(4)}${plain(step)}`);
  return numbered.map((line, index) => `   ${index === 0 ? 'reproduce' : '         '}   ${line}`);
}

/** What an outside judge says, beside what the suite says. */
function judgeLines({ judge, sentence, notes, rows }: JudgeSection): string[] {
  const head = ['', 'suite', judge as string];
  const cells = rows.map((row) => [plain(row.cases), plain(row.suite), row.opinion]);
  const widths = head.map((name, column) =>
    Math.max(name.length, ...cells.slice(0, SHOWN).map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `   ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  const entries = rows.map(({ text }, index) => [
    line(cells[index] ?? []),
    ...(text === '' ? [] : [`      ${plain(text)}`]),
  ]);
  return [
    ` ${plain(sentence)}`,
    ...notes.map((note) => `   ${plain(note)}`),
    ...(rows.length > 0 ? [line(head), ...shortened(entries)] : []),
  ];
}

function createdLines({ created }: Report): string[] {
  if (created.length === 0) return [];
  const uncertain = created.filter(({ certain }) => !certain).length;
  const marks = created.map(({ mark }) => mark).filter((mark) => mark !== undefined);
  const shared = marks[0]?.replace(/-[^-]*$/, '');
  const certain = created.length - uncertain;
  return [
    `${certain} ${certain === 1 ? 'record' : 'records'} created${uncertain > 0 ? `, ${uncertain} possibly created` : ''}${shared ? `; all bear the mark ${plain(shared)}-N` : ''}`,
  ];
}

function coverageLine({ coverage }: Report): string {
  const { parameters, enumValues, responseProperties } = coverage;
  const parts = { parameters, 'enum values': enumValues, 'response properties': responseProperties };
  const told = Object.entries(parts).map(([name, { seen, total }]) => `${seen} of ${total} ${name}`);
  return `Seen: ${told.join(', ')}`;
}

/** What is fixed has no other place here. */
function baselineLines(report: Report): string[] {
  const told = sinceBaseline(report);
  if (!report.baseline || told === undefined) return [];
  const name = ({ caseId, law }: { caseId: string; law: string }) => `${plain(caseId)} (${plain(law)})`;
  return [
    plain(told),
    ...shortened(report.baseline.new.map((one) => [`   new    ${name(one)}`])),
    ...shortened(report.baseline.fixed.map((one) => [`   fixed  ${name(one)}`])),
  ];
}

function totalsLine(report: Report): string {
  const { totals, seed } = report;
  const traffic = trafficCounts(report);
  if (traffic !== undefined) return `${coveredCells(report)}; ${traffic}`;
  return `${coveredCells(report)}; ${totals.cases} cases: ${casesByOutcome(report)}; ${totals.requests} requests in ${seconds(report)} (seed ${seed})`;
}

function verdictLine(report: Report, paint: Paint): string {
  const { verdict, exitCode } = report;
  const [sentence, reason] = [headline(report), report.reason];
  return `${paint(VERDICT_STYLES[verdict], sentence)}${reason ? ` ${plain(reason)}` : ''} (exit ${exitCode})`;
}
