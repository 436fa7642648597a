/**
 * The name that was probably meant; undefined if none is close. Names that differ in notation only (`max-time`) are
 * close.
 */
export function nearest(text: string, names: Iterable<string>): string | undefined {
  const written = plain(text);
  let [closest, least] = [undefined as string | undefined, Math.max(1, Math.floor(written.length / 3)) + 1];
  for (const name of names) {
    const distance = edits(written, plain(name), least);
    if (distance < least) [closest, least] = [name, distance];
  }
  return closest;
}

/** A hint for an unknown name: the one that was probably meant, else all names. */
export function nameHint(text: string, names: readonly string[]): string {
  const meant = nearest(text, names);
  return meant === undefined ? `there are ${names.join(', ')}` : `did you mean ${meant}?`;
}

/** Longer names are not compared, since the time is the product of both lengths. */
const LONGEST = 64;

const plain = (text: string) =>
  text
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/^-+|[-_\s]/g, '');

/** The optimal string alignment distance (letters to insert, remove, replace or swap with the next one), at most `most`. */
function edits(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) >= most) return most;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
        swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return Math.min(most, at(a.length, b.length));
}
