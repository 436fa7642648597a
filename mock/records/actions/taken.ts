import type { Refusal } from '../../http/refusal.ts';
import type { Collection, Id } from '../../store/port.ts';

/** Why no record can be created. */
export function idTaken(collection: Collection, id: Id | undefined): Refusal {
  if (id === undefined) return hasUnique(collection) ? uniqueTaken(collection) : NO_ID_LEFT;
  const other = hasUnique(collection) ? `, or with the same ${namesOf(collection)}` : '';
  return { refuse: 'conflict', message: `There is already a record with the id ${id}${other}` };
}

const NO_ID_LEFT: Refusal = { refuse: 'conflict', message: 'The document allows no further id' };

/** Another record has the value of a unique member. */
export function uniqueTaken(collection: Collection): Refusal {
  return { refuse: 'conflict', message: `There is already a record with the same ${namesOf(collection)}` };
}

const hasUnique = ({ unique = [] }: Collection) => unique.length > 0;

const namesOf = ({ unique = [] }: Collection) => unique.join(' or ');
