import { type Operation, rawChild } from '#spec';
import { placeAt } from '../break.ts';
import type { Note } from './note.ts';

const RANKS = ['draft', 'experimental', 'alpha', 'beta', 'stable'];

/** What NEW says of the future of an operation, and what it is called. */
export function lifecycle(old: Operation, next: Operation): Note[] {
  const notes: Note[] = [];
  const tell = (text: string, key: string) => void notes.push({ text, at: placeAt(next.spot, key) });
  if (next.deprecated && !old.deprecated) tell('is deprecated in NEW', 'deprecated');
  if (next.sunset !== old.sunset && next.sunset !== undefined)
    tell(`will be removed on ${next.sunset}${old.sunset ? `, not on ${old.sunset}` : ''}`, 'x-sunset');
  const hadOwnId = rawChild(old.spot, 'operationId') !== undefined;
  if (hadOwnId && old.id !== next.id)
    tell(`is called ${next.id} in NEW: generated clients name their methods after it`, 'operationId');
  const rank = ({ stability }: Operation) => RANKS.indexOf(stability ?? 'stable');
  if (rank(next) >= 0 && rank(next) < rank(old)) tell(`is ${next.stability} in NEW`, 'x-stability');
  return notes;
}

/** An operation that is gone, as OLD has announced. */
export function removedAsAnnounced({ sunset, spot }: Operation): Note {
  return { text: `is removed, as OLD announces for ${sunset}`, at: placeAt(spot, 'x-sunset') };
}
