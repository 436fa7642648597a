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

function display({ uri, line, column, message, source }: Problem): string {
  const head = `${uri}:${line}:${column}: ${message}`;
  if (source === undefined) return head;
  const gutter = `  ${line} | `;
  // A tab keeps its width in front of the caret, so that the caret stands under the column that it means.
  const indent = source.slice(0, column - 1).replace(/[^\t]/g, ' ');
  return `${head}\n${gutter}${source}\n${' '.repeat(gutter.length)}${indent}^`;
}
