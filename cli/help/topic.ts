import type { Command } from 'commander';

/** A page of `paddock help TOPIC`. */
export interface Topic {
  readonly name: string;
  /** One line, for the list of topics. */
  readonly summary: string;
  /**
   * Plain text of at most 60 lines of 100 characters.
   * @param program with all its verbs
   */
  page(program: Command): string;
}

/** Rows of two columns, indented. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = rows.reduce((most, [first]) => Math.max(most, first.length), 0);
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`.trimEnd()).join('\n');
}

/** Words in lines of at most 100 characters, indented. */
export function wrapped(words: readonly string[], indent: string): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && longer.length + indent.length <= 100) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => indent + line).join('\n');
}
