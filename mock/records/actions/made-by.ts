import {
  accountOperation,
  type Contract,
  type Data,
  foldedName,
  holdsAccounts,
  idStem,
  idWord,
  isAccountName,
  isIdentity,
  isMakerName,
  isRecord,
  memberMeanings,
  memberShape,
  oncePer,
  recordName,
  type Shape,
  sample,
  sentShape,
  singularName,
} from '#spec';
import type { Account } from '../accounts.ts';
import type { ActionContext, Task } from './action.ts';
import { initialOf } from './initial.ts';

/** Whether a member identifies an account. */
const isKey = (name: string) => ['id', 'uuid'].includes(foldedName(name)) || isIdentity(name);

/** The members of a record that name its creator. */
export function makersIn(shape: Shape): string[] {
  const meanings = memberMeanings({ shape });
  return [...meanings].flatMap(([name, { holds }]) => (holds === 'maker' ? [name] : []));
}

/** Whether a member refers to an account. Undefined: it does not tell. */
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
  const text = String(value);
  const id = idOf(members);
  if (id !== undefined && (typeof value === 'number' || idStem(name) !== undefined))
    return text === String(id);
  if (typeof value === 'number' || idStem(name) !== undefined) return undefined;
  return [subject, ...identities, ...namesIn({ members }).map(String)].includes(text);
}

/** The names of an account among its members. */
export function namesIn({ members }: Pick<Account, 'members'>): unknown[] {
  const named = Object.entries(members).filter(([key]) => isAccountName(key) || isKey(key));
  return named.flatMap(([, one]) => (one === undefined || one === null ? [] : [one]));
}

/** A change of an account. */
export interface Renewed {
  readonly before: Account;
  /** Its changed members. */
  readonly changed: Data;
  /** Whether the account has created the record. */
  readonly isMade: boolean;
}

/** The depth to which records are searched for accounts. */
const DEEPEST = 3;

/** A record with the changed account, at any depth. Undefined: it does not show the account. */
export function renewed(record: Data, renewal: Renewed, depth = 0): Data | undefined {
  const next = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const other = renewedMember(name, value, renewal, depth);
    return other === undefined ? [] : [[name, other]];
  });
  return next.length === 0 ? undefined : { ...record, ...Object.fromEntries(next) };
}

function renewedMember(name: string, value: unknown, renewal: Renewed, depth: number): unknown {
  const { before, changed } = renewal;
  const isMaker = isMakerName(name) && idStem(name) === undefined;
  const isMade = renewal.isMade && depth === 0;
  if (Array.isArray(value)) {
    const all = value.map((one) => renewedMember(name, one, { ...renewal, isMade: false }, depth));
    return all.every((one) => one === undefined) ? undefined : value.map((one, at) => all[at] ?? one);
  }
  if (isRecord(value)) {
    const isUser = isMaker || Object.keys(value).some(isIdentity);
    if (!isUser) return depth < DEEPEST ? renewed(value, renewal, depth + 1) : undefined;
    if (!(isMadeBy(name, value, before) ?? isMade)) return undefined;
    const renewedMembers = Object.entries(changed).filter(([key]) => Object.hasOwn(value, key));
    return renewedMembers.length === 0 ? undefined : { ...value, ...Object.fromEntries(renewedMembers) };
  }
  // Several accounts may share a name.
  if (typeof value !== 'string' || !isMaker || !(isMade || before.identities.includes(value)))
    return undefined;
  return Object.entries(changed).find(([key]) => before.members[key] === value)?.[1];
}

/**
 * Compiles the creator of a new record, where no client can set it: an `author` with the members, or the name, of the
 * account of the request. Undefined: the record has no such member.
 */
export function compileMadeBy({
  operation,
  collection: { resource, scopeFrom },
  contract,
  seeds,
}: ActionContext): ((task: Task) => Data) | undefined {
  const body = sentShape(resource, operation);
  // A member that the path sets refers to the parent, not the creator.
  const named = new Set(scopeFrom({}).map(({ key }) => key));
  const { properties, required } = resource.shape;
  const unsaid = [...properties].filter(([name, { writeOnly }]) => {
    const sent = body && memberShape(body, name);
    return !writeOnly && !named.has(name) && (!sent || sent.readOnly);
  });
  const names = new Set([
    ...makersIn(resource.shape),
    // `customer_id` and `booked_customer_id`, where customers register.
    ...[...properties.keys()].filter((name) =>
      [...registeredAs(contract)].some((noun) => idStem(name)?.endsWith(noun)),
    ),
  ]);
  const called = unsaid.filter(([name, { mainType }]) => {
    // `creator_name` beside `creator`, `username` beside `userID`.
    const isCalled = [...names].some(
      (maker) => foldedName(name) === `${foldedName(idStem(maker) ?? maker)}name`,
    );
    return names.has(name) || (isCalled && mainType === 'string');
  });
  // Whatever its name: the only member with a user of the service.
  const users = unsaid.filter(([name, member]) => required.has(name) && isUser(member));
  const isBeside = ([user]: (typeof users)[number]) =>
    !names.has(user) && called.some(([name]) => idStem(name) === singularName(user));
  const makers = called.length > 0 || users.length > 1 ? [...called, ...users.filter(isBeside)] : users;
  if (makers.length === 0) return undefined;
  // Ids from the account's profile, where its record has none.
  const idsOf = ({ properties, required }: Shape, { subject }: Account): Data =>
    Object.fromEntries(
      [...properties].flatMap(([name, member]) =>
        required.has(name) && isIdOfAccount(name)
          ? [[name, sample(member, { key: seeds.keyOf(subject, name) })]]
          : [],
      ),
    );
  return ({ sender }) => {
    if (!sender) return {};
    const { account } = sender;
    const entries = makers.flatMap(([name, member]) => {
      // An account without a record has no id yet: one is made.
      const made = () => sample(member, { key: seeds.keyOf(account.subject, 'id') });
      const isId = member.mainType === 'integer' || idStem(name) !== undefined;
      const value = accountIn(name, member, account) ?? (names.has(name) && isId ? made() : undefined);
      if (isRecord(value)) return [[name, { ...idsOf(member, account), ...value }] as const];
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(entries);
  };
}

/** The nouns of accounts, by the paths at which they register. */
const registeredAs = oncePer(
  ({ operations }: Pick<Contract, 'operations'>): ReadonlySet<string> =>
    new Set(
      operations.flatMap((operation) =>
        accountOperation(operation)?.role === 'register' ? recordName(operation.path) : [],
      ),
    ),
);

/** What a member of a record shows of an account: its id, its members, or its name. Undefined: nothing. */
export function accountIn(name: string, member: Shape, account: Account): unknown {
  return idStem(name) !== undefined ? idFor(member, account) : valueFor(member, account);
}

/** The id of an account, under any of its names: `_id`, `userId`. */
export const idOf = (members: Data): unknown =>
  Object.entries(members).find(([name]) => isIdOfAccount(name))?.[1];

export function isIdOfAccount(name: string): boolean {
  const stem = idStem(name);
  return idWord(name) !== undefined && (stem === undefined || holdsAccounts(`/${stem}`));
}

function idFor(member: Shape, { members }: Account): unknown {
  const id = idOf(members);
  return id !== undefined && member.allows(id) ? id : undefined;
}

const isUser = ({ mainType, properties }: Shape) =>
  mainType === 'object' && [...properties.keys()].some(isIdentity);

function valueFor({ mainType, properties, required, values }: Shape, { subject, members }: Account): unknown {
  if (mainType === 'object') {
    const accountMembers = Object.entries(members).filter(([name]) => properties.has(name));
    const initial = [...properties].flatMap(([name, member]) => {
      const value = required.has(name) ? initialOf(name, member, true) : undefined;
      return value === undefined || !member.allows(value) ? [] : [[name, value] as const];
    });
    return accountMembers.length > 0 ? Object.fromEntries([...initial, ...accountMembers]) : undefined;
  }
  if (mainType === 'string' && !values)
    return Object.entries(members).find(([name]) => isAccountName(name))?.[1] ?? subject;
  return mainType === 'integer' ? idOf(members) : undefined;
}
