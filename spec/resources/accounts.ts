import type { Meaning } from '../meaning/meaning.ts';
import { bodyMedia } from '../media-type.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { answerShape } from './record-schema.ts';

/** `current`: works on the account whose credential a request has. */
export type AccountRole = 'register' | 'login' | 'refresh' | 'logout' | 'current';

export type MemberPath = readonly string[];

/** What an operation does with accounts. */
export interface AccountOperation extends Meaning {
  readonly role: AccountRole;
  /** Where a body has the members of the account: the body itself, but for an envelope. */
  readonly sent: MemberPath;
  /** The members that tell accounts apart, by which one logs in. */
  readonly identities: readonly string[];
  readonly password: string | undefined;
  /** The member with a token that a body has. */
  readonly sentToken: string | undefined;
  /** Where a response has tokens. */
  readonly tokens: readonly MemberPath[];
}

const PASSWORD = /^(?:user_?)?(?:pass(?:word|wd|phrase|code)?|pwd)$/i;
const IDENTITY =
  /^(?:e-?mail(?:_?address)?|user_?name|user|login|log_?in_?name|account(?:_?name)?|phone(?:_?number)?|mobile|nick_?name|handle|identifier)$/i;
const TOKEN = /^(?:(?:access|auth|id|session|refresh|bearer|api)_?)?token$|^jwt$/i;
const SENT_TOKEN = /^(?:refresh_?)?token$/i;

const LOGIN =
  /^(?:log-?_?in|sign-?_?in|auth(?:enticate|entication|orize)?|sessions?|(?:access-?_?)?tokens?|jwt)$/i;
const REGISTER = /^(?:register|registrations?|sign-?_?up|users?|accounts?|members|customers?|join)$/i;
const REFRESH = /refresh/i;
const LOGOUT = /^(?:log-?_?out|sign-?_?out|logoff)$/i;
const CURRENT = /^(?:me|self|whoami|current(?:-?_?user)?|user|account|profile)$/i;

const known = new WeakMap<Operation, AccountOperation | undefined>();

/** What names suggest that an operation does with accounts: presumed. Undefined: nothing. */
export function accountOperation(operation: Operation): AccountOperation | undefined {
  if (!known.has(operation)) known.set(operation, read(operation));
  return known.get(operation);
}

function read(operation: Operation): AccountOperation | undefined {
  const { path, spot } = operation;
  const body = bodyMedia(operation.body)?.shape;
  const sent = body && pathTo(body, (name) => PASSWORD.test(name));
  const place = sent ?? (body ? envelopeOf(body) : []);
  const names = [...(at(body, place)?.properties.keys() ?? [])];
  const identities = names.filter((name) => IDENTITY.test(name));
  const tokens = tokensIn(answerShape(operation));
  const sentToken = [...(body?.properties.keys() ?? [])].find((name) => SENT_TOKEN.test(name));
  const last = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
  const role = roleOf(operation, last, {
    hasPassword: sent !== undefined && identities.length > 0,
    hasToken: tokens.length > 0,
    sendsToken: sentToken !== undefined,
    showsMany: answerShape(operation)?.mainType === 'array',
  });
  if (!role) return undefined;
  return {
    ...{ role, sent: place, identities, tokens, sentToken },
    password: names.find((name) => PASSWORD.test(name)),
    ...{ certainty: 'presumed', because: spot },
  };
}

interface Traits {
  readonly hasPassword: boolean;
  readonly hasToken: boolean;
  readonly sendsToken: boolean;
  /** It responds with a list. */
  readonly showsMany: boolean;
}

function roleOf(
  { method, path, security }: Operation,
  last: string,
  { hasPassword, hasToken, sendsToken, showsMany }: Traits,
): AccountRole | undefined {
  const isItem = path.endsWith('}');
  if (LOGOUT.test(last) && !isItem) return 'logout';
  if (method === 'POST' && !isItem) {
    if (hasToken && (REFRESH.test(last) || (sendsToken && !hasPassword))) return 'refresh';
    if (hasPassword && LOGIN.test(last)) return 'login';
    if (hasPassword && REGISTER.test(last)) return 'register';
    return hasPassword && hasToken ? 'login' : undefined;
  }
  const isOwn = CURRENT.test(last) && !path.includes('{') && security.length > 0 && !showsMany;
  return isOwn && ['GET', 'PUT', 'PATCH'].includes(method) ? 'current' : undefined;
}

/** The path to the object that has such a member: the schema itself, or an object in it. */
function pathTo(shape: Shape, fits: (name: string) => boolean): MemberPath | undefined {
  const has = ({ properties }: Shape) => [...properties.keys()].some(fits);
  if (has(shape)) return [];
  const inner = [...shape.properties].find(([, member]) => member.mainType === 'object' && has(member));
  return inner && [inner[0]];
}

/** `{ "user": {} }`: the only member has those of the account. */
function envelopeOf({ properties }: Shape): MemberPath {
  const [[name, member] = [], ...more] = [...properties];
  return name !== undefined && more.length === 0 && member?.properties.size ? [name] : [];
}

function at(shape: Shape | undefined, path: MemberPath): Shape | undefined {
  return path.reduce((inner, name) => inner?.properties.get(name), shape);
}

function tokensIn(shape: Shape | undefined, path: MemberPath = []): MemberPath[] {
  if (!shape || path.length > 2) return [];
  return [...shape.properties].flatMap(([name, member]) => {
    if (member.mainType === 'object') return tokensIn(member, [...path, name]);
    return member.mainType === 'string' && TOKEN.test(name) ? [[...path, name]] : [];
  });
}

/** Whether a token is one to get others with, by the name of its member. */
export const isRefreshToken = (path: MemberPath): boolean => REFRESH.test(path.at(-1) ?? '');
