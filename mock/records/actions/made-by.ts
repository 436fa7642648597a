import { bodyPath, bodyShape, isRecord, memberShape, type Shape, shapeAt } from '#spec';
import type { Account } from '../accounts.ts';
import type { ActionContext, Task } from './action.ts';
import { initialOf } from './initial.ts';
import type { Members } from './writable-members.ts';

const MAKERS = /^(?:author|user|owner|creator|created_?by|sender|publisher|poster|reporter)$/i;
const MAKER_IDS = /^(?:author|user|owner|creator|created_?by|sender|poster|reporter)_?(?:uu)?id$/i;
const NAMES = /^(?:user_?name|name|login|handle|nick_?name)$/i;
const KEYS = /^(?:id|uuid|user_?name|e-?mail|login|handle)$/i;

/** The members of a record that say who has made it. */
export function makersIn({ properties }: Shape): string[] {
  return [...properties.keys()].filter((name) => MAKERS.test(name) || MAKER_IDS.test(name));
}

/** Whether a member names an account. Undefined: nothing tells. */
export function isMadeBy(
  name: string,
  value: unknown,
  { subject, identities, members }: Account,
): boolean | undefined {
  if (isRecord(value)) {
    const shared = Object.keys(value).filter((key) => KEYS.test(key) && members[key] !== undefined);
    return shared.length === 0
      ? undefined
      : shared.every((key) => String(value[key]) === String(members[key]));
  }
  if (value === undefined || value === null || value === '') return undefined;
  const said = String(value);
  const { id } = members;
  if (id !== undefined && (typeof value === 'number' || MAKER_IDS.test(name))) return said === String(id);
  if (typeof value === 'number' || MAKER_IDS.test(name)) return undefined;
  const names = Object.entries(members).filter(([key]) => NAMES.test(key) || KEYS.test(key));
  return [subject, ...identities, ...names.map(([, one]) => String(one))].includes(said);
}
const IDENTITIES = /^(?:user_?name|login|handle|nick_?name|e-?mail)$/i;

/**
 * Compiles what a new record says of who has made it, where only the service says that: an `author` with the members of the
 * account whose token the request has, or its name. Undefined: the record says nothing of the kind.
 */
export function compileMadeBy({
  operation,
  collection: { resource, scopeFrom },
  accountOf,
}: ActionContext): ((task: Task) => Members) | undefined {
  const body = shapeAt(bodyShape(operation), bodyPath(resource, operation));
  // What a path names belongs to that.
  const named = new Set(scopeFrom({}).map(({ key }) => key));
  const { properties, required } = resource.shape;
  const unsaid = [...properties].filter(
    ([name, { writeOnly }]) => !writeOnly && !named.has(name) && !(body && memberShape(body, name)),
  );
  const names = new Set(makersIn(resource.shape));
  const called = unsaid.filter(([name]) => names.has(name));
  // Whatever the service calls them: the only one of its users in the record.
  const users = unsaid.filter(([name, member]) => required.has(name) && isUser(member));
  const makers = called.length > 0 || users.length > 1 ? called : users;
  if (makers.length === 0 || !accountOf) return undefined;
  return (task) => {
    const account = accountOf(task);
    if (!account) return {};
    const said = makers.flatMap(([name, member]) => {
      const value = MAKER_IDS.test(name) ? idFor(member, account) : valueFor(member, account);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(said);
  };
}

function idFor(member: Shape, { members: { id } }: Account): unknown {
  return id !== undefined && member.allows(id) ? id : undefined;
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
