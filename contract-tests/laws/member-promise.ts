import { memberMeaning, memberMeanings, type Resource, type Shape } from '#spec';

/** What the service may do by itself with a member of a record: nothing is promised of it, whatever a client has sent. */

type Holder = Pick<Resource, 'actions'> & Partial<Pick<Resource, 'shape' | 'id'>>;

/** Of a record, else of an object in it. */
function meaningOf(name: string, member: Shape, { shape = member, actions, id }: Holder) {
  const own = shape.properties.get(name) === member && memberMeanings({ shape, actions, id }).get(name);
  return own || memberMeaning(name, member, { actions });
}

/** The service sets it itself: it may change with any request, and what a client sends for it is nothing to keep. */
export function isKeptByService(name: string, member: Shape, resource: Holder): boolean {
  return meaningOf(name, member, resource).set !== undefined;
}

/** A place among the other records, which moves when another record gets it. */
export function isPlace(name: string, member: Shape): boolean {
  const { holds } = memberMeaning(name, member, {});
  return holds === 'place' || holds === 'version';
}

/** A record need not show the value that was sent: a secret, or what the document says is changed or left out. */
export function mayBeShownOtherwise(name: string, member: Shape): boolean {
  const { hidden, adjusted, holds } = memberMeaning(name, member, {});
  return hidden === 'always' || adjusted === true || holds === 'secret';
}

/** A list need not show what a read shows. */
export function mayBeHiddenInLists(name: string, member: Shape): boolean {
  const { hidden, holds } = memberMeaning(name, member, {});
  return hidden === 'in lists' || holds === 'secret';
}
