import {
  bodyPath,
  bodyShape,
  idStem,
  isIdentity,
  isMakerName,
  isRecord,
  memberMeanings,
  memberShape,
  type Shape,
  shapeAt,
} from '#spec';
import type { Account } from '../accounts.ts';
import type { ActionContext, Task } from './action.ts';
import { initialOf } from './initial.ts';
import type { Members } from './writable-members.ts';

const NAMES = /^(?:user_?name|name|login|handle|nick_?name)$/i;
const ID = /^(?:uu)?id$/i;

/** Whether a member tells one account from all others. */
const isKey = (name: string) => ID.test(name) || isIdentity(name);

/** The members of a record that say who has made it. */
export function makersIn(shape: Shape): string[] {
  const meanings = memberMeanings({ shape });
  return [...meanings].flatMap(([name, { holds }]) => (holds === 'maker' ? [name] : []));
}

/** Whether a member names an account. Undefined: nothing tells. */
export function isMadeBy(
  name: string,
  value: unknown,
  { subject, identities, members }: Account,
): boolean | undefined {
  if (isRecord(value)) {
    const shared = Object.keys(value).filter((key) => isKey(key) && members[key] !== undefined);
    return shared.length === 0
      ? undefined
      : shared.every((key) => String(value[key]) === String(members[key]));
  }
  if (value === undefined || value === null || value === '') return undefined;
  const said = String(value);
  const { id } = members;
  if (id !== undefined && (typeof value === 'number' || idStem(name) !== undefined))
    return said === String(id);
  if (typeof value === 'number' || idStem(name) !== undefined) return undefined;
  return [subject, ...identities, ...namesIn({ members }).map(String)].includes(said);
}

/** What members say that an account is called. */
export function namesIn({ members }: Pick<Account, 'members'>): unknown[] {
  const named = Object.entries(members).filter(([key]) => NAMES.test(key) || isKey(key));
  return named.flatMap(([, one]) => (one === undefined || one === null ? [] : [one]));
}

/** An account that is another one from now on. */
export interface Renewed {
  readonly before: Account;
  /** Its members that are others now. */
  readonly changed: Members;
  /** Whether it has made the record. */
  readonly isMade: boolean;
}

/** A record as it shows an account from now on; undefined: it does not show it. */
type Renew<T> = (value: T, renewed: Renewed) => T | undefined;

/** Compiles the renewal of what records of a schema show of accounts, in any depth. Undefined: they show none. */
export function compileRenewal(shape: Shape, outer: readonly Shape[] = []): Renew<Members> | undefined {
  if (outer.length > DEEPEST) return undefined;
  const members = [...shape.properties].flatMap(([name, member]) => {
    const renew = renewalOf(name, member, [...outer, shape]);
    return renew ? [[name, renew] as const] : [];
  });
  if (members.length === 0) return undefined;
  return (record, renewed) => {
    const next = members.flatMap(([name, renew]) => {
      const value = Object.hasOwn(record, name) ? renew(record[name], renewed) : undefined;
      return value === undefined ? [] : [[name, value] as const];
    });
    return next.length === 0 ? undefined : { ...record, ...Object.fromEntries(next) };
  };
}

const DEEPEST = 3;

function renewalOf(name: string, member: Shape, outer: readonly Shape[]): Renew<unknown> | undefined {
  const isMaker = isMakerName(name) && idStem(name) === undefined;
  const ofMaker = ({ isMade }: Renewed) => isMade && outer.length === 1;
  if (member.items) {
    const item = renewalOf(name, member.items, outer);
    return (
      item &&
      ((value, renewed) => {
        const all = Array.isArray(value) ? value.map((one) => item(one, { ...renewed, isMade: false })) : [];
        return all.every((one) => one === undefined)
          ? undefined
          : (value as unknown[]).map((one, index) => all[index] ?? one);
      })
    );
  }
  if (member.mainType === 'object' && (isMaker || isUser(member)))
    return (value, renewed) => {
      const is = isRecord(value) ? isMadeBy(name, value, renewed.before) : false;
      if (!(is ?? ofMaker(renewed))) return undefined;
      const shown = Object.entries(renewed.changed).filter(([key]) => member.properties.has(key));
      return shown.length === 0 ? undefined : { ...(value as Members), ...Object.fromEntries(shown) };
    };
  if (member.mainType === 'object') {
    const inner = compileRenewal(member, outer);
    return inner && ((value, renewed) => (isRecord(value) ? inner(value, renewed) : undefined));
  }
  if (member.mainType !== 'string' || member.values || !isMaker) return undefined;
  return (value, renewed) => {
    const { before, changed } = renewed;
    // A name alone may be that of several accounts.
    if (!ofMaker(renewed) && !before.identities.includes(String(value))) return undefined;
    return Object.entries(changed).find(([key]) => before.members[key] === value)?.[1];
  };
}

/**
 * Compiles what a new record says of who has made it, where only the service says that: an `author` with the members of the
 * account whose token the request has, or its name. Undefined: the record says nothing of the kind.
 */
export function compileMadeBy({
  operation,
  collection: { resource, scopeFrom },
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
  if (makers.length === 0) return undefined;
  return ({ sender }) => {
    if (!sender) return {};
    const { account } = sender;
    const said = makers.flatMap(([name, member]) => {
      const value = accountIn(name, member, account);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(said);
  };
}

/** What a member of a record says of an account: its id, its members, or its name. Undefined: nothing. */
export function accountIn(name: string, member: Shape, account: Account): unknown {
  return idStem(name) !== undefined ? idFor(member, account) : valueFor(member, account);
}

function idFor(member: Shape, { members: { id } }: Account): unknown {
  return id !== undefined && member.allows(id) ? id : undefined;
}

const isUser = ({ mainType, properties }: Shape) =>
  mainType === 'object' && [...properties.keys()].some(isIdentity);

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
