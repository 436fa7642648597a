import * as util from 'node:util';
import { stringifyJson } from '#spec';
import type { Plan } from '../cases/plan.ts';
import { shortenText } from '../laws/compare-records.ts';
import { type Cause, isWorthALook } from './cause.ts';
import { plain } from './escape.ts';
import { brokenInWords } from './in-words.ts';
import type { Report } from './report.ts';
import { shownPlace } from './reported-finding.ts';
import {
  asSentence,
  caseCounts,
  casesByOutcome,
  casesOfCause,
  cellsOf,
  coveredCells,
  explainedBy,
  firstCaseOf,
  groupObservations,
  headline,
  isNotSeenAgain,
  isPlainlyConfirmed,
  leftOpen,
  missingOperations,
  operationsByStatus,
  provenance,
  reasonsOf,
  seconds,
  settledBy,
  trafficCounts,
  triedCounts,
  triedPhrase,
  WORTH_A_LOOK,
  withheldPaths,
} from './summary.ts';
import type { Cell, CellVerdict, Verdict } from './verdict.ts';
import { wrapLines } from './wrap-lines.ts';

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
/** More cells than a screen has room for are counted, and so are those beside causes. */
const MOST_CELLS = 24;
/** Of a minified document so many lines are shown of what a cause is about. */
const EXCERPT = 4;

export interface TerminalOptions {
  /** Every cell, every case of a cause, and everything that the document leaves open is listed. Default: false. */
  readonly verbose?: boolean | undefined;
  /** The columns of the terminal, at which lines wrap. Default: they do not. */
  readonly columns?: number | undefined;
}

/** The report for people: what is broken in words, each cause, the cells, what else was seen, and the verdict. */
export function renderTerminal(
  report: Report,
  colour: boolean,
  { verbose = false, columns }: TerminalOptions = {},
): string {
  const paint = (style: Style, text: string) =>
    colour ? util.styleText(style, text, { validateStream: false }) : text;
  const look = { paint, most: verbose ? Number.POSITIVE_INFINITY : SHOWN };
  const lines = [
    firstLine(report, paint),
    '',
    // Without a verdict the observations mean nothing.
    ...(report.verdict === 'no verdict' ? [] : allCauses(report, look)),
    ...(report.plan ? [...planLines(report.plan, paint), ''] : cellLines(report, look)),
    ...(report.verdict === 'no verdict' ? [] : seenLines(report, look)),
    ...(isVerbose(look) ? listedLines(report, look) : countedLines(report, look)),
    ...createdLines(report),
    ...(report.plan
      ? [plain(provenance(report))]
      : [...(verbose ? [coverageLine(report)] : []), plain(provenance(report)), totalsLine(report)]),
    verdictLine(report, paint),
  ];
  return (columns === undefined ? lines : wrapLines(lines, columns)).join('\n');
}

/** How texts are painted, and how many lines a list has. */
interface Look {
  readonly paint: Paint;
  readonly most: number;
}

const isVerbose = ({ most }: Look) => most === Number.POSITIVE_INFINITY;

const NOT_AGAIN = 'Seen once, and not again when it was tried; this does not gate:';
const PRESUMED = `${WORTH_A_LOOK}: presumed facts that the target does not keep; this does not gate without --strict presumed:`;

/** What is broken, and below it, each with a title, what does not gate for a reason of its own. */
function allCauses(report: Report, look: Look): string[] {
  const titleOf = (cause: Cause) =>
    isWorthALook(cause) ? PRESUMED : isNotSeenAgain(cause) ? NOT_AGAIN : undefined;
  return [undefined, NOT_AGAIN, PRESUMED].flatMap((title) => {
    const lines = report.causes.flatMap((cause, index) =>
      titleOf(cause) === title ? [...causeLines(report, cause, index, look), ''] : [],
    );
    return [...(title && lines.length > 0 ? [look.paint('bold', title)] : []), ...lines];
  });
}

function seenLines({ notices }: Report, look: Look): string[] {
  return block(look.paint('bold', 'Notices:'), shortened(observationLines(notices), look));
}

function observationLines(observations: Report['notices']): string[][] {
  return groupObservations(observations).map(({ operationId, text }) => [
    `   ${operationId === '' ? '' : `${plain(operationId)}: `}${plain(text)}`,
  ]);
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? [title, ...lines, ''] : [];
}

function shortened(entries: readonly (readonly string[])[], { most }: Look): string[] {
  const more = entries.length - most;
  const rest = more > 0 ? [`   and ${more} more, in the JSON report`] : [];
  return [...entries.slice(0, most).flat(), ...rest];
}

type Paint = (style: Style, text: string) => string;

/** The matrix of cells, where it is short and all that there is to show. */
function isShort({ cells, causes }: Report): boolean {
  return causes.every(isWorthALook) && cells.length <= MOST_CELLS;
}

function cellLines(report: Report, look: Look): string[] {
  if (isVerbose(look)) return matrix(report.cells, look);
  const reached = report.cells.filter(({ verdict }) => verdict !== 'not reached');
  return isShort(report) ? matrix(reached, look) : [];
}

/** What `--verbose` lists, in a line each. */
function countedLines(report: Report, { paint }: Look): string[] {
  const hasVerdict = report.verdict !== 'no verdict';
  const hasMatrix = isShort(report);
  const rows: [title: string, text: string | undefined][] = [
    ['Reproductions, each tried from nothing:', triedCounts(report)],
    ['Violated:', hasMatrix ? undefined : cellsOf(report, 'violated')],
    ['Partly covered:', hasMatrix ? undefined : cellsOf(report, 'partly covered')],
    ['Skipped:', hasMatrix ? undefined : reasonsOf(report, 'skipped')],
    ['Operations not reached:', hasVerdict ? missingOperations(report) : undefined],
    ['Not reached:', reasonsOf(report, 'not reached')],
    [WITHHELD, withheldPaths(report)],
    ['Not specified by the document:', hasVerdict ? leftOpen(report) : undefined],
  ];
  const lines = rows.flatMap(([title, text]) =>
    text === undefined ? [] : [`${paint('bold', title)} ${plain(text)}`],
  );
  return lines.length > 0 ? [...lines, '(--verbose lists all of this)', ''] : [];
}

function matrix(cells: readonly Cell[], { paint }: Look): string[] {
  // One by one: there may be more than a call takes arguments.
  const width = cells.reduce((most, { operationId }) => Math.max(most, plain(operationId).length), 0);
  const lines = cells.map((cell) => {
    const { operationId, status, verdict, gates, reason } = cell;
    const note = verdict !== 'covered' && verdict !== 'violated' ? `  ${reason ?? ''}` : '';
    const tail = gates || verdict === 'withheld' ? '' : '  (does not gate)';
    return `${plain(operationId).padEnd(width)}  ${status}  ${paint(CELL_STYLES[verdict], verdict)}${caseCounts(cell)}${tail}${plain(note)}`;
  });
  return lines.length > 0 ? [...lines, ''] : [];
}

const WITHHELD = 'Withheld, since they may change what the run has not made:';

/** What was not called at all, whether or not it has a cell, and what the document leaves open. */
function listedLines(report: Report, { paint }: Look): string[] {
  const { withheld, notSpecified, verdict } = report;
  const uncalled = withheld.map(({ method, path, reason }) => `   ${plain(`${method} ${path}: ${reason}`)}`);
  const open = verdict === 'no verdict' ? [] : observationLines(notSpecified).flat();
  const missing = report.operations
    .filter((one) => one.verdict === 'not reached' && verdict !== 'no verdict')
    .map(({ operationId, reason }) => `   ${plain(`${operationId}: ${reason}`)}`);
  return [
    ...block(paint('bold', 'Operations not reached:'), missing),
    ...block(paint('bold', WITHHELD), uncalled),
    ...block(paint('bold', 'Not specified by the document:'), open),
  ];
}

/** Each operation with what would be sent to it. */
function planLines({ operations, requests, records, seconds: time }: Plan, paint: Paint): string[] {
  const lines = operations.flatMap(({ method, path, call, reason, cases, body, ...one }) => {
    const sent = call === 'called' ? [`${cases} cases, at most ${one.requests} requests`] : [];
    const counts = [...sent, ...(reason === undefined ? [] : [reason])].join('; ');
    const style = call === 'called' ? 'green' : call === 'withheld' ? 'yellow' : 'dim';
    return [
      `${paint(style, call.padEnd(9))}${plain(`${method} ${path}`)}  ${plain(counts)}`,
      ...(body === undefined ? [] : [`         body ${plain(shortenText(stringifyJson(body)))}`]),
    ];
  });
  return [
    ...lines,
    '',
    `At most ${requests} requests, retries apart; at most ${records} records are left that no operation removes.`,
    `About ${time} s, if each request takes 100 ms.`,
  ];
}

/** A cause by the finding that is easiest to reproduce, and the case that has made it. */
function causeLines({ findings }: Report, cause: Cause, index: number, look: Look): string[] {
  const { title, at, pointer, knownUntil, finding, received, documented, statuses } = cause;
  const isSaid = cause.gates || isWorthALook(cause);
  const shown = findings[finding];
  const note = knownUntil ? ` (known until ${knownUntil})` : isSaid ? '' : ' (does not gate)';
  const explained = isVerbose(look) ? explainedBy(cause) : undefined;
  const tried = isVerbose(look) || !isPlainlyConfirmed(cause) ? triedPhrase(cause) : undefined;
  const cases = isVerbose(look) ? '' : ` (${plain(firstCaseOf(cause))})`;
  const excerpt = shown?.excerpt ?? [];
  const place = shown?.excerpt ? `${shownPlace(shown)}  ${pointer}` : at;
  const lines = isVerbose(look) || excerpt.length <= EXCERPT ? excerpt : [...excerpt.slice(0, EXCERPT), '…'];
  return [
    `${look.paint('bold', `${index + 1}. ${plain(title)}${note}`)}${cases}`,
    `   received    ${plain(received)}`,
    `   documented  ${plain(documented)}${documented.includes(`${place})`) ? '' : `, at ${look.paint('cyan', plain(place))}`}`,
    ...lines.map((line) => `               ${plain(line)}`),
    ...settledBy(cause).map((line) => `   settled by  ${plain(line)}`),
    ...reproduceLines(cause, look),
    ...(tried ? [`   tried       ${plain(tried)}`] : []),
    ...operationsByStatus(statuses ?? []).map((line) => `   answered    ${plain(line)}`),
    ...(isVerbose(look)
      ? [`   ${cause.cases.length > 1 ? 'cases ' : 'case  '}      ${plain(casesOfCause(cause, look.most))}`]
      : []),
    ...(explained ? [`   explains    ${plain(explained)}`] : []),
    ...(shown?.times !== undefined && cause.count > 1 ? [`   seen        ${cause.count} times`] : []),
  ];
}

function reproduceLines({ curl, steps = [] }: Cause, { paint }: Look): string[] {
  const command = (text: string) => paint('magenta', plain(text));
  if (steps.length === 0) return [`   reproduce   ${command(curl)}`];
  const numbered = steps.map((step, index) => `${`${index + 1}.`.padEnd(4)}${command(step)}`);
  return numbered.map((line, index) => `   ${index === 0 ? 'reproduce' : '         '}   ${line}`);
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
  const counts = Object.entries(parts).map(([name, { seen, total }]) => `${seen} of ${total} ${name}`);
  return `Seen: ${counts.join(', ')}`;
}

function totalsLine(report: Report): string {
  const { totals, seed } = report;
  const traffic = trafficCounts(report);
  if (traffic !== undefined) return `${coveredCells(report)}; ${traffic}`;
  return `${coveredCells(report)}; ${totals.cases} cases: ${casesByOutcome(report)}; ${totals.requests} requests in ${seconds(report)} (seed ${seed})`;
}

/** What is broken in words; else the verdict. */
function firstLine(report: Report, paint: Paint): string {
  const words = report.verdict === 'broken' ? brokenInWords(report) : undefined;
  if (words === undefined) return verdictLine(report, paint);
  return `${paint(VERDICT_STYLES.broken, 'Broken:')} ${plain(words)}${report.reason ? `. ${plain(asSentence(report.reason))}` : ''}`;
}

function verdictLine(report: Report, paint: Paint): string {
  const { verdict, exitCode, reason } = report;
  return `${paint(VERDICT_STYLES[verdict], headline(report))}${reason ? ` ${plain(asSentence(reason))}` : ''} (exit ${exitCode})`;
}
