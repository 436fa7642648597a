import { readPlaces, slipText } from '../form/json-place.ts';
import { parseJson, stringifyJson } from '../shell/exact-json.ts';

/** A problem of a file, with its line. */
export interface ImportProblem {
  readonly line: number;
  readonly message: string;
}

export interface Item {
  readonly line: number;
  readonly value: unknown;
}

/** The records of a text, with their first lines. */
export function readItems(
  text: string,
): { readonly items: readonly Item[] } | { readonly problems: readonly ImportProblem[] } {
  if (/^\s*\[/.test(text)) return readArray(text);
  const items: Item[] = [];
  const problems: ImportProblem[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const slip = slipText(line);
    if (slip === undefined) items.push({ line: index + 1, value: parseJson(line) });
    else problems.push({ line: index + 1, message: slip });
  }
  if (problems.length > 0) return { problems };
  return items.length === 0 ? { problems: [{ line: 1, message: 'has no record' }] } : { items };
}

function readArray(text: string): ReturnType<typeof readItems> {
  const read = readPlaces(text);
  const slip = slipText(text);
  if ('error' in read) return { problems: [{ line: read.error.line, message: slip ?? '' }] };
  const values = parseJson(text) as readonly unknown[];
  return { items: values.map((value, index) => ({ line: read.placeOf(`/${index}`).line, value })) };
}

/** A file that {@link readItems} can read. */
export function exportText(records: readonly unknown[], form: 'json' | 'jsonl'): string {
  if (form === 'jsonl') return records.map((record) => `${stringifyJson(record)}\n`).join('');
  return `${stringifyJson(records, 2)}\n`;
}
