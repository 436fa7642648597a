import { plainName, type Shape } from '#spec';
import { initialRole } from '../standing.ts';
import type { ActionContext } from './action.ts';
import type { Members } from './writable-members.ts';

const COUNTERS = /(?:count|total|views|likes|votes|downloads|retries|attempts)$/;
const STATES = /^(?:status|state|stage|phase)$/;
/** What has happened to a record, or what somebody has done with it. */
const HAPPENED = /(?:ed|ing)$/;
const FROM_THE_START = /(?:enabled|activated|allowed|permitted|required|needed|included)$/;

/**
 * Compiles what a new record has to have, and no client has said: it counts nothing yet, nothing has happened to it, and it
 * is in the first of its states, and somebody new has the least of the roles. A default of the document comes before that.
 */
export function compileInitial({ collection: { resource } }: ActionContext): Members {
  const { shape, id } = resource;
  const initial = [...shape.properties].flatMap(([name, member]) => {
    if (!shape.required.has(name) || name === id?.property || member.find('default')) return [];
    const value = initialOf(plainName(name), member) ?? initialRole(member, [], name);
    return value !== undefined && member.allows(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(initial);
}

function initialOf(name: string, { mainType, values }: Shape): unknown {
  if (mainType === 'integer' && !values) return COUNTERS.test(name) ? 0 : undefined;
  if (mainType === 'boolean') return HAPPENED.test(name) && !FROM_THE_START.test(name) ? false : undefined;
  return values && STATES.test(name) ? values.find((value) => value !== null) : undefined;
}
