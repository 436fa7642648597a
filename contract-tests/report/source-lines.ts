import { type Contract, inBrief, oncePer, type Place, stringifyJson } from '#spec';
import { partAt } from '../laws/finding.ts';

/** A line of the document, shortened if it is long. */
export interface SourceLine {
  readonly line: number;
  readonly text: string;
}

const LINES_AROUND = 3;
/** Of a longer line a part is shown: a minified document has a single line. */
const LONGEST_LINE = 200;

type SourceFile = NonNullable<ReturnType<Contract['document']['files']['get']>>;

/** Split once: a document may have megabytes, and a run hundreds of findings. */
const linesIn = oncePer(({ text }: SourceFile): readonly string[] => text.split(/\r?\n/));

function linesOf({ document }: Contract, uri: string): readonly string[] {
  const file = [...document.files.values()].find((sourceFile) => sourceFile.uri === uri);
  return file ? linesIn(file) : [];
}

export function sourceAround(contract: Contract, { uri, line, column }: Place): SourceLine[] {
  const first = Math.max(1, line - LINES_AROUND);
  return linesOf(contract, uri)
    .slice(first - 1, line + LINES_AROUND)
    .map((text, index) => ({
      line: first + index,
      text: cutLine(text, first + index === line ? column : 1),
    }));
}

/** The part of a long line around a column. */
function cutLine(text: string, column: number): string {
  if (text.length <= LONGEST_LINE) return text;
  const from = Math.max(0, Math.min(column - 1 - LONGEST_LINE / 4, text.length - LONGEST_LINE));
  const to = from + LONGEST_LINE;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

const MOST_LINES = 10;

/** The indented value at a place of the document; undefined: its line is short enough. */
export function excerptAt(contract: Contract, place: Place): readonly string[] | undefined {
  const line = linesOf(contract, place.uri)[place.line - 1];
  if (line === undefined || line.length <= LONGEST_LINE) return undefined;
  const { path, value, within } = partAt(contract, place);
  // A keyword needs its schema, and a name its list.
  const isPart = typeof value === 'object' && value !== null;
  const name = path.at(isPart ? -1 : -2);
  const json = stringifyJson(isPart ? value : within.at(-1), 2);
  const lines = (name === undefined ? json : `${JSON.stringify(name)}: ${json}`).split('\n');
  const cut = lines.map((text) => inBrief(text, 120));
  return cut.length <= MOST_LINES ? cut : [...cut.slice(0, MOST_LINES), '…'];
}
