import {
  type AccountOperation,
  answerShape,
  besideToken,
  countsMilliseconds,
  fullyFits,
  isAccountName,
  isIdentity,
  isRecord,
  isRefreshToken,
  parseJson,
  type Shape,
  sample,
  setCookie,
  shapeAt,
  stringifyJson,
  valueAt,
  withValueAt,
} from '#spec';
import type { Outcome, Refusal } from '../../http/refusal.ts';
import { LIFETIMES, type TokenKind } from '../../http/tokens.ts';
import { withoutWriteOnly } from '../one-way.ts';
import type { Task } from './action.ts';
import { type AccountContext, type Shown, withoutSecrets } from './log-in.ts';
import { idOf, isIdOfAccount } from './made-by.ts';
import { compileWrite } from './moments.ts';

type Success = Exclude<Outcome, Refusal>;
type ShowAccount = (outcome: Success, task: Task, result: Shown | undefined) => Promise<Success>;

/** Compiles filling a response with the members of an account, its tokens, and its session cookie. */
export function compileShowAccount(context: AccountContext, meaning: AccountOperation): ShowAccount {
  const showMembers = compileShowMembers(context, meaning);
  const showTokens = compileShowTokens(context, meaning);
  const cookieOf = compileCookie(context, meaning);
  return async (outcome, task, result) => {
    const cookie = cookieOf(task, result);
    const added = {
      // RFC 6749 §5.1.
      ...(meaning.role === 'grant' && { 'Cache-Control': 'no-store' }),
      ...(cookie !== undefined && { 'Set-Cookie': cookie }),
    };
    const response =
      Object.keys(added).length > 0 ? { ...outcome, headers: { ...outcome.headers, ...added } } : outcome;
    if (!result || typeof outcome.body !== 'string' || outcome.body === '') return response;
    const members = await showMembers?.(parseJson(outcome.body), task, result);
    return members === undefined
      ? response
      : { ...response, body: stringifyJson(showTokens(members, task, result)) };
  };
}

/** Compiles showing members of the account. Undefined: the response shows none. */
function compileShowMembers(
  { operation, seeds, profiles, isSampled }: AccountContext,
  meaning: AccountOperation,
) {
  const answer = answerShape(operation);
  const isKept = !isSampled && meaning.role === 'register';
  const profileShape = meaning.shows && shapeAt(answer, meaning.shows);
  const place =
    profileShape && meaning.shows
      ? { path: meaning.shows, shape: profileShape }
      : answer && placeIn(answer, meaning.tokens[0]?.slice(0, -1));
  if (!place) return undefined;
  const { path, shape } = place;
  const secrets = new Set(meaning.tokens.map((token) => token.at(-1)));
  return async (body: unknown, { store }: Task, { account }: Shown): Promise<unknown> => {
    const profile = valueAt(body, path);
    const accountMembers = Object.entries(account.members).flatMap(([name, value]) => {
      const member = shape.properties.get(name);
      const seen = member && !member.writeOnly ? withoutWriteOnly(member, value) : undefined;
      return seen !== undefined && fullyFits(member as Shape, seen) ? [[name, seen] as const] : [];
    });
    const profileMembers = isRecord(profile) ? profile : {};
    // The id is the same everywhere, also beside the token.
    const id = idOf(account.members);
    const ids = [...shape.properties].flatMap(([name, member]) => {
      if (!(name in profileMembers) || !isIdOfAccount(name)) return [];
      const fitting = [id, id === undefined ? id : String(id)].find(
        (one) => one !== undefined && fullyFits(member, one),
      );
      return [[name, fitting ?? sample(member, { key: seeds.keyOf(account.subject, name) })] as const];
    });
    // A response with a record already shows what is stored; a sample does not.
    const members = isKept
      ? profileMembers
      : { ...profileMembers, ...Object.fromEntries(ids), ...Object.fromEntries(accountMembers) };
    const isNew = ([name, value]: readonly [string, unknown]) =>
      !secrets.has(name) && stringifyJson(value) !== stringifyJson(account.members[name] ?? null);
    const made = Object.entries(members).filter(isNew);
    // Values made up for the account are kept for later responses.
    if (made.length > 0 && meaning.role !== 'grant')
      await profiles.keep(store, account, {
        ...account.members,
        ...withoutSecrets(Object.fromEntries(made)),
      });
    return withValueAt(body, path, () => members);
  };
}

/** The place of the account in a response: beside its token, or an object with a name. */
function placeIn(answer: Shape, around?: readonly string[]) {
  const isNamed = ({ properties }: Shape) =>
    [...properties].some(
      ([name, { mainType }]) => mainType !== 'object' && (isAccountName(name) || isIdentity(name)),
    );
  const within = ({ properties }: Shape, path: readonly string[]) => {
    const inner = [...properties].find(([, member]) => member.mainType === 'object' && isNamed(member));
    return inner && { path: [...path, inner[0]], shape: inner[1] };
  };
  const outer = isNamed(answer) ? { path: [], shape: answer } : within(answer, []);
  const shape = outer || around === undefined ? undefined : shapeAt(answer, around);
  // `{ "data": { "user": {} } }`
  const [inner] = [...answer.properties].flatMap(([name, member]) => within(member, [name]) ?? []);
  return (
    outer ??
    (shape && around && within(shape, around)) ??
    inner ??
    (shape && around && { path: around, shape })
  );
}

/** The path of the account in a value; empty: the value itself. */
export const placeOfAccount = (shape: Shape): readonly string[] => placeIn(shape)?.path ?? [];

/** Compiles `Set-Cookie` (RFC 6265 §4.1) for operations that log in or out. Undefined: the operation does neither. */
function compileCookie({ operation, cookie, tokens }: AccountContext, { role }: AccountOperation) {
  const begins = cookie && (BEGINS.has(role) || (role !== 'current' && setCookie(operation) !== undefined));
  return (task: Task, result: Shown | undefined): string | undefined => {
    if (!cookie) return undefined;
    if (role === 'logout') return `${cookie.name}=; ${ATTRIBUTES}; Max-Age=0`;
    if (!begins || !result) return undefined;
    const { account, scope } = result;
    const token = tokens.issue({ subject: account.subject, scope }, 'access', task.time(), account.revoked);
    return `${cookie.name}=${token}; ${ATTRIBUTES}; Max-Age=${LIFETIMES.access}`;
  };
}

const BEGINS: ReadonlySet<AccountOperation['role']> = new Set<AccountOperation['role']>(['login', 'refresh']);

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

type ShowTokens = (body: unknown, task: Task, result: Shown) => unknown;

/** Compiles filling in tokens and the members beside them (RFC 6749 §5.1). */
function compileShowTokens({ operation, tokens }: AccountContext, meaning: AccountOperation): ShowTokens {
  const answer = answerShape(operation);
  const places = meaning.tokens.map((path) => {
    const around = path.slice(0, -1);
    const shape = shapeAt(answer, around);
    const isOptional = !shape?.required.has(path.at(-1) ?? '');
    return { path, kind: kindOf(path), around, shape, isOptional };
  });
  const besides = places.flatMap(({ around, shape }, index) => {
    if (!shape || places.findIndex((place) => place.shape === shape) < index) return [];
    const isOpen = shape.properties.size === 0;
    const named = isOpen ? OPEN.map((name) => [name, undefined] as const) : [...shape.properties];
    return named.flatMap(([name, member]) => {
      const says = besideToken(name);
      const write = member && says === 'expiry' ? compileWrite(name, member) : undefined;
      return says
        ? [{ path: [...around, name], member, says, write, isOptional: !shape.required.has(name) }]
        : [];
    });
  });

  // With several forms, the one with the token.
  const [[first = ''] = []] = meaning.tokens;
  const branch = answer?.alternatives.find(({ properties }) => properties.has(first))?.properties;
  const inBranch = ([name]: [string, unknown]) => !branch || branch.has(name);

  return (sampled, task, { account, scope, isClient }) => {
    const now = task.time();
    let body = isRecord(sampled) ? Object.fromEntries(Object.entries(sampled).filter(inBranch)) : sampled;
    for (const { path, kind, isOptional } of places) {
      const isWithheld = isClient && kind === 'refresh' && isOptional;
      const token = tokens.issue({ subject: account.subject, scope }, kind, now, account.revoked);
      body = isWithheld ? withoutAt(body, path) : withValueAt(body, path, () => token);
    }
    for (const { path, member, says, write, isOptional } of besides) {
      if (valueAt(body, path) === undefined && meaning.role !== 'grant') continue;
      // The scope is optional if it equals the requested one (RFC 6749 §5.1), and none was requested.
      if (says === 'scope' && scope === undefined && isOptional) {
        body = withoutAt(body, path);
        continue;
      }
      const seconds = LIFETIMES[kindOf(path)];
      const span = member && countsMilliseconds(path.at(-1) ?? '', member) ? seconds * 1000 : seconds;
      const possible = {
        type: [...BEARERS.filter((one) => shownIn(member).includes(one)), ...BEARERS],
        scope: [scope ?? '', scope?.split(' ') ?? []],
        span: [span, String(span)],
        expiry: [write?.(now + seconds * 1000)],
      }[says];
      const value = possible.find((one) => one !== undefined && (!member || fullyFits(member, one)));
      if (value !== undefined) body = withValueAt(body, path, () => value);
    }
    return body;
  };
}

const BEARERS = ['Bearer', 'bearer', 'BEARER'];
const shownIn = (member: Shape | undefined) => [member?.find('default')?.value, ...(member?.examples ?? [])];

const kindOf = (path: readonly string[]): TokenKind => (isRefreshToken(path) ? 'refresh' : 'access');

/** The members of a token response without a described schema. */
const OPEN = ['token_type', 'expires_in', 'scope'];

function withoutAt(body: unknown, path: readonly string[]): unknown {
  const last = path.at(-1);
  return withValueAt(body, path.slice(0, -1), (around) =>
    isRecord(around) ? Object.fromEntries(Object.entries(around).filter(([name]) => name !== last)) : around,
  );
}
