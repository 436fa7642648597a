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
 * Compiles the members that a new record must have and no client has sent: counts of 0, empty lists, no past events, the
 * current time as its creation, its first state and the lowest role. Defaults of the document take precedence.
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

/** The members of a schema, and those that all its forms share. */
function commonMembers(shape: Shape): [name: string, member: Shape][] {
  const [first, ...others] = shape.alternatives;
  const common = first ? commonMembers(first) : [];
  const inAll = common.filter(([name]) => others.every((one) => memberShape(one, name)));
  return [...new Map([...inAll, ...shape.properties])];
}

/** The value of a moment that has not happened yet: none, as far as the schema allows it. */
function notYet({ name, occasion, shape: member }: Moment, { required }: Shape) {
  return occasion === 'moment' && required.has(name) && isNullable(member) ? [[name, null] as const] : [];
}

/** The initial value of a member. Undefined: it has no particular one. */
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
  // A required, nullable member is null until a request sets it.
  if (isRequired && isNullable(member) && holds === undefined) return null;
  // An optional member that no request can set is empty at first.
  if (!isUnsaid || holds !== undefined || idStem(name) !== undefined) return undefined;
  if (mainType === 'integer' || mainType === 'number') return 0;
  return mainType === 'boolean' ? false : undefined;
}
