import { styleText } from 'node:util';
import { type Contract, maskUrls } from '#spec';

/**
 * Foreign text, such as a document's, made safe for a terminal: control characters, and those that change the writing
 * direction, are escaped, and URLs lose their secrets. Line ends and tabs stay.
 */
export function printable(source: string): string {
  const text = maskUrls(source);
  // A fast path, as most texts are plain and a log has many.
  if (/^[\t\n\x20-\x7e]*$/.test(text)) return text;
  return text.replace(/(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/**
 * Whether a stream gets colours: a terminal does, unless NO_COLOR and FORCE_COLOR decide otherwise, as everywhere in Node.
 */
export function hasColours(stream: NodeJS.WritableStream): boolean {
  return styleText('red', 'x', { stream }) !== 'x';
}

/** The columns of a terminal that does not state them. */
const USUAL_COLUMNS = 80;

/**
 * The columns at which lines for a stream wrap: COLUMNS if it is set, else the terminal's. Undefined: lines do not wrap,
 * since readers of a pipe, a file or a CI log do that themselves.
 */
export function columnsOf(stream: NodeJS.WriteStream): number | undefined {
  const set = Number(process.env.COLUMNS);
  if (Number.isInteger(set) && set > 0) return set;
  return stream.isTTY ? stream.columns || USUAL_COLUMNS : undefined;
}

/**
 * The length of the longest text, 0 for none. Without spread, as a document may have more operations than a call can have
 * arguments.
 */
export function widest(texts: readonly string[]): number {
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}

/** The first warnings show what kind of document it is. */
const MOST_WARNINGS = 20;

/** Prints the warnings on a document to standard error, always those about left-out operations; each once. */
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
