import { parseJson, stringifyJson } from '../shell/exact-json.ts';

/** What is wrong with a file, and in which of its lines. */
export interface ImportProblem {
  readonly line: number;
  readonly message: string;
}

export interface Item {
  readonly line: number;
  readonly value: unknown;
}

/** The records of a text, with the lines on which they begin. */
export function readItems(
  text: string,
): { readonly items: readonly Item[] } | { readonly problems: readonly ImportProblem[] } {
  if (/^\s*\[/.test(text)) return readArray(text);
  const items: Item[] = [];
  const problems: ImportProblem[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      items.push({ line: index + 1, value: parseJson(line) });
    } catch (error) {
      problems.push({ line: index + 1, message: `is not JSON: ${(error as Error).message}` });
    }
  }
  if (problems.length > 0) return { problems };
  return items.length === 0 ? { problems: [{ line: 1, message: 'has no record' }] } : { items };
}

function readArray(text: string): ReturnType<typeof readItems> {
  try {
    const values = parseJson(text) as readonly unknown[];
    const lines = linesOfItems(text);
    return { items: values.map((value, index) => ({ line: lines[index] ?? 1, value })) };
  } catch (error) {
    return { problems: [{ line: lineOfError(text), message: `is not JSON: ${(error as Error).message}` }] };
  }
}

/** The first line with which a text cannot become JSON any more, whatever follows. */
function lineOfError(text: string): number {
  const lines = text.split('\n');
  let [good, bad] = [0, lines.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBroken(lines.slice(0, middle).join('\n'))) bad = middle;
    else good = middle;
  }
  return bad;
}

/** Not merely incomplete. */
function isBroken(start: string): boolean {
  try {
    parseJson(start);
    return false;
  } catch (error) {
    const { message } = error as Error;
    if (/end of JSON input|Unterminated string/.test(message)) return false;
    const [, position] = /position (\d+)/.exec(message) ?? [];
    return position === undefined || Number(position) < start.trimEnd().length;
  }
}

/** On which lines the items of a JSON array begin. */
function linesOfItems(text: string): readonly number[] {
  const lines: number[] = [];
  let depth = 0;
  let line = 1;
  let isAwaited = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|\n|[[\]{},]|[^\s[\]{},"]+/g)) {
    if (token === '\n') {
      line++;
      continue;
    }
    if (isAwaited && token !== ']') {
      lines.push(line);
      isAwaited = false;
    }
    if (token === '[' || token === '{') depth++;
    if (token === ']' || token === '}') depth--;
    if (depth === 1 && (token === ',' || (token === '[' && lines.length === 0))) isAwaited = true;
  }
  return lines;
}

/** A file that {@link readItems} reads. */
export function exportText(records: readonly unknown[], form: 'json' | 'jsonl'): string {
  if (form === 'jsonl') return records.map((record) => `${stringifyJson(record)}\n`).join('');
  return `${stringifyJson(records, 2)}\n`;
}
