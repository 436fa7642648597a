import { type Operation, placeOf, responseFor } from '#spec';
import type { Note } from './note.ts';

/** Statuses that are no longer documented, and new ones of success. */
export function changedStatuses(old: Operation, next: Operation): Note[] {
  const lost = old.responses.filter(({ key }) => key !== 'default' && !isDescribed(next, key));
  const added = next.responses.filter(({ key }) => /^[23]/.test(key) && !isDescribed(old, key));
  return [
    ...lost.map(({ key, spot }) => ({ text: `a ${key} is no longer documented`, at: placeOf(spot) })),
    ...added.map(({ key, spot }) => ({
      text: `may be answered ${key}, which OLD does not document`,
      at: placeOf(spot),
    })),
  ];
}

function isDescribed({ responses }: Operation, key: string): boolean {
  if (responses.some((one) => one.key === key)) return true;
  const described = responseFor(responses, Number(key));
  return described !== undefined && (described.key !== 'default' || Number(key) >= 400);
}
