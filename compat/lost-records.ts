import { type Contract, placeOf } from '#spec';
import { sharedRecords } from './affected.ts';
import type { Warning } from './break.ts';
import type { Pair } from './pair.ts';
import type { Twins } from './twins.ts';

/** By the id of an operation of OLD, why it is one of those. */
export type LostRecords = ReadonlyMap<string, string>;

/**
 * Operations whose records the mock of OLD keeps and that of NEW does not, since nothing in NEW says any more which
 * collection one belongs to; with all that work on the same records. What a service stores, a document need not say: of
 * these only single responses are judged.
 */
export function lostRecords(
  { old, new: next }: Twins,
  contract: Contract,
  pairs: readonly Pair[],
): LostRecords {
  const [before, after] = [old, next].map(
    (mock) => new Map(mock.operations.map((operation) => [operation.id, operation])),
  );
  const lost = new Map<string, string>();
  for (const pair of pairs) {
    const now = pair.new && after?.get(pair.new.id);
    if (now?.action !== 'sample' || before?.get(pair.old.id)?.action === 'sample') continue;
    const related = sharedRecords(contract).filter((operations) => operations.includes(pair.old));
    for (const { id } of [pair.old, ...related.flat()])
      if (!lost.has(id)) lost.set(id, `${pair.old.method} ${pair.old.path}: ${now.reason}`);
  }
  return lost;
}

export function lostRecordWarnings(lost: LostRecords, pairs: readonly Pair[]): Warning[] {
  return pairs.flatMap(({ old, new: next }) => {
    const reason = lost.get(old.id);
    if (reason === undefined || !next) return [];
    const text = `what is stored is not compared, since NEW does not say it any more (${reason})`;
    return [{ operation: old, text, at: placeOf(next.spot) }];
  });
}
