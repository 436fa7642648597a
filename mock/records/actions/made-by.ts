import { bodyPath, bodyShape, memberShape, type Shape, shapeAt } from '#spec';
import type { Account } from '../accounts.ts';
import type { ActionContext, Task } from './action.ts';
import { initialOf } from './initial.ts';
import type { Members } from './writable-members.ts';

const MAKERS = /^(?:(?:author|user|owner|creator|created_?by|sender|publisher|poster|reporter)(?:_?id)?)$/i;
const NAMES = /^(?:user_?name|name|login|handle|nick_?name)$/i;
const IDENTITIES = /^(?:user_?name|login|handle|nick_?name|e-?mail)$/i;

/**
 * Compiles what a new record says of who has made it, where only the service says that: an `author` with the members of the
 * account whose token the request has, or its name. Undefined: the record says nothing of the kind.
 */
export function compileMadeBy({
  operation,
  collection: { resource },
  accountOf,
}: ActionContext): ((task: Task) => Members) | undefined {
  const body = shapeAt(bodyShape(operation), bodyPath(resource, operation));
  const { properties, required } = resource.shape;
  const unsaid = [...properties].filter(
    ([name, { writeOnly }]) => !writeOnly && !(body && memberShape(body, name)),
  );
  const called = unsaid.filter(([name]) => MAKERS.test(name));
  // Whatever the service calls them: the only one of its users in the record.
  const users = unsaid.filter(([name, member]) => required.has(name) && isUser(member));
  const makers = called.length > 0 || users.length > 1 ? called : users;
  if (makers.length === 0 || !accountOf) return undefined;
  return (task) => {
    const account = accountOf(task);
    if (!account) return {};
    const said = makers.flatMap(([name, member]) => {
      const value = /id$/i.test(name) ? account.members.id : valueFor(member, account);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(said);
  };
}

const isUser = ({ mainType, properties }: Shape) =>
  mainType === 'object' && [...properties.keys()].some((name) => IDENTITIES.test(name));

function valueFor({ mainType, properties, required, values }: Shape, { subject, members }: Account): unknown {
  if (mainType === 'object') {
    const shown = Object.entries(members).filter(([name]) => properties.has(name));
    const initial = [...properties].flatMap(([name, member]) => {
      const value = required.has(name) ? initialOf(name, member, true) : undefined;
      return value === undefined || !member.allows(value) ? [] : [[name, value] as const];
    });
    return shown.length > 0 ? Object.fromEntries([...initial, ...shown]) : undefined;
  }
  if (mainType === 'string' && !values)
    return Object.entries(members).find(([name]) => NAMES.test(name))?.[1] ?? subject;
  return mainType === 'integer' ? members.id : undefined;
}
