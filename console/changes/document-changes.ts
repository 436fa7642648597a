import { admin } from '../shell/admin.ts';
import { onEvent, onOpen } from '../shell/connection.ts';
import { notify } from '../shell/notice.ts';
import { createValue } from '../shell/value.ts';
import type { DocumentChange } from '../wire.ts';

/** What became of the watched document, the oldest first. */
export const documentChanges = createValue<readonly DocumentChange[]>([]);

onEvent('document', (data) => {
  const change = JSON.parse(data) as DocumentChange;
  documentChanges.set([...documentChanges.get().filter(({ number }) => number < change.number), change]);
  notify(summaryOf(change), change.kind === 'refused');
});

onOpen(async () => {
  try {
    documentChanges.set(await admin<readonly DocumentChange[]>('changes'));
  } catch {
    // The connection says what is wrong, and loads again.
  }
});

/** A change in one sentence. */
export function summaryOf({ kind, title, version, counts, problems }: DocumentChange): string {
  const [first] = problems;
  if (kind === 'refused' && first)
    return `The changed document is broken, and the old one goes on: ${first.uri}:${first.line}: ${first.message}`;
  if (kind === 'restored') return 'The document is again what is served.';
  const parts = [
    counted(counts.added, 'operation', 'added'),
    counted(counts.removed, 'operation', 'removed'),
    counted(counts.changed, 'operation', 'changed'),
    counted(counts.dropped, 'record', 'dropped'),
  ].filter((part) => part !== '');
  const what = parts.length > 0 ? parts.join(', ') : 'no operation changed';
  return `${`${title} ${version}`.trim()} is served from now on: ${what}.`;
}

function counted(count: number, noun: string, done: string): string {
  if (count === 0) return '';
  return `${count} ${noun}${count === 1 ? '' : 's'} ${done}`;
}
