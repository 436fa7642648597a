import { stripVTControlCharacters } from 'node:util';

/** What a line begins with that its continuation is indented by: a label and its gap, a number, or an indent. */
const LEAD = /^(?: {3}[a-z]+ {2,}|\d+\. | *)/;

/** A command, or lines of a document: to be copied as they are. */
const VERBATIM = /^ {3}(?:reproduce| {9}) {3}/;

/** Fewer columns than these wrap nothing: every word would have a line of its own. */
const NARROWEST = 40;

/**
 * Lines for a terminal of so many columns. Only spaces are broken at, so that a path, a URL or a value stays whole, and what is
 * to be copied is one line. Colours take no room.
 */
export function wrapLines(lines: readonly string[], columns: number): string[] {
  return columns < NARROWEST ? [...lines] : lines.flatMap((line) => wrapLine(line, columns));
}

function wrapLine(line: string, columns: number): string[] {
  const shown = stripVTControlCharacters(line);
  if (shown.length <= columns || VERBATIM.test(shown)) return [line];
  const lead = LEAD.exec(shown)?.[0] ?? '';
  const indent = ' '.repeat(lead.trim() === '' ? lead.length + 3 : lead.length);
  const wrapped: string[] = [];
  let current = '';
  let width = 0;
  // Spaces stay with the word before them, so that columns and labels keep their gaps.
  for (const word of line.match(/^ *\S+ *|\S+ */g) ?? []) {
    const length = stripVTControlCharacters(word).trimEnd().length;
    if (current !== '' && width + length > columns && width > indent.length) {
      wrapped.push(current.trimEnd());
      current = indent;
      width = indent.length;
    }
    current += word;
    width += stripVTControlCharacters(word).length;
  }
  return [...wrapped, current.trimEnd()];
}
