import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A line of a state: a kind or path, then the value with sorted members. */
export function line(name: string, value: unknown): string {
  return `${name} ${JSON.stringify(sorted(value))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]));
}

/** One line for each file below a folder: name, size, hash and first bytes. */
export function fileLines(folder: string, isWanted: (path: string) => boolean = () => true): string[] {
  return globSync('**/*', { cwd: folder })
    .filter((path) => isWanted(path) && statSync(join(folder, path)).isFile())
    .map((path) => {
      const bytes = readFileSync(join(folder, path));
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
      return line(`file ${path} ${bytes.length} ${hash}`, bytes.subarray(0, 500).toString());
    });
}

type Row = Record<string, unknown>;

/** One line for each row of every table in an SQLite database. `plain` removes what changes by itself. */
export function rowLines(file: string, plain: (table: string, row: Row) => Row = (_, row) => row): string[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all() as { name: string }[];
    return tables.flatMap(({ name }) => {
      const statement = database.prepare(`SELECT * FROM "${name}"`);
      statement.setReadBigInts(true);
      return (statement.all() as Row[]).map((row) => line(name, plain(name, textual(row))));
    });
  } finally {
    database.close();
  }
}

const textual = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value === 'bigint') return [name, String(value)];
      return [name, value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value];
    }),
  );

/** The number of lines in `before` that are not in `after` (removed or changed ones), ignoring added lines. */
export function changedLines(before: readonly string[], after: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const one of after) left.set(one, (left.get(one) ?? 0) + 1);
  return before.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}
