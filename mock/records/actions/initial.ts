import { bodyPath, bodyShape, isNullable, plainName, type Shape, shapeAt } from '#spec';
import { initialRole } from '../standing.ts';
import type { ActionContext, Task } from './action.ts';
import { isOwed, type Moment, momentsOf, withoutNull } from './moments.ts';
import type { Members } from './writable-members.ts';

const COUNTERS =
  /(?:count|total|views|likes|votes|downloads|retries|attempts|followers|shares|replies)$|^(?:num|numberof)[a-z]/;
const STATES = /(?:status|state|stage|phase)$/;
/** What has happened to a record, or what somebody has done with it. */
const HAPPENED = /(?:ed|ing)$/;
const FROM_THE_START = /(?:enabled|activated|allowed|permitted|required|needed|included)$/;
/** States that things begin in, wherever an enumeration has them. */
const BEGINNINGS =
  /^(?:draft(?:ed)?|open(?:ed)?|pending|new|created|todo|backlog|queued|planned|received|submitted|requested|placed|notstarted|waiting|available|unread|unpaid)$/;

/**
 * Compiles what a new record has to have, and no client has said: it counts nothing yet, its lists are empty, nothing has
 * happened to it, it is made now, in the first of its states, and has the least of the roles. A default of the document comes
 * before that. Undefined: it has to have nothing.
 */
export function compileInitial({
  collection: { resource },
  operation,
  contract,
}: Pick<ActionContext, 'collection' | 'operation' | 'contract'>):
  | ((task: Pick<Task, 'time'>) => Members)
  | undefined {
  const { shape, id } = resource;
  const body = shapeAt(bodyShape(operation), bodyPath(resource, operation));
  const owed = new Map(
    [...shape.properties].filter(
      ([name, member]) =>
        name !== id?.property &&
        !member.writeOnly &&
        !member.find('default') &&
        isOwed(shape, [name, member], body),
    ),
  );

  const moments = momentsOf(resource, contract.validators).filter(({ name }) => owed.has(name));
  const noted = new Set(moments.map(({ name }) => name));
  const fixed = Object.fromEntries([
    ...[...owed].flatMap(([name, member]) => {
      const value = noted.has(name) ? undefined : initialOf(name, member, shape.required.has(name));
      return value !== undefined && member.allows(value) ? [[name, value] as const] : [];
    }),
    ...moments.flatMap((moment) => notYet(moment, shape)),
  ]);
  const now = moments.filter(({ occasion }) => occasion !== 'other');
  if (now.length === 0) return Object.keys(fixed).length === 0 ? undefined : () => fixed;
  return ({ time }) => {
    const at = time();
    return { ...fixed, ...Object.fromEntries(now.map(({ name, write }) => [name, write(at)])) };
  };
}

/** Of what has not happened there is no moment, as far as the document lets a record be without one. */
function notYet({ name, occasion, shape: member }: Moment, { required }: Shape) {
  return occasion === 'other' && required.has(name) && isNullable(member) ? [[name, null] as const] : [];
}

/** What is true of a new record of a member; undefined: nothing in particular. */
export function initialOf(given: string, member: Shape, isRequired: boolean): unknown {
  const { mainType, values } = withoutNull(member);
  const name = plainName(given);
  if (values && STATES.test(name)) return firstState(values);
  const role = isRequired ? initialRole(member, [], given) : undefined;
  if (role !== undefined) return role;
  if (mainType === 'integer' && !values) return COUNTERS.test(name) ? 0 : undefined;
  if (mainType === 'boolean') return HAPPENED.test(name) && !FROM_THE_START.test(name) ? false : undefined;
  return mainType === 'array' && isRequired && !(Number(member.highest('minItems')) > 0) ? [] : undefined;
}

/** The state that things begin in. */
export function firstState(values: readonly unknown[]): unknown {
  const states = values.filter((value) => value !== null);
  return states.find((value) => BEGINNINGS.test(plainName(String(value)))) ?? states[0];
}
