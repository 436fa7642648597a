import { stripVTControlCharacters, styleText } from 'node:util';
import { isWorthALook } from './cause.ts';
import { plain } from './escape.ts';
import type { Report } from './report.ts';
import type { Section } from './sections.ts';
import type { Verdict } from './verdict.ts';
import { type CauseView, type Fact, viewOf } from './view.ts';
import { asSentence, cellWords, LOOKS } from './words.ts';

type Style = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<Verdict, Style>> = {
  holds: 'green',
  broken: 'red',
  incomplete: 'yellow',
  'no verdict': 'yellow',
  planned: 'dim',
};

/** A longer list is complete in the JSON report. */
const MOST_ITEMS = 8;
/** With more cells than this, which fill a screen, or with causes, cells are counted instead of listed. */
const MOST_CELLS = 24;
/** The maximum number of excerpt lines for a cause in a minified document. */
const MOST_LINES = 4;
/** The width of a label with its indent, in columns. */
const LABEL = 15;

export interface TerminalOptions {
  /** Whether to list every cell, every case of a cause, and all undefined behaviours. Default: false. */
  readonly verbose?: boolean | undefined;
  /** The columns of the terminal, at which lines wrap. Default: they do not. */
  readonly columns?: number | undefined;
}

/** The style of the report: what is listed, how texts are painted, and where lines wrap. */
interface Look {
  readonly verbose: boolean;
  readonly paint: (style: Style, text: string) => string;
  readonly wrap: (line: string, indent?: number) => string[];
}

/** The report for people: a headline, each cause, the cells, further sections, and the verdict. */
export function renderTerminal(
  report: Report,
  colour: boolean,
  { verbose = false, columns = Number.POSITIVE_INFINITY }: TerminalOptions = {},
): string {
  const paint = (style: Style, text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const look: Look = { verbose, paint, wrap: (line, indent) => wrap(line, columns, indent) };
  const view = viewOf(report);
  const reason = report.reason ? `. ${plain(asSentence(report.reason))}` : '';
  const broken = view.broken && `${paint('red', 'Broken:')} ${plain(view.broken)}${reason}`;
  const verdict = paint(STYLES[report.verdict], plain(view.verdict));
  return [
    ...look.wrap(broken ?? verdict),
    '',
    ...view.groups.flatMap(({ title, note, causes }) => [
      ...(note === '' || causes.length === 0 ? [] : look.wrap(paint('bold', `${title}: ${note}:`))),
      ...causes.flatMap((cause) => [...causeLines(cause, look), '']),
    ]),
    ...cellLines(report, look),
    ...sectionLines(view.sections, report, look),
    ...[view.provenance, view.totals].flatMap((line) => look.wrap(plain(line))),
    ...look.wrap(verdict),
  ].join('\n');
}

function causeLines({ number, cause, note, cases, facts }: CauseView, look: Look): string[] {
  const title = `${number}. ${plain(cause.title)}${note && ` (${note})`}`;
  const shownCase = look.verbose || cases === '' ? '' : ` (${plain(cases)})`;
  return [
    ...look.wrap(look.paint('bold', title) + shownCase, `${number}. `.length),
    ...facts.filter(({ isDetail }) => look.verbose || !isDetail).flatMap((fact) => factLines(fact, look)),
  ];
}

/** A label and its text, followed by lines to copy or read, which do not wrap. */
function factLines(
  { label, text, at, lines = [], language }: Fact,
  { verbose, paint, wrap }: Look,
): string[] {
  const place = at === undefined ? '' : `, at ${paint('cyan', plain(at))}`;
  const isCommand = language === 'sh';
  const most = verbose || isCommand ? lines.length : MOST_LINES;
  const rows = lines.slice(0, most).map((line, index) => {
    const step = isCommand && lines.length > 1 ? `${index + 1}.`.padEnd(4) : '';
    return step + (isCommand ? paint('magenta', plain(line)) : plain(line));
  });
  const all = [...(text === '' ? [] : [plain(text) + place]), ...rows, ...(lines.length > most ? ['…'] : [])];
  return all.flatMap((line, index) => {
    const labelled = (index === 0 ? `   ${label}` : '').padEnd(LABEL) + line;
    return text !== '' && index === 0 ? wrap(labelled, LABEL) : [labelled];
  });
}

/** Whether the table of the cells is short, and there is nothing else to show. */
function isShort({ causes, cells }: Report): boolean {
  return causes.every(isWorthALook) && cells.length <= MOST_CELLS;
}

function cellLines(report: Report, { verbose, paint, wrap }: Look): string[] {
  if (report.plan || !(verbose || isShort(report))) return [];
  const cells = report.cells.filter(({ verdict }) => verbose || verdict !== 'not reached');
  // A loop, as there may be more cells than a call accepts arguments.
  const width = cells.reduce((most, { operationId }) => Math.max(most, plain(operationId).length), 0);
  const lines = cells.flatMap((cell) => {
    const { operationId, status, verdict } = cell;
    const { cases, reason, note } = cellWords(cell);
    const columns = [plain(operationId).padEnd(width), status, paint(LOOKS[verdict].style, verdict) + cases];
    const words = [note && `(${note})`, plain(reason)].filter((one) => one !== '');
    return wrap([...columns, ...words].join('  '));
  });
  return lines.length > 0 ? [...lines, ''] : [];
}

/** The sections as lists, followed by those with a one-line summary, which `verbose` lists. */
function sectionLines(
  sections: readonly Section[],
  report: Report,
  { verbose, paint, wrap }: Look,
): string[] {
  const isTold = ({ isOfCells, isDetail, brief, id }: Section) =>
    isOfCells
      ? !verbose && (id === 'not reached' || !isShort(report))
      : verbose || !isDetail || brief !== undefined;
  const { brief = [], listed = [] } = Object.groupBy(sections.filter(isTold), ({ items, brief, isDetail }) =>
    brief === undefined || (verbose && !isDetail && items.length > 0) ? 'listed' : 'brief',
  );
  const lists = listed.flatMap(({ title, items, isWhole }) => {
    const most = verbose || isWhole ? items.length : MOST_ITEMS;
    const more = items.length - most;
    return [
      paint('bold', `${title}:`),
      ...items.slice(0, most).flatMap(({ name, text }) => {
        return wrap(`   ${name === '' ? '' : `${plain(name)}: `}${plain(text)}`, 6);
      }),
      ...(more > 0 ? [`   and ${more} more, in the JSON report`] : []),
      '',
    ];
  });
  const rows = brief.flatMap((section) =>
    wrap(`${paint('bold', `${section.title}:`)} ${plain(section.brief ?? '')}`),
  );
  const hint = verbose || report.changes ? [] : ['(--verbose lists all of this)'];
  return [...lists, ...(rows.length > 0 ? [...rows, ...hint, ''] : [])];
}

/** Narrower terminals get no wrapping: each word would have its own line. */
const NARROWEST = 40;

/**
 * Wraps a line at a number of columns. It breaks at spaces only, so that paths, URLs and values stay whole. Colours take
 * no columns.
 * @param indent of continuation lines, in columns
 */
export function wrap(line: string, columns: number, indent = 3): string[] {
  if (columns < NARROWEST) return [line];
  const wrapped: string[] = [];
  let current = '';
  // Spaces stay with the preceding word, so that columns and labels keep their gaps.
  for (const word of line.match(/^ *\S+ *|\S+ */g) ?? []) {
    const isFull = stripVTControlCharacters(current + word).trimEnd().length > columns;
    if (isFull && current.trim() !== '') {
      wrapped.push(current.trimEnd());
      current = ' '.repeat(indent);
    }
    current += word;
  }
  return [...wrapped, current.trimEnd()];
}
