import { isRecord, stringifyJson } from '#spec';

/** Texts in rows of the same length, the first of them the names of the columns. */
export type Table = readonly (readonly string[])[];

/** Of records, with a column for each member that one of them has. */
export function tableOf(records: readonly unknown[]): Table {
  const known = records.filter(isRecord);
  const columns = [...new Set(known.flatMap((record) => Object.keys(record)))];
  return [columns, ...known.map((record) => columns.map((name) => cellOf(record[name])))];
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** RFC 4180. */
export function csvOf(table: Table): string {
  return table.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
