/** What is wrong with a document, and where; lines and columns count from 1. */
export interface Problem {
  readonly uri: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The text of the line, for the caret display. */
  readonly source?: string;
}

/** A document that cannot be used. The message shows every problem with file, line, column and a caret. */
export class DocumentError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(display).join('\n'));
    this.name = 'DocumentError';
    this.problems = problems;
  }
}

/** Columns shown on either side of the place: a minified document has a single line. */
const REACH = 80;

function display({ uri, line, column, message, source }: Problem): string {
  const head = `${uri}:${line}:${column}: ${message}`;
  if (source === undefined) return head;
  const gutter = `  ${line} | `;
  const from = Math.max(0, column - 1 - REACH);
  const before = (from > 0 ? '…' : '') + source.slice(from, column - 1);
  const after =
    source.slice(column - 1, column - 1 + REACH) + (source.length > column - 1 + REACH ? '…' : '');
  // A tab keeps its width in front of the caret, so that the caret stands under the column that it means.
  const indent = before.replace(/[^\t]/g, ' ');
  return `${head}\n${gutter}${printable(before + after)}\n${' '.repeat(gutter.length)}${indent}^`;
}

/** What is no text must not reach a terminal, where it may be a command. */
function printable(text: string): string {
  return text.replace(/(?!\t)\p{Cc}/gu, '\ufffd');
}
