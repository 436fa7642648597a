/** A table of Markdown. Columns of numbers alone are aligned to the right. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/[|\\]/g, '\\$&').replaceAll('\n', ' ')).join(' | ')} |`;
  const isNumeric = (index: number) => rows.every((row) => /^[\d.,]*$/.test(row[index] ?? ''));
  const alignment = head.map((_, index) => (index > 0 && isNumeric(index) ? '--:' : '---'));
  return [line(head), line(alignment), ...rows.map(line)].join('\n');
}
