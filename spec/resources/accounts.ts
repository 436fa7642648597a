import { children, recordAt, type Spot, textAt } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { memberNames } from '../meaning/member-named.ts';
import { foldedName, setOf, wordsOf } from '../meaning/names.ts';
import { bodyMedia } from '../media-type.ts';
import type { Operation } from '../operation.ts';
import type { Header } from '../parameter.ts';
import { Shape } from '../schema/shape.ts';
import { recordName } from './paths.ts';
import { answerShape, successOf } from './record-schema.ts';

/** `grant`: an OAuth2 token endpoint (RFC 6749 §3.2). `current`: works on the account whose credential a request has. */
export type AccountRole = 'register' | 'login' | 'grant' | 'refresh' | 'logout' | 'current';

export type MemberPath = readonly string[];

/** What an operation does with accounts. */
export interface AccountOperation extends Basis {
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
  /** Where a response shows the account, if that is said. */
  readonly shows?: MemberPath;
}

const SPELLED = ['pass', 'password', 'passwd', 'passphrase', 'passcode', 'pwd'];
const PASSWORDS: ReadonlySet<string> = new Set(SPELLED.flatMap((one) => [one, `user${one}`]));
const TOKENS = 'access auth id jwt session refresh bearer api'.split(' ').map((kind) => `${kind}token`);
const TOKEN: ReadonlySet<string> = new Set(['token', 'jwt', ...TOKENS]);
const SENT_TOKEN = setOf('token refreshtoken');
const IDENTITIES = setOf(
  'email emailaddress username user login loginname account accountname phone phonenumber mobile nickname handle identifier',
);
/** What a login asks for beside a name and a password. */
const BESIDE = /otp|code|captcha|remember|client|device|grant|scope|type|token|redirect|lang|long/i;

/** Where one gets a session or a token. */
const LOGINS = setOf(
  'login logon signin auth authenticate authentication authorize session sessions token tokens accesstoken accesstokens jwt',
);
const REGISTERS = setOf(
  'register registration registrations signup user users account accounts members customer customers join',
);
const LOGOUTS = setOf('logout signout logoff');
const CURRENT = setOf('me self whoami current currentuser user account profile');
const isRefresh = (name: string) => foldedName(name).includes('refresh');

const known = new WeakMap<Operation, AccountOperation | undefined>();

/** What names suggest that an operation does with accounts: presumed. Undefined: nothing. */
export function accountOperation(operation: Operation): AccountOperation | undefined {
  if (!known.has(operation)) known.set(operation, read(operation));
  return known.get(operation);
}

function read(operation: Operation): AccountOperation | undefined {
  const { path, spot } = operation;
  const body = bodyMedia(operation.body)?.shape;
  const sent = body && pathTo(body, isOldPassword);
  const place = sent ?? (body ? envelopeOf(body) : []);
  const asked = operation.parameters.flatMap((one) => (one.in === 'query' ? [one.name] : []));
  const isGrant = isTokenEndpoint(operation, [...namesOf(body), ...asked], sent !== undefined);
  const names = [...namesOf(at(body, place)), ...(isGrant ? asked : [])];
  const last = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
  const named = names.filter(isIdentity);
  const other =
    isLoginName(last) && sent ? names.find((name) => !isOldPassword(name) && !BESIDE.test(name)) : undefined;
  const identities = named.length > 0 || other === undefined ? named : [other];
  const answer = answerShape(operation);
  const shown = tokensIn(answer);
  // Frameworks that have token endpoints leave their responses undescribed: the RFC describes them.
  const isOpen = answer && answer.properties.size === 0 && [undefined, 'object'].includes(answer.mainType);
  const tokens = shown.length === 0 && isGrant && isOpen ? GRANTED : shown;
  const sentToken = [...namesOf(body), ...(isGrant ? asked : [])].find((name) =>
    SENT_TOKEN.has(foldedName(name)),
  );
  const declared = operation.said.facts.does;
  const said = ROLES.find((one) => one === declared);
  if (declared !== undefined && !said) return undefined;
  const role = isGrant
    ? 'grant'
    : roleOf(operation, last, {
        hasSecret: sent !== undefined,
        hasPassword: sent !== undefined && identities.length > 0,
        hasToken: tokens.length > 0,
        setsCookie: setCookie(operation) !== undefined,
        sendsToken: sentToken !== undefined,
        showsMany: answer?.mainType === 'array',
      });
  const does = said ?? role;
  if (!does) return undefined;
  const inferred = {
    ...{ role: does, sent: place, identities, tokens, sentToken },
    password: names.find(does === 'current' ? isPassword : isOldPassword),
    ...basisOf(said ? ['said'] : ['name'], operation.said.at(does) ?? spot),
  };
  return { ...inferred, ...saidMembers(operation) };
}

const LEADS_IN: ReadonlySet<string> = new Set(['register', 'login', 'grant'] satisfies AccountRole[]);

/**
 * Whether an operation needs no credential whatever its security says: nobody has one before the login, or what else takes
 * a secret and hands out a token.
 */
export function needsNoCredential(operation: Operation): boolean {
  const { everybody } = operation.said.facts.may ?? {};
  if (everybody !== undefined) return everybody;
  const isExchange = secretsOf(operation).length > 0 && tokensIn(answerShape(operation)).length > 0;
  return isExchange || LEADS_IN.has(accountOperation(operation)?.role ?? '');
}

const SECRETS = 'password passphrase passwd passcode pass secret'.split(' ');
const SHORT_SECRETS = setOf('otp pin');

/** The members of a body that nobody but the user can know. */
export function secretsOf({ body }: Operation): string[] {
  const isNamed = (name: string) => SHORT_SECRETS.has(name) || SECRETS.some((end) => name.endsWith(end));
  return [...(bodyMedia(body)?.shape?.properties ?? [])]
    .filter(([name, member]) => isNamed(foldedName(name)) || member.find('format')?.value === 'password')
    .map(([name]) => name);
}

const ROLES: readonly AccountRole[] = ['register', 'login', 'grant', 'refresh', 'logout', 'current'];

/** Where `x-paddock` says that body and response have what belongs to an account. */
function saidMembers({ said }: Operation): Partial<AccountOperation> {
  const { identity, proof, token, refresh, shows } = said.facts.account ?? {};
  const sent = (proof ?? identity?.[0])?.split('.').slice(0, -1);
  const last = (path: string) => path.split('.').at(-1) ?? path;
  const tokens = [token, refresh].flatMap((one) => (one === undefined ? [] : [one.split('.')]));
  return {
    ...(sent && { sent }),
    ...(identity && { identities: identity.map(last) }),
    ...(proof !== undefined && { password: last(proof) }),
    ...(tokens.length > 0 && { tokens }),
    ...(shows !== undefined && { shows: shows.split('.') }),
  };
}

/** Of an OAuth2 token endpoint (RFC 6749 §5.1). */
const GRANTED: readonly MemberPath[] = [['access_token'], ['refresh_token']];

/** It takes a `grant_type`, or is the `tokenUrl` of a flow (OpenAPI 3.1 §4.8.29) and no login of another form. */
function isTokenEndpoint({ method, path, spot }: Operation, names: readonly string[], hasPassword: boolean) {
  if (method !== 'POST') return false;
  if (names.some((name) => foldedName(name) === 'granttype')) return true;
  return !hasPassword && tokenPaths(spot.document.root).some((known) => known.endsWith(path));
}

const tokenPathsOf = new WeakMap<Spot, readonly string[]>();

function tokenPaths(root: Spot): readonly string[] {
  const known = tokenPathsOf.get(root) ?? readTokenPaths(root);
  tokenPathsOf.set(root, known);
  return known;
}

function readTokenPaths(root: Spot): string[] {
  const components = recordAt(root, 'components');
  const schemes = children(components && recordAt(components, 'securitySchemes'));
  return schemes.flatMap(([, scheme]) =>
    children(recordAt(scheme, 'flows')).flatMap(([, flow]) => {
      const url = isRecord(flow.value) ? textAt(flow, 'tokenUrl') : undefined;
      return url === undefined ? [] : [url.replace(/^[a-z]+:\/\/[^/]*|[?#].*$/gi, '').replace(/^[./]*/, '/')];
    }),
  );
}

type Credential = Operation['security'][number][number];

/** A cookie that stands for a login. */
export interface SessionCookie extends Credential {
  readonly in: 'cookie';
}

/**
 * The cookie of a security scheme, else the one that a response sets by the document's example. Undefined: the document knows
 * of no cookies.
 */
export function sessionCookie(operations: readonly Operation[]): SessionCookie | undefined {
  const credentials = operations.flatMap(({ security }) => security.flat());
  const isCookie = (one: Credential): one is SessionCookie =>
    one.in === 'cookie' && !/csrf|xsrf/i.test(one.name);
  const own = credentials.find(isCookie);
  if (own) return own;
  const set = operations.map(setCookie).find((header) => header !== undefined);
  const sent = credentials.find(({ in: place, name }) => place === 'header' && name === 'cookie');
  const spot = set?.spot ?? sent?.spot;
  if (!spot) return undefined;
  const [shown] = [
    ...(set?.examples.values() ?? []),
    ...(set?.schema ? Shape.of([set.schema]).examples : []),
  ];
  const name = /^([\w.-]+)=/.exec(String(shown))?.[1] ?? 'session';
  return { scheme: '', kind: 'apiKey', in: 'cookie', name, scopes: [], spot };
}

/** The header by which an operation sets a cookie. */
export function setCookie(operation: Operation): Header | undefined {
  return successOf(operation)?.headers.find(({ name }) => name === 'set-cookie');
}

/** Whether something is called as logins are, in one word or several. */
export const isLoginName = (name: string): boolean => LOGINS.has(foldedName(name));

/** Whether a member tells accounts apart, by its name. */
export const isIdentity = (name: string): boolean => IDENTITIES.has(foldedName(name));

/** Whether a member is what one logs in with beside a name, by its name. */
export function isPassword(name: string): boolean {
  const folded = foldedName(name);
  return PASSWORDS.has(folded.startsWith('new') ? folded.slice('new'.length) : folded);
}

/** Beside a new one. */
const isOldPassword = (name: string) => PASSWORDS.has(foldedName(name));

/** Whether a member is what others call an account by, by its name. */
export const isAccountName = (name: string): boolean => NAMES.has(foldedName(name));
const NAMES = setOf('username name login handle nickname');

/** Whether the records at a path are those who log in, by its end. */
export const holdsAccounts = (path: string): boolean => WHO.has(recordName(path));
const WHO = setOf('user account member customer person people profile');

/** What a member beside a token says of it (RFC 6749 §5.1), by its name. Undefined: nothing. */
export function besideToken(name: string): 'type' | 'scope' | 'span' | 'expiry' | undefined {
  const plain = foldedName(name);
  if (plain === 'tokentype') return 'type';
  if (plain === 'scope' || plain === 'scopes') return 'scope';
  if (plain !== 'exp' && !wordsOf(name).some((word) => word.startsWith('expir'))) return undefined;
  return plain.endsWith('in') || plain.endsWith('seconds') ? 'span' : 'expiry';
}

function namesOf(shape: Shape | undefined): string[] {
  return shape ? memberNames(shape) : [];
}

interface Traits {
  readonly hasSecret: boolean;
  /** And a name. */
  readonly hasPassword: boolean;
  readonly hasToken: boolean;
  readonly setsCookie: boolean;
  readonly sendsToken: boolean;
  /** It responds with a list. */
  readonly showsMany: boolean;
}

function roleOf(
  { method, path, body, security }: Operation,
  last: string,
  { hasSecret, hasPassword, hasToken, setsCookie, sendsToken, showsMany }: Traits,
): AccountRole | undefined {
  const isItem = path.endsWith('}');
  if (LOGOUTS.has(foldedName(last)) && !isItem) return 'logout';
  const isSecured = security.length > 0;
  if (method === 'GET' && hasToken && isRefresh(last) && isSecured) return 'refresh';
  if (method === 'POST' && !isItem) {
    const isSign = isRefresh(last) || isLoginName(last);
    if (hasToken && (isRefresh(last) || (sendsToken && isSign && !hasPassword))) return 'refresh';
    if (isLoginName(last) && (hasPassword || setsCookie)) return 'login';
    if (isLoginName(last) && hasToken && isSecured && !body) return 'refresh';
    if (hasPassword && REGISTERS.has(foldedName(last))) return 'register';
    return hasSecret && hasToken ? 'login' : undefined;
  }
  const isOwn = CURRENT.has(foldedName(last)) && !path.includes('{') && isSecured && !showsMany;
  return isOwn && ['GET', 'PUT', 'PATCH', 'DELETE'].includes(method) ? 'current' : undefined;
}

/** The path to the object that has such a member: the schema itself, or an object in it. */
function pathTo(shape: Shape, fits: (name: string) => boolean): MemberPath | undefined {
  const has = (one: Shape) => namesOf(one).some(fits);
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
    return member.mainType === 'string' && TOKEN.has(foldedName(name)) ? [[...path, name]] : [];
  });
}

/** Whether a token is one to get others with, by the name of its member. */
export const isRefreshToken = (path: MemberPath): boolean => isRefresh(path.at(-1) ?? '');
