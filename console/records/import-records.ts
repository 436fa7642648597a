import { admin } from '../shell/admin.ts';
import type { RecordProblem } from '../wire.ts';
import { type ImportProblem, readItems } from './record-file.ts';

/** Adds the records of a file, all of them or none: a JSON array, or a record on each line. */
export async function importRecords(
  text: string,
  collection: string,
): Promise<{ readonly added: number } | { readonly problems: readonly ImportProblem[] }> {
  const read = readItems(text);
  if ('problems' in read) return read;
  const { items } = read;
  const body = items.map(({ value }) => value);
  const sent = { method: 'POST', query: { collection }, body } as const;
  const found = await admin<{ readonly problems: readonly RecordProblem[] }>('records/check', sent);
  const problems = found.problems.map(({ pointer, message }) => {
    const [, index = '', ...rest] = pointer.split('/');
    const line = items[Number(index)]?.line ?? 1;
    return { line, message: `${rest.join('.') || 'the record'} ${message}` };
  });
  if (problems.length > 0) return { problems };
  await admin('records', sent);
  return { added: items.length };
}
