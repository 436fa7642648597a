/** What is wrong with a document, and where. */
export interface Problem {
  /** Path relative to the working directory, or URL. */
  readonly uri: string;
  /** Counted from 1. */
  readonly line: number;
  /** In UTF-16 code units, counted from 1. */
  readonly column: number;
  readonly message: string;
  /** The text of the line, for the caret display. */
  readonly source?: string;
}

/** A problem of a file's text before it has values; the offset counts UTF-16 code units from 0. */
export interface SyntaxProblem {
  readonly offset: number;
  readonly message: string;
}

/**
 * A document that cannot be used: unreadable, no YAML or JSON, or not OpenAPI 3.0 or 3.1. The message lists every
 * problem as `file:line:column: message`, with the source line and a caret where there is one.
 */
export class DocumentError extends Error {
  /** All problems found, at least one. */
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(display).join('\n'));
    this.name = 'DocumentError';
    this.problems = problems;
  }
}

/** Columns shown on either side of the caret: a minified document has a single line. */
const CONTEXT = 80;

function display({ uri, line, column, message, source }: Problem): string {
  const head = `${uri}:${line}:${column}: ${message}`;
  if (source === undefined) return head;
  const gutter = `  ${line} | `;
  const at = column - 1;
  const from = Math.max(0, at - CONTEXT);
  const before = (from > 0 ? '…' : '') + source.slice(from, at);
  const after = source.slice(at, at + CONTEXT) + (source.length > at + CONTEXT ? '…' : '');
  // A tab keeps its width in front of the caret, so that the caret stands under its column.
  const indent = before.replace(/[^\t]/g, ' ');
  return `${head}\n${gutter}${printable(before + after)}\n${' '.repeat(gutter.length)}${indent}^`;
}

/** Control characters must not reach a terminal, where they may be commands. */
function printable(text: string): string {
  return text.replace(/(?!\t)\p{Cc}/gu, '\ufffd');
}
