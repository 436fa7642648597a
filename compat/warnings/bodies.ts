import { type MediaType, mediaTypeFor, type Operation, placeOf } from '#spec';
import { pairResponses } from '../response-pairs.ts';
import { lostMembers } from './lost-members.ts';
import type { Note } from './note.ts';

/** A request body, or members of it, that have no effect any more. */
export function lostRequestBody(old: Operation, next: Operation): Note[] {
  if (!old.body) return [];
  if (!next.body)
    return [{ text: 'the request body is gone, and has no effect', at: placeOf(old.body.spot) }];
  return membersLost(old.body.content, next.body.content, 'readOnly', 'the request');
}

/** Optional members of responses that NEW no longer has. A required one breaks a schema. */
export function lostResponseBodies(old: Operation, next: Operation): Note[] {
  return pairResponses(old, next).flatMap(({ key, old: before, new: after }) => [
    ...before.headers
      .filter(({ name, required }) => !required && !after.headers.some((one) => one.name === name))
      .map(({ name, spot }) => ({ text: `the header ${name} of a ${key} is gone`, at: placeOf(spot) })),
    ...membersLost(before.content, after.content, 'writeOnly', `a ${key}`),
  ]);
}

function membersLost(
  old: readonly MediaType[],
  next: readonly MediaType[],
  hidden: 'readOnly' | 'writeOnly',
  owner: string,
): Note[] {
  return old.flatMap(({ schema, type }) => {
    const twin = mediaTypeFor(next, type)?.schema;
    if (!schema || !twin) return [];
    return lostMembers([schema], [twin], hidden).map(({ path, what, at }) => ({
      text: `${path} of ${owner} ${what}`,
      at,
    }));
  });
}
