import { readJsonFile } from './json-file.ts';
import type { SyntaxProblem } from './parsed-text.ts';
import { readYamlFile } from './yaml-file.ts';

/** One YAML or JSON file of a document. */
export interface SourceFile {
  /** Path relative to the working directory, or URL. */
  readonly uri: string;
  readonly text: string;
  /** Plain frozen data; integers exact as in `parseJson`. */
  readonly value: unknown;
  /** Syntax errors that do not prevent reading the file. */
  readonly warnings: readonly Problem[];
  /** The file that this one was converted from: paths refer to its text. */
  readonly written?: SourceFile;
  /** The overlays applied to the value; the text does not contain them. */
  readonly overlays?: readonly SourceFile[];
  /**
   * The position of the item or the member's key at this path, line and column from 1; in the overlay's file if an
   * overlay has added it. Without overlays the position of the value is available too. Default: the key.
   */
  positionOf(path: readonly string[], part?: 'key' | 'value'): { uri: string; line: number; column: number };
  /** A problem at that position. */
  problemAt(path: readonly string[], message: string): Problem;
}

/**
 * Parses the text of a YAML or JSON file.
 * @param uri for messages; if it ends in `.json`, the messages are those of a JSON parser
 * @param isStrict whether warnings are errors
 * @throws DocumentError with every syntax error
 */
export function readSourceFile(uri: string, text: string, isStrict = false): SourceFile {
  const locate = compileLocator(text);
  const problemIn = (offset: number, message: string): Problem => {
    const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
    const source = text.slice(start).split(/\r?\n/, 1)[0] ?? '';
    return { uri, ...locate(offset), message, source };
  };
  const parsed = readJsonFile(text) ?? readYamlFile(uri, text);
  const located = (all: readonly SyntaxProblem[]) =>
    all.map(({ offset, message }) => problemIn(offset, message));
  if ('problems' in parsed) throw new DocumentError(located(parsed.problems));
  const { value, offsetOf } = parsed;
  const warnings = located(parsed.warnings ?? []);
  if (isStrict && warnings.length > 0) throw new DocumentError(warnings);
  return {
    uri,
    text,
    value,
    warnings,
    positionOf: (path, part) => ({ uri, ...locate(offsetOf(path, part)) }),
    problemAt: (path, message) => problemIn(offsetOf(path), message),
  };
}

/** Converts an offset to line and column. The line starts are computed on first use. */
function compileLocator(text: string): (offset: number) => { line: number; column: number } {
  let starts: number[] | undefined;

  return (offset) => {
    starts ??= lineStarts(text);
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}

/** A problem with a document, and its position. */
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
  /** The problem makes the contract omit operations, which the message names. */
  readonly leavesOut?: true;
}

/**
 * A document that cannot be used: unreadable, not YAML or JSON, or not OpenAPI 3.0 or 3.1. The message lists every
 * problem as `file:line:column: message`, with the source line and a caret if available.
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

/** Columns shown on both sides of the caret, since a minified document has a single line. */
const CONTEXT = 80;

function display({ uri, line, column, message, source }: Problem): string {
  const head = `${uri}:${line}:${column}: ${message}`;
  if (source === undefined) return head;
  const gutter = `  ${line} | `;
  const at = column - 1;
  const from = Math.max(0, at - CONTEXT);
  const before = (from > 0 ? '…' : '') + source.slice(from, at);
  const after = source.slice(at, at + CONTEXT) + (source.length > at + CONTEXT ? '…' : '');
  // Tabs are kept in front of the caret, so that it stays under its column.
  const indent = before.replace(/[^\t]/g, ' ');
  return `${head}\n${gutter}${printable(before + after)}\n${' '.repeat(gutter.length)}${indent}^`;
}

/** Control characters must not reach a terminal, which may execute them as commands. */
function printable(text: string): string {
  return text.replace(/(?!\t)\p{Cc}/gu, '\ufffd');
}

/** Whether a location is an http(s) URL, rather than a path. */
export function isHttp(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
