import { children, rawChild, recordAt, type Spot, textAt } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { memberNames } from '../meaning/member-named.ts';
import { foldedName, idWord, setOf, singularName, wordsOf } from '../meaning/names.ts';
import { VERBS_OF_PATHS } from '../meaning/verb.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { secretsOf, setCookie } from './credentials.ts';
import { itemOf, lastSegment, recordName, withoutSuffix } from './paths.ts';
import { answerShape, bodyShape, shapeAt } from './record-schema.ts';

/** `grant`: an OAuth2 token endpoint (RFC 6749 §3.2). `current`: works on the account whose credential a request has. */
const ROLES = ['register', 'login', 'grant', 'refresh', 'logout', 'current'] as const;
type AccountRole = (typeof ROLES)[number];

export type MemberPath = readonly string[];

/** What an operation does with accounts. */
export interface AccountOperation extends Basis {
  readonly role: AccountRole;
  /** The path to the account's members in a body: empty, or the name of an envelope. */
  readonly sent: MemberPath;
  /** The members that identify an account at login. */
  readonly identities: readonly string[];
  readonly password: string | undefined;
  /** The member of the body with a token. */
  readonly sentToken: string | undefined;
  /** The paths of tokens in a response. */
  readonly tokens: readonly MemberPath[];
  /** The path of the account in a response, if `x-paddock` says it. */
  readonly shows?: MemberPath;
}

const named = (names: string) => {
  const all = setOf(names);
  return (name: string): boolean => all.has(foldedName(name));
};

/** As {@link named}, also behind a word for the user: `user_email`, `u_password`. */
const namedOfUser = (names: string) => {
  const is = named(names);
  return (name: string): boolean => {
    const [first = '', ...words] = wordsOf(name);
    return is(name) || (OF_USERS.has(first) && is(words.join('')));
  };
};

const OF_USERS = setOf('user usr u');

/** Whether a path segment is a usual name of a login. */
export const isLoginName = named(
  'login logon signin auth authenticate authentication authorize session sessions token tokens accesstoken accesstokens',
);
/** Whether a member identifies an account, by its name. */
export const isIdentity = namedOfUser(
  'email emailaddress username user login loginname account accountname phone phonenumber mobile nickname handle',
);
/** Whether a member is the public name of an account, by its name. */
export const isAccountName = named('username name login handle nickname');
/** The password in use, in contrast to a new one. */
const isOldPassword = namedOfUser(
  'pass password password1 userpassword passwordhash hashedpassword passwd passphrase passcode pwd',
);
const isToken = named(
  'token jwt access refresh accesstoken authtoken idtoken jwttoken sessiontoken refreshtoken bearertoken',
);
/** Names of tokens in the response of a login that has no other. */
const isKey = named('key apikey authkey');
const isRefresh = (name: string) => foldedName(name).includes('refresh');

/** Whether a member is a password, by its name. */
export const isPassword = (name: string): boolean => isOldPassword(foldedName(name).replace(/^new/, ''));

const isRenewed = (name: string) => isPassword(name) && !isOldPassword(name);

/** Whether a token is a refresh token, by the name of its member. */
export const isRefreshToken = (path: MemberPath): boolean => isRefresh(path.at(-1) ?? '');

/** Whether the records at a path are accounts, by its last segment. */
export const holdsAccounts = (path: string): boolean => isAccount(recordName(path));
/** The same of those alone who write and own records: customers may be records themselves, and accounts those of a bank. */
export const holdsUsers = (path: string): boolean => recordName(path) === 'user';
const isAccount = named('user account member customer person people profile');

/** The meaning of a member beside a token (RFC 6749 §5.1), by its name. Undefined: none. */
export function besideToken(name: string): 'type' | 'scope' | 'span' | 'expiry' | undefined {
  const plain = foldedName(name);
  if (plain === 'tokentype') return 'type';
  if (plain === 'scope' || plain === 'scopes') return 'scope';
  if (plain !== 'exp' && !wordsOf(name).some((word) => word.startsWith('expir'))) return undefined;
  return plain.endsWith('in') || plain.endsWith('seconds') ? 'span' : 'expiry';
}

const isMe = named(
  'me self whoami myinfo mydata current currentuser userinfo myself myaccount myprofile mydetails',
);
const isUser = named('user account profile userinfo');
const isData = named('info data details account profile user');

/** Whether a segment without an id means the caller's account: `me`, `user_info`, `update-user`. */
function isOneself(name: string): boolean {
  const [verb = '', ...words] = wordsOf(name);
  const noun = words.join('');
  if (verb === 'my') return isMe(name) || isData(noun);
  return isMe(name) || (VERBS_OF_PATHS.has(verb) && (isMe(noun) || isUser(noun)));
}

/** Whether a path without an id changes the caller's account: `/users/update`, `/users/delete`. */
function isOwnChange(path: string): boolean {
  const [above = '', last = ''] = withoutSuffix(path).split('/').slice(-2);
  const change = VERBS_OF_PATHS.get(last);
  return (change === 'changed' || change === 'removed') && isAccount(singularName(above));
}

/** Whether a path creates an account: `/users/create`, `/register-customer`. */
function makesAccount(path: string): boolean {
  const [above = '', last = ''] = withoutSuffix(path).split('/').slice(-2);
  const [verb = '', ...words] = wordsOf(last);
  const noun = words.length > 0 ? words.join('') : above;
  return VERBS_OF_PATHS.get(verb) === 'created' && isAccount(singularName(noun));
}

const isRegistered = named(
  'register registration registrations signup user users usuario usuarios account accounts members customer customers join',
);

/** What a rule requires of an operation besides the last segment of its path. */
type Trait =
  | 'password'
  | 'secret'
  | 'token'
  | 'handed'
  | 'cookie'
  | 'own'
  | 'mine'
  | 'named'
  | 'renewed'
  | 'above'
  | 'given'
  | 'made'
  | 'kept'
  | 'change'
  | 'exchanged';

/** Rules for the role of an operation: role, methods, last segment of the path, and traits. The first that fits counts. */
const RULES: readonly (readonly [
  AccountRole,
  methods: string,
  word: (name: string) => boolean,
  ...Trait[],
])[] = [
  ['logout', 'GET POST PUT PATCH DELETE', named('logout signout logoff')],
  ['refresh', 'POST', isRefresh, 'token'],
  ['refresh', 'POST', isRefresh, 'given'],
  ['refresh', 'GET', named('refresh refreshtoken tokenrefresh'), 'own'],
  ['login', 'POST', isLoginName, 'password'],
  ['login', 'POST', isLoginName, 'cookie'],
  ['register', 'POST', isRegistered, 'password'],
  ['register', 'POST', () => true, 'password', 'above'],
  ['register', 'POST', () => true, 'password', 'made'],
  ['register', 'POST', () => true, 'password', 'named', 'kept'],
  ['login', 'POST', () => true, 'secret', 'handed'],
  ['login', 'POST', () => true, 'exchanged', 'handed'],
  ['current', 'POST PUT PATCH', () => true, 'own', 'renewed'],
  ['current', 'GET PUT PATCH DELETE', isOneself, 'mine'],
  ['current', 'GET PUT PATCH DELETE', named('user account profile profil perfil'), 'own'],
  ['current', 'GET', isLoginName, 'own', 'named'],
  ['current', 'PUT PATCH DELETE', () => true, 'mine', 'change'],
];

const isEmail = named('email emailaddress mail');

/** The role of an operation for accounts, by names (presumed) or as `x-paddock` says. Undefined: none. */
export const accountOperation = oncePer(readAccount);

function readAccount(operation: Operation): AccountOperation | undefined {
  const { method, path, spot, security, said, parameters } = operation;
  const last = lastSegment(path) ?? '';
  const body = bodyShape(operation);
  const answer = answerShape(operation);
  const passwordPlace = body && placeOfPassword(body);
  const place = passwordPlace ?? (body ? envelopeOf(body) : []);
  const account = shapeAt(body, place);
  // Without a body, the query may have the account's members.
  const asked = parameters.flatMap((parameter) =>
    parameter.in === 'query' && method === 'POST' ? parameter.name : [],
  );
  const names = body ? namesOf(account) : asked;
  const hasPassword = passwordPlace !== undefined || (!body && names.some(isOldPassword));
  const identities = names.filter(isIdentity);
  const [other] = isLoginName(last) && hasPassword ? names.filter((name) => !isOldPassword(name)) : [];
  if (identities.length === 0 && other !== undefined) identities.push(other);
  const isGrant = isTokenEndpoint(operation, names, passwordPlace !== undefined);
  const usual = tokensIn(answer);
  const tokensShown =
    usual.length === 0 && hasPassword && (isLoginName(last) || isRegistered(last))
      ? tokensIn(answer, isKey)
      : usual;
  const tokens = tokensShown.length === 0 && isGrant && answer?.properties.size === 0 ? GRANTED : tokensShown;
  const isOfOne = !path.includes('{') && answer?.mainType !== 'array';
  const traits: Readonly<Record<Trait, boolean>> = {
    password: hasPassword && identities.length > 0,
    secret: passwordPlace !== undefined,
    token: tokens.length > 0,
    // A token that the body has too may be a stored member of the record, not one that the login issues.
    handed: tokens.some(([...path]) => {
      const name = path.pop() ?? '';
      return !names.includes(name) || account?.properties.get(name)?.readOnly === true;
    }),
    cookie: setCookie(operation) !== undefined,
    own: security.length > 0 && isOfOne,
    mine: (security.length > 0 || isForgotten(operation)) && isOfOne,
    named: namesOf(answer).some(isIdentity),
    above: isAboveLogin(operation),
    given: names.some((name) => isRefresh(name) && isToken(name)),
    made: makesAccount(path),
    // What is made with an e-mail address and a password, and is shown with an id, logs in: `/doctors`.
    kept: place.length === 0 && names.some(isEmail) && namesOf(answer).some(idWord),
    change:
      isOwnChange(path) &&
      !names.some((name) => idWord(name) && account?.properties.get(name)?.readOnly !== true) &&
      !parameters.some(({ name }) => idWord(name)),
    // A login that trusts another service. If it required a login itself, it would have its own security requirement.
    exchanged: path.split('/').some(isLoginName) && (security.length === 0 || !rawChild(spot, 'security')),
    renewed: names.some(isRenewed),
  };
  const isItem = itemOf(path) !== undefined;
  const [inferred] = RULES.flatMap(([role, methods, word, ...needed]) =>
    methods.split(' ').includes(method) && !isItem && word(last) && needed.every((trait) => traits[trait])
      ? role
      : [],
  );
  const { does } = said.facts;
  const role = does === undefined ? (isGrant ? 'grant' : inferred) : ROLES.find((one) => one === does);
  if (!role) return undefined;
  return {
    role,
    identities,
    tokens,
    sent: place,
    sentToken: namesOf(body).find(named('token refresh refreshtoken')),
    password: names.find(role === 'current' ? isRenewed : isOldPassword) ?? names.find(isOldPassword),
    ...basisOf([does ? 'said' : 'name'], said.at(role) ?? spot),
    ...saidMembers(operation),
  };
}

/** Whether people register themselves there, by the path; elsewhere `security` says who makes their accounts. */
const isForNewcomers = (operation: Operation): boolean =>
  isRegistered(lastSegment(operation.path) ?? '') || isAboveLogin(operation) || makesAccount(operation.path);

/** The paths of a document's logins, by name. */
const loginPaths = oncePer((root: Spot): readonly string[] => {
  const { value } = recordAt(root, 'paths') ?? {};
  const paths = isRecord(value) ? Object.keys(value) : [];
  return paths.filter((path) => isLoginName(lastSegment(path) ?? ''));
});

/** `/usuarios` is above `/usuarios/login`. */
const isAboveLogin = ({ path, spot }: Operation): boolean =>
  loginPaths(spot.document.root).some((login) => login.startsWith(`${withoutSuffix(path)}/`));

const folderOf = (path: string) => withoutSuffix(path).replace(/[^/]*$/, '');

/** Whether a document with a login omits security: it has no schemes at all, or the path is `/me`. */
function isForgotten(operation: Operation): boolean {
  const components = recordAt(operation.spot.document.root, 'components');
  const schemes = components && recordAt(components, 'securitySchemes');
  const isOpen = children(schemes).length === 0 || isMe(lastSegment(operation.path) ?? '');
  return isOpen && loginPaths(operation.spot.document.root).length > 0;
}

/** The places of an account's parts in body and response, as `x-paddock` says. */
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

/** The tokens of a token endpoint without a described response (RFC 6749 §5.1). */
const GRANTED: readonly MemberPath[] = [['access_token'], ['refresh_token']];

/**
 * A token endpoint takes a `grant_type`, or is the `tokenUrl` of a flow (OpenAPI 3.1 §4.8.29) without a password of its
 * own.
 */
function isTokenEndpoint({ method, path, spot }: Operation, names: readonly string[], hasPassword: boolean) {
  if (method !== 'POST') return false;
  if (names.some((name) => foldedName(name) === 'granttype')) return true;
  return !hasPassword && tokenPaths(spot.document.root).some((tokenPath) => tokenPath.endsWith(path));
}

function tokenPaths(root: Spot): string[] {
  const components = recordAt(root, 'components');
  const schemes = children(components && recordAt(components, 'securitySchemes'));
  return schemes
    .flatMap(([, scheme]) => children(recordAt(scheme, 'flows')))
    .flatMap(([, flow]) => (isRecord(flow.value) ? (textAt(flow, 'tokenUrl') ?? []) : []))
    .map((url) => URL.parse(url, 'http://a/')?.pathname ?? url);
}

/**
 * Whether an operation needs no credential whatever its security says: no client has one before the login, or before an
 * operation that exchanges a secret for a token.
 */
export function needsNoCredential(operation: Operation): boolean {
  const { everybody } = operation.said.facts.may ?? {};
  if (everybody !== undefined) return everybody;
  const isExchange = secretsOf(operation).length > 0 && tokensIn(answerShape(operation)).length > 0;
  const { role = '', sentToken } = accountOperation(operation) ?? {};
  if (role === 'refresh') return sentToken !== undefined;
  if (role === 'register') return isExchange || isForNewcomers(operation);
  return isExchange || ['login', 'grant'].includes(role);
}

/**
 * The logins for accounts that clients can register: the only login, whatever it calls the name (RFC 6749 §4.3.2), else
 * those in the folder of a registration that share a member with it. Logins of administrators have no registration.
 */
export function registeredLogins(operations: readonly Operation[]): ReadonlySet<Operation> {
  const all = operations.flatMap((operation) => ({ one: operation, ...accountOperation(operation) }));
  const registers = all.filter(({ role }) => role === 'register');
  const logins = all.filter(({ role = '' }) => ['login', 'grant'].includes(role));
  const registered = logins.filter(({ one: operation, identities = [] }, _, { length }) =>
    registers.some(
      (register) =>
        length === 1 ||
        (register.identities?.some((name) => identities.includes(name)) &&
          folderOf(register.one.path) === folderOf(operation.path)),
    ),
  );
  return new Set(registered.map(({ one: operation }) => operation));
}

const namesOf = (shape: Shape | undefined) => (shape ? memberNames(shape) : []);

/** The path of the object with a password: the body, or an object in it. */
function placeOfPassword(shape: Shape): MemberPath | undefined {
  if (namesOf(shape).some(isOldPassword)) return [];
  const inner = [...shape.properties].find(
    ([, member]) => member.mainType === 'object' && namesOf(member).some(isOldPassword),
  );
  return inner && [inner[0]];
}

/** The only member of a body that is an envelope of the account: `{ "user": {} }`. */
function envelopeOf({ properties }: Shape): MemberPath {
  const [[name, member] = [], ...more] = properties;
  return name !== undefined && more.length === 0 && member?.properties.size ? [name] : [];
}

function tokensIn(shape: Shape | undefined, isCalled = isToken, path: MemberPath = []): MemberPath[] {
  if (!shape || path.length > 2) return [];
  const [branch] = shape.alternatives
    .map((alternative) => tokensIn(alternative, isCalled, path))
    .filter((one) => one.length > 0);
  if (branch) return branch;
  return [...shape.properties].flatMap(([name, member]) => {
    if (member.mainType === 'object') return tokensIn(member, isCalled, [...path, name]);
    return member.mainType === 'string' && isCalled(name) ? [[...path, name]] : [];
  });
}
