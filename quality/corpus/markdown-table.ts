/** A table in Markdown. Texts of documents stand in it: none of them may become markup. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const plain = (cell: string) => cell.replace(/\s+/g, ' ').replace(/[|\\<>`[\]]/g, '\\$&');
  const line = (cells: readonly string[]) => `| ${cells.map(plain).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** Rounded down to a tenth: what is not reached is not shown. */
export const percent = (part: number, whole: number) =>
  whole === 0 ? '–' : `${Math.floor((1000 * part) / whole) / 10}%`;
