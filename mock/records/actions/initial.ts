import {
  type Data,
  firstState,
  idStem,
  isNullable,
  isStateName,
  type MemberMeaning,
  memberMeaning,
  memberMeanings,
  memberShape,
  type Shape,
  sentShape,
  withoutNull,
} from '#spec';
import { describedValues } from '../seed/dictionary/shown.ts';
import type { ActionContext, Task } from './action.ts';
import { isOwed, type Moment, momentsOf } from './moments.ts';

/**
 * Compiles what a new record has to have, and no client has said: it counts nothing yet, its lists are empty, nothing has
 * happened to it, it is made now, in the first of its states, and has the least of the roles. A default of the document comes
 * before that.
 */
export function compileInitial({
  collection: { resource },
  operation,
}: Pick<ActionContext, 'collection' | 'operation'>): (task: Pick<Task, 'time'>) => Data {
  const { shape, id } = resource;
  const body = sentShape(resource, operation);
  const owed = new Map(
    commonMembers(shape).filter(
      ([name, member]) =>
        name !== id?.property &&
        !member.writeOnly &&
        !member.find('default') &&
        isOwed(shape, [name, member], body),
    ),
  );

  const moments = momentsOf(resource).filter(({ name }) => owed.has(name));
  const meanings = memberMeanings(resource);
  const noted = new Set(moments.map(({ name }) => name));
  const fixed = Object.fromEntries([
    ...[...owed].flatMap(([name, member]) => {
      const value = noted.has(name)
        ? undefined
        : initialOf(name, member, shape.required.has(name), meanings.get(name));
      return value !== undefined && member.allows(value) ? [[name, value] as const] : [];
    }),
    ...moments.flatMap((moment) => notYet(moment, shape)),
  ]);
  const now = moments.filter(({ occasion }) => occasion !== 'moment');
  return ({ time }) => {
    const at = time();
    return { ...fixed, ...Object.fromEntries(now.map(({ name, write }) => [name, write(at)])) };
  };
}

/** Its own, and those that each of its forms has. */
function commonMembers(shape: Shape): [name: string, member: Shape][] {
  const [first, ...others] = shape.alternatives;
  const common = first ? commonMembers(first) : [];
  const inAll = common.filter(([name]) => others.every((one) => memberShape(one, name)));
  return [...new Map([...inAll, ...shape.properties])];
}

/** Of what has not happened there is no moment, as far as the document lets a record be without one. */
function notYet({ name, occasion, shape: member }: Moment, { required }: Shape) {
  return occasion === 'moment' && required.has(name) && isNullable(member) ? [[name, null] as const] : [];
}

/** What is true of a new record of a member; undefined: nothing in particular. */
export function initialOf(
  name: string,
  member: Shape,
  isRequired: boolean,
  meaning: MemberMeaning = memberMeaning(name, member, {}),
): unknown {
  const { first, holds } = meaning;
  if (first !== undefined && (holds !== 'role' || isRequired)) return first;
  const { mainType } = withoutNull(member);
  const states = isStateName(name) && mainType === 'string' ? describedValues(member) : [];
  if (states.length > 1) return firstState(states);
  const isUnsaid = !isRequired && meaning.set === 'service';
  if (mainType === 'array')
    return (isRequired || isUnsaid) && !(Number(member.highest('minItems')) > 0) ? [] : undefined;
  // What a record has to have, and may be null, is null until somebody says it.
  if (isRequired && isNullable(member) && holds === undefined) return null;
  // What no request says, and no record has to have, is nothing as yet.
  if (!isUnsaid || holds !== undefined || idStem(name) !== undefined) return undefined;
  if (mainType === 'integer' || mainType === 'number') return 0;
  return mainType === 'boolean' ? false : undefined;
}
