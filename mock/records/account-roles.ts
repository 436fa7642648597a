import {
  type AccountOperation,
  accountOperation,
  answerShape,
  bodyShape,
  type Data,
  firstRole,
  holdsAccounts,
  isEqual,
  isHighest,
  isRole,
  type Operation,
  type Resource,
  rolesHeld,
  roleWord,
  roleWordsOf,
  type Shape,
} from '#spec';
import type { Account } from './accounts.ts';

/** The permissions of accounts, by the members that the document has for them: `role`, `roles`, `is_admin`. */
export interface AccountRoles {
  /** The words for privileged accounts; empty: all accounts have the same rights. */
  readonly words: readonly string[];
  /** The members of a new account: the lowest role, except for an account named after a role (`admin@...`). */
  initialOf(identities: readonly string[]): Data;
  /** Whether an account has one of these roles. Undefined: its members do not tell. */
  isOneOf(words: readonly string[], account: Account): boolean | undefined;
  /** The roles that an account's members state. */
  heldBy(account: Account): readonly string[];
}

/** Compiles the roles that the records and operations of accounts describe. */
export function compileAccountRoles(
  operations: readonly Operation[],
  resources: readonly Resource[],
): AccountRoles {
  const shapes = [
    ...resources.filter(({ path }) => holdsAccounts(path)).map(({ shape }) => shape),
    ...operations.flatMap((operation) => {
      const meaning = accountOperation(operation);
      return meaning ? shapesOf(operation, meaning) : [];
    }),
  ];
  const members = new Map<string, Shape>();
  for (const { properties } of shapes)
    for (const [name, member] of properties)
      if (isRole(name, member) && (!members.has(name) || defaultOf(member) !== undefined))
        members.set(name, member);
  const all = [...members].flatMap(([name, member]) => roleWordsOf(name, member));

  const heldBy = ({ members: values }: Account) =>
    [...members.keys()].flatMap((name) => rolesHeld(name, values[name]));

  return {
    words: [...new Set(all)],
    heldBy,
    initialOf(identities) {
      const called = identities.map((identity) => roleWord(identity.split('@')[0] ?? ''));
      const initial = [...members].map(([name, member]) => {
        const [role, least] = [called, []].map((words) => firstRole(member, words, name));
        return [name, isEqual(role, least) ? (defaultOf(member) ?? role) : role] as const;
      });
      return Object.fromEntries(initial.filter(([, value]) => value !== undefined));
    },
    isOneOf(words, { members: values }) {
      const names = [...members.keys()].filter((name) => values[name] !== undefined && values[name] !== null);
      if (names.length === 0) return undefined;
      const held = names.flatMap((name) => rolesHeld(name, values[name]));
      return held.some((word) => isHighest(word) || words.includes(word));
    },
  };
}

/** The role of a registration that states none. */
const defaultOf = (member: Shape): unknown => member.find('default')?.value;

/** The schemas of the account, or of an object around it. */
function shapesOf(operation: Operation, { sent }: AccountOperation): Shape[] {
  const answer = answerShape(operation);
  const body = sent.reduce<Shape | undefined>(
    (shape, name) => shape?.properties.get(name),
    bodyShape(operation),
  );
  const inner = [...(answer?.properties.values() ?? [])].filter(({ mainType }) => mainType === 'object');
  return [answer, ...inner, body].filter((shape) => shape !== undefined);
}
