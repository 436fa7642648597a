import { memberMeaning, memberMeanings, type Resource, type Shape } from '#spec';

/** What the service may do by itself with a member of a record: nothing is promised of it, whatever a client has sent. */

/** The record with the member, or in whose objects it is, and the operations on it. */
type Holder = Pick<Resource, 'shape'> & Partial<Pick<Resource, 'actions' | 'id'>>;

/** The service sets it itself: it may change with any request. */
export function isKeptByService(name: string, member: Shape, holder: Holder): boolean {
  return (memberMeanings(holder).get(name) ?? memberMeaning(name, member, holder)).set !== undefined;
}

/** Whatever a client sends for it is nothing to keep. */
export function isSetByService(name: string, member: Shape, holder: Holder): boolean {
  return memberMeaning(name, member, holder).set !== undefined;
}

/** A place among the other records, which moves when another record gets it. */
export function isPlace(name: string, member: Shape, shape: Shape): boolean {
  const { holds } = memberMeaning(name, member, { shape });
  return holds === 'place' || holds === 'version';
}

/** A record need not show the value that was sent: a secret, or what the document says is changed or left out. */
export function mayBeShownOtherwise(name: string, member: Shape, shape: Shape): boolean {
  const { hidden, adjusted, holds } = memberMeaning(name, member, { shape });
  return hidden === 'always' || adjusted === true || holds === 'secret';
}

/** A list need not show what a read shows. */
export function mayBeHiddenInLists(name: string, member: Shape, shape: Shape): boolean {
  const { hidden, holds } = memberMeaning(name, member, { shape });
  return hidden === 'in lists' || holds === 'secret';
}
