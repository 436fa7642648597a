import { styleText } from 'node:util';
import { type Contract, maskUrls } from '#spec';

/**
 * A text of the document, or of whoever else, on its way to a terminal: signs that a terminal obeys, or that turn the
 * direction of writing, are shown as what they are not, and URLs without their secrets. Line ends and tabs stay.
 */
export function printable(source: string): string {
  const text = maskUrls(source);
  // Most texts are plain, and a log has many.
  if (/^[\t\n\x20-\x7e]*$/.test(text)) return text;
  return text.replace(/(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/** Whether a stream gets colours: a terminal does, NO_COLOR and FORCE_COLOR decide otherwise, as everywhere in Node. */
export function hasColours(stream: NodeJS.WritableStream): boolean {
  return styleText('red', 'x', { stream }) !== 'x';
}

/** Columns of a terminal that does not say how many it has. */
const USUAL_COLUMNS = 80;

/**
 * The columns at which lines for a stream wrap: COLUMNS where it is set, else those of the terminal. Undefined: they do not
 * wrap, since what reads a pipe, a file or the log of a CI service does so by itself.
 */
export function columnsOf(stream: NodeJS.WriteStream): number | undefined {
  const set = Number(process.env.COLUMNS);
  if (Number.isInteger(set) && set > 0) return set;
  return stream.isTTY ? stream.columns || USUAL_COLUMNS : undefined;
}

/** The length of the longest text, 0 of none. A document may have more operations than a call takes arguments. */
export function widest(texts: readonly string[]): number {
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}

/** The first warnings say what kind of document it is. */
const MOST_WARNINGS = 20;

/** Prints the warnings on a document to standard error, each of those by which an operation is left out; each once. */
export function warnOf({ warnings }: Pick<Contract, 'warnings'>, say = console.error): void {
  const texts = new Set(
    warnings.map(({ uri, line, column, message }) =>
      printable(`warning: ${uri}:${line}:${column}: ${message}`),
    ),
  );
  const limit = Math.max(MOST_WARNINGS, warnings.filter(({ leavesOut }) => leavesOut).length);
  for (const text of [...texts].slice(0, limit)) say(text);
  const others = texts.size - limit;
  if (others > 0) say(`warning: ${others} more warnings about the document; --strict-document shows all`);
}
