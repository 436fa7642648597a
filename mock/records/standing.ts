import type { Resource, Shape } from '#spec';
import {
  type AccountOperation,
  accountOperation,
  answerShape,
  bodyShape,
  type Operation,
  plainName,
} from '#spec';
import type { Account } from './accounts.ts';

type Data = Readonly<Record<string, unknown>>;

const ROLE = /^(?:user|account)?(?:roles?|permissions?|authorit(?:y|ies))$/;
const FLAG =
  /^is(admin|administrator|superuser|superadmin|staff|moderator|manager|owner)$|^(admin|superuser)$/;
/** Whoever is one of these may do everything. */
const HIGHEST = /^(?:super)?admin$|^(?:superuser|root)$/;
const LEAST =
  /^(?:users?|members?|customers?|clients?|viewers?|readers?|guests?|basic|standard|regular|default|visitors?|employees?|students?|normal)$/;

/** What accounts may do, by the members that the document has for it: `role`, `roles`, `is_admin`. */
export interface Standing {
  /** The words for what only some accounts are; none: all accounts are alike. */
  readonly words: readonly string[];
  /** The members of a new account: the least of the roles, but for somebody who is called after one (`admin@...`). */
  initialOf(identities: readonly string[]): Data;
  /** Whether an account is one of these. Undefined: it says nothing of that. */
  isOneOf(words: readonly string[], account: Account): boolean | undefined;
  /** What an account says that it is. */
  heldBy(account: Account): readonly string[];
}

/** Compiles what the records of accounts, and the operations of accounts, say of roles. */
export function compileStanding(operations: readonly Operation[], resources: readonly Resource[]): Standing {
  const shapes = [
    ...resources.filter(({ path }) => USERS.test(path)).map(({ shape }) => shape),
    ...operations.flatMap((operation) => {
      const meaning = accountOperation(operation);
      return meaning ? shapesOf(operation, meaning) : [];
    }),
  ];
  const members = new Map<string, Shape>();
  for (const { properties } of shapes)
    for (const [name, member] of properties)
      if (isOfRole(name, member) && !members.has(name)) members.set(name, member);
  const all = [...members].flatMap(([name, member]) => wordsFor(name, member));

  const heldBy = ({ members: own }: Account) =>
    [...members.keys()].flatMap((name) => heldIn(name, own[name]));

  return {
    words: [...new Set(all)],
    heldBy,
    initialOf(identities) {
      const called = identities.map((one) => roleWord(one.split('@')[0] ?? ''));
      const initial = [...members].map(
        ([name, member]) => [name, initialRole(member, called, name)] as const,
      );
      return Object.fromEntries(initial.filter(([, value]) => value !== undefined));
    },
    isOneOf(words, { members: own }) {
      const said = [...members.keys()].filter((name) => own[name] !== undefined && own[name] !== null);
      if (said.length === 0) return undefined;
      const held = said.flatMap((name) => heldIn(name, own[name]));
      return held.some((word) => HIGHEST.test(word) || words.includes(word));
    },
  };
}

/** The collections whose records can log in, by the ends of their paths. */
export const USERS = /\/(?:users?|accounts?|members|customers?|people|profiles)\/?$/i;

/** Of the account, or of an object in which it is. */
function shapesOf(operation: Operation, { sent }: AccountOperation): Shape[] {
  const answer = answerShape(operation);
  const body = sent.reduce<Shape | undefined>(
    (shape, name) => shape?.properties.get(name),
    bodyShape(operation),
  );
  const inner = [...(answer?.properties.values() ?? [])].filter(({ mainType }) => mainType === 'object');
  return [answer, ...inner, body].filter((shape) => shape !== undefined);
}

function isOfRole(name: string, { mainType, items }: Shape): boolean {
  const plain = plainName(name);
  if (mainType === 'boolean') return FLAG.test(plain);
  return (
    ROLE.test(plain) && (mainType === 'string' || (mainType === 'array' && items?.mainType === 'string'))
  );
}

/** `admin` for `ROLE_ADMIN`, `Administrators`, `is_admin`. */
export function roleWord(text: string): string {
  const plain = plainName(text.replace(/^role[_:-]/i, ''));
  return plain.replace(/istrators?$/, '').replace(/(?<!s)s$/, '');
}

function wordsFor(name: string, member: Shape): string[] {
  if (member.mainType === 'boolean') return [flagWord(name)];
  const values = (member.items ?? member).values;
  if (!values) return /roles?$/i.test(name) ? COMMON : [];
  const least = leastRole(values);
  return values.flatMap((value) => (typeof value === 'string' && value !== least ? [roleWord(value)] : []));
}

/** Of roles that no enumeration lists. */
const COMMON = ['admin', 'superuser', 'staff', 'moderator', 'manager', 'editor', 'maintainer'];

const flagWord = (name: string) => roleWord(FLAG.exec(plainName(name))?.slice(1).find(Boolean) ?? name);

function heldIn(name: string, value: unknown): string[] {
  if (typeof value === 'boolean') return value ? [flagWord(name)] : [];
  return [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(/[\s,]+/).map(roleWord) : []));
}

/** The value of a new record for a member that says what somebody may do. Undefined: it says nothing of that. */
export function initialRole(member: Shape, called: readonly string[], name: string): unknown {
  if (!isOfRole(name, member)) return undefined;
  if (member.mainType === 'boolean') return called.includes(flagWord(name));
  const { values, patterns } = member.items ?? member;
  // Ids of roles, say.
  if (!values && patterns.length > 0) return undefined;
  const wanted = (value: unknown) => typeof value === 'string' && called.includes(roleWord(value));
  const role = values
    ? (values.find(wanted) ?? leastRole(values))
    : (COMMON.find((word) => called.includes(word)) ?? 'user');
  return member.mainType === 'array' ? [role] : role;
}

/** The role of whoever has just registered. */
function leastRole(values: readonly unknown[]): unknown {
  const texts = values.filter((value) => typeof value === 'string');
  return (
    texts.find((value) => LEAST.test(plainName(value.replace(/^role[_:-]/i, '')))) ??
    texts.find((value) => !HIGHEST.test(roleWord(value))) ??
    texts[0]
  );
}
