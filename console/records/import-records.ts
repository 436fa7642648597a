import { admin } from '../shell/admin.ts';
import type { RecordProblem } from '../wire.ts';
import { type ImportProblem, type Item, readItems } from './record-file.ts';

/** How many records are sent at once: a body has its limit. */
const BATCH = 100;

/** Adds the records of a file, all of them or none: a JSON array, or a record on each line. */
export async function importRecords(
  text: string,
  collection: string,
): Promise<{ readonly added: number } | { readonly problems: readonly ImportProblem[] }> {
  const read = readItems(text);
  if ('problems' in read) return read;
  const { items } = read;
  const problems: ImportProblem[] = [];
  for (const batch of batches(items)) {
    const values = batch.map(({ value }) => value);
    const found = await admin<{ readonly problems: readonly RecordProblem[] }>('records/check', {
      method: 'POST',
      query: { collection },
      body: values,
    });
    for (const { pointer, message } of found.problems) {
      const [, index = '', ...rest] = pointer.split('/');
      problems.push({
        line: batch[Number(index)]?.line ?? 1,
        message: `${rest.join('.') || 'the record'} ${message}`,
      });
    }
  }
  if (problems.length > 0) return { problems };
  for (const batch of batches(items))
    await admin('records', { method: 'POST', query: { collection }, body: batch.map(({ value }) => value) });
  return { added: items.length };
}

function* batches(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
}
