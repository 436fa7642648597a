import {
  type AccountOperation,
  answerShape,
  isRecord,
  isRefreshToken,
  memberShape,
  type Operation,
  parseJson,
  type Shape,
  stringifyJson,
  valueAt,
} from '#spec';
import { isRefusal, type Outcome, type Refusal } from '../../http/refusal.ts';
import { LIFETIMES, type Tokens } from '../../http/tokens.ts';
import type { Store } from '../../store/port.ts';
import { type Account, accountsOf, credentialsIn, type Logins, subjectIn, tokenOf } from '../accounts.ts';
import type { RecordCollection } from '../collection.ts';
import type { Act, ActionContext, Task } from './action.ts';
import { withValueAt } from './show.ts';

type Data = Readonly<Record<string, unknown>>;

interface AccountContext extends Omit<ActionContext, 'collection'> {
  readonly tokens: Tokens;
  readonly logins: Logins;
  /** Its responses are made up, and show nothing of what a request says. */
  readonly isSampled: boolean;
}

/** Lets an operation know accounts: who registers can log in, and is who its token names. */
export function compileAccount(context: AccountContext, meaning: AccountOperation, act: Act): Act {
  const show = compileShowAccount(context, meaning);
  return async (task) => {
    const account = await ROLES[meaning.role](context, meaning, task);
    if (account !== undefined && 'refuse' in account) return account;
    const outcome = await act(task);
    if (isRefusal(outcome)) return outcome;
    if (meaning.role === 'logout') {
      const token = tokenOf(context.operation, task.request);
      if (token !== undefined) context.tokens.giveBack(token);
    }
    return account ? show(outcome, task.store, account) : outcome;
  };
}

/** The account that a request is about. Undefined: none, and the operation responds as any other. */
type FindAccount = (
  context: AccountContext,
  meaning: AccountOperation,
  task: Task,
) => Promise<Account | Refusal | undefined>;

const ROLES: Readonly<Record<AccountOperation['role'], FindAccount>> = {
  async register(context, meaning, { values, store }) {
    const { members, identities, password } = credentialsIn(meaning, values.body);
    const [subject] = identities;
    if (subject === undefined || password === undefined) return undefined;
    // Where no status says so, names need not be unique: who comes later has the name.
    const isUnique = context.operation.responses.some(saysTaken);
    const known = accountsOf(store).find(identities) ?? (await seeded(context, store, meaning, identities));
    if (known && isUnique)
      return { refuse: 'conflict', message: `An account of ${identities.join(' or ')} exists` };
    return newAccount(store, meaning, members, identities, password);
  },

  async login(context, meaning, { values, store }) {
    const { members, identities, password } = credentialsIn(meaning, values.body);
    const known = accountsOf(store).find(identities) ?? (await seeded(context, store, meaning, identities));
    const isRight = password !== undefined && password === (known ? known.password : context.logins.password);
    // A document that knows no such refusal lets everybody in.
    const mayRefuse = context.operation.responses.some(({ key }) => /^(?:401|4XX|default)$/.test(key));
    if (!isRight && mayRefuse && !context.logins.takesAnybody) return WRONG;
    return known ?? newAccount(store, meaning, members, identities, password);
  },

  async refresh({ operation, tokens }, { sentToken }, { values, request, store }) {
    const sent = sentToken !== undefined && isRecord(values.body) ? values.body[sentToken] : undefined;
    const subject =
      typeof sent === 'string'
        ? (tokens.subjectOf(sent, 'refresh') ?? tokens.subjectOf(sent))
        : subjectIn(operation, request, tokens);
    if (typeof sent === 'string' && subject === undefined) return WRONG;
    return subject === undefined ? undefined : accountsOf(store).find([subject]);
  },

  logout: async () => undefined,

  async current({ operation, tokens }, meaning, { values, request, store }) {
    const subject = subjectIn(operation, request, tokens);
    const account = subject === undefined ? undefined : accountsOf(store).find([subject]);
    if (!account || operation.method === 'GET') return account;
    const { members, identities, password = account.password } = credentialsIn(meaning, values.body);
    return accountsOf(store).put({
      ...account,
      ...(identities.length > 0 && { identities: [...new Set([...account.identities, ...identities])] }),
      members: { ...account.members, ...withoutSecret(meaning, members) },
      password,
    });
  },
};

/** What a document may say of a name that somebody has. */
/** A 422 that FastAPI describes for every operation is about the form of requests alone. */
function saysTaken({ key, content }: Operation['responses'][number]): boolean {
  const details = content[0]?.shape?.properties.get('detail');
  return key === '409' || (key === '422' && !details?.items?.properties.has('loc'));
}

const WRONG: Refusal = { refuse: 'unauthorized', message: 'No account has this name and this password' };

function newAccount(
  store: Store,
  meaning: AccountOperation,
  members: Data,
  identities: readonly string[],
  password: string | undefined,
): Account {
  const [subject = ''] = identities;
  return accountsOf(store).put({ subject, identities, members: withoutSecret(meaning, members), password });
}

function withoutSecret({ password }: AccountOperation, members: Data): Data {
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== password));
}

/** The account of a record that the mock has of somebody. */
async function seeded(
  context: AccountContext,
  store: Store,
  { identities: names }: AccountOperation,
  identities: readonly string[],
): Promise<Account | undefined> {
  for (const collection of context.collections.values()) {
    if (!USERS.test(collection.resource.path)) continue;
    const members = await recordWith(collection, store, names, identities);
    const [subject] = identities;
    if (members && subject !== undefined)
      return { subject, identities, members, password: context.logins.password };
  }
  return undefined;
}

const USERS = /\/(?:users?|accounts?|members|customers?|people|profiles)$/i;

async function recordWith(
  collection: RecordCollection,
  store: Store,
  names: readonly string[],
  identities: readonly string[],
): Promise<Data | undefined> {
  const own = names.filter((name) => memberShape(collection.resource.shape, name));
  if (own.length === 0) return undefined;
  const { text } = await store.list(collection, { where: [], offset: 0, limit: Number.POSITIVE_INFINITY });
  const records = parseJson(text) as Data[];
  return records.find((record) => own.some((name) => identities.includes(String(record[name]))));
}

type ShowAccount = (outcome: Exclude<Outcome, Refusal>, store: Store, account: Account) => Outcome;

/** Compiles the filling of a response with what is known of an account, and with its tokens. */
function compileShowAccount(
  { operation, contract, tokens, isSampled }: AccountContext,
  meaning: AccountOperation,
): ShowAccount {
  const answer = answerShape(operation);
  const isKept = !isSampled && meaning.role === 'register';
  const place = answer && placeIn(answer, meaning.tokens[0]?.slice(0, -1));
  const fits = ({ parts }: Shape, value: unknown) =>
    parts.every((part) => contract.validators.compile(part, 'response')(value).length === 0);
  return (outcome, store, account) => {
    if (!answer || !place || typeof outcome.body !== 'string' || outcome.body === '') return outcome;
    const { path, shape } = place;
    let body: unknown = parseJson(outcome.body);
    const shown = valueAt(body, path);
    const own = Object.entries(account.members).flatMap(([name, value]) => {
      const member = shape.properties.get(name);
      const seen = member && visible(member, value);
      return seen !== undefined && fits(member as Shape, seen) ? [[name, seen] as const] : [];
    });
    const known = isRecord(shown) ? shown : {};
    // What is kept of a record is what it shows; what is made up for nobody in particular is not.
    const members = isKept ? known : { ...known, ...Object.fromEntries(own) };
    body = withValueAt(body, path, () => members);
    const secrets = new Set(meaning.tokens.map((token) => token.at(-1)));
    const kept = Object.entries(members).filter(([name]) => !secrets.has(name));
    // What was made up for it is true of it from now on.
    accountsOf(store).put({ ...account, members: { ...account.members, ...Object.fromEntries(kept) } });
    for (const token of meaning.tokens) {
      const kind = isRefreshToken(token) ? 'refresh' : 'access';
      body = withValueAt(body, token, () => tokens.issue(account.subject, kind));
      const around = token.slice(0, -1);
      const beside = valueAt(body, around);
      if (!isRecord(beside)) continue;
      for (const [name, value] of BESIDE)
        if (name in beside) body = withValueAt(body, [...around, name], () => value);
    }
    return { ...outcome, body: stringifyJson(body) };
  };
}

/** Without what only clients send, in any depth. */
function visible({ properties, writeOnly }: Shape, value: unknown): unknown {
  if (writeOnly) return undefined;
  if (!isRecord(value)) return value;
  const shown = Object.entries(value).flatMap(([name, inner]) => {
    const member = properties.get(name);
    const seen = member ? visible(member, inner) : inner;
    return seen === undefined ? [] : [[name, seen] as const];
  });
  return Object.fromEntries(shown);
}

/** What stands beside a token (RFC 6749 §5.1). */
const BESIDE: readonly (readonly [string, unknown])[] = [
  ['expires_in', LIFETIMES.access],
  ['expiresIn', LIFETIMES.access],
  ['token_type', 'Bearer'],
  ['tokenType', 'Bearer'],
];

const NAMES = /^(?:e-?mail|user_?name|name|login|first_?name)$/i;

/** Where a response shows the account: where its token is, or an object that has a name. */
function placeIn(answer: Shape, around: readonly string[] | undefined) {
  const isNamed = ({ properties }: Shape) => [...properties.keys()].some((name) => NAMES.test(name));
  if (isNamed(answer)) return { path: [], shape: answer };
  const inner = [...answer.properties].find(([, member]) => member.mainType === 'object' && isNamed(member));
  if (inner) return { path: [inner[0]], shape: inner[1] };
  if (around === undefined) return undefined;
  const shape = around.reduce<Shape | undefined>((one, name) => one?.properties.get(name), answer);
  return shape && { path: around, shape };
}
