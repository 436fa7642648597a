/** A Markdown table with columns padded for reading in a terminal. Columns that contain only numbers are right-aligned. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) =>
    head.map((_, column) => (row[column] ?? '').replace(/\s+/g, ' ').replace(/[|\\]/g, '\\$&')),
  );
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const isNumeric = head.map(
    (_, column) => column > 0 && rows.length > 0 && rows.every((row) => /^[\d.,]*$/.test(row[column] ?? '')),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    isNumeric[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  const [first = [], ...others] = cells;
  return [line(first), `| ${rule.join(' | ')} |`, ...others.map(line)].join('\n');
}

/** NaN without values; of an even number of values the upper one in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
