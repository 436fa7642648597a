import { isRecord, isSecretHeader, isSecretName, maskUrl } from '#spec';

/** A secret, or the NAME of the environment variable with it: files and command lines use the variable. */
export type Secret = string | { readonly env: string };

/**
 * The source of a security scheme's credential. An obtained credential is renewed when it is rejected (401) or about to
 * expire.
 */
export type CredentialSource = Secret | CommandSource | GrantSource | LoginSource | CredentialFunction;

/** The first line that a shell command prints: `gh auth token`. */
export interface CommandSource {
  readonly command: string;
  /** Its lifetime in seconds. Default: until it is rejected. */
  readonly expiresIn?: number | undefined;
}

/** An OAuth 2 token (RFC 6749 §4.3, §4.4, §6). */
export interface GrantSource {
  readonly grant: 'client_credentials' | 'password' | 'refresh_token';
  /** Default: that of the document. */
  readonly tokenUrl?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: Secret | undefined;
  /** How the client authenticates (RFC 6749 §2.3.1). Default: basic, if it has a secret. */
  readonly clientAuth?: 'basic' | 'body' | undefined;
  readonly username?: string | undefined;
  readonly password?: Secret | undefined;
  readonly refreshToken?: Secret | undefined;
  readonly scope?: string | undefined;
  /** Further parameters, such as `audience`. */
  readonly parameters?: Readonly<Record<string, Secret>> | undefined;
}

/** A login request. */
export interface LoginSource {
  /** Method and path below the base URL, or a URL: `POST /sessions`. */
  readonly login: string;
  /** Sent as JSON; `{ env: NAME }` in it is replaced by the variable's value. */
  readonly body?: unknown;
  /** Sent as a form instead of `body`. */
  readonly form?: Readonly<Record<string, Secret>> | undefined;
  readonly headers?: Readonly<Record<string, Secret>> | undefined;
  /** Where the response contains the credential: a JSON Pointer into its body, the name of a header or of a cookie. */
  readonly take: { readonly body: string } | { readonly header: string } | { readonly cookie: string };
  /** Its lifetime in seconds, or a JSON Pointer to it. Default: until it is rejected, or its cookie expires. */
  readonly expiresIn?: number | string | undefined;
}

/** A function of the user that obtains a credential. */
export type CredentialFunction = (request: CredentialRequest) => string | Issued | Promise<string | Issued>;

export interface CredentialRequest {
  /** The name of the security scheme. */
  readonly scheme: string;
  /** The base URL of the target. */
  readonly target: string;
  /** The credential that was rejected, or is about to expire; undefined: this is the first one. */
  readonly former: string | undefined;
}

/** A credential with its lifetime; without one, it is valid until it is rejected. */
export interface Issued {
  readonly value: string;
  /** In seconds. */
  readonly expiresIn?: number | undefined;
  /** A date, its text, or milliseconds since the epoch. */
  readonly expiresAt?: Date | string | number | undefined;
}

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number' && value > 0;
const isSecret = (value: unknown) => isText(value) || isVariable(value);
const isSecrets = (value: unknown) => isRecord(value) && Object.values(value).every(isSecret);
const isAny = () => true;
const GRANTS: readonly unknown[] = ['client_credentials', 'password', 'refresh_token'];
const TAKES = ['body', 'header', 'cookie'];

function isTake(value: unknown): boolean {
  const [[place, name] = [], ...more] = isRecord(value) ? Object.entries(value) : [];
  return more.length === 0 && TAKES.includes(place ?? '') && isText(name);
}

type Members = Readonly<Record<string, (value: unknown) => boolean>>;

/** The forms of a source, by their distinctive member. */
const FORMS: Readonly<Record<string, Members>> = {
  env: { env: isText },
  command: { command: isText, expiresIn: isNumber },
  grant: {
    grant: (value) => GRANTS.includes(value),
    tokenUrl: isText,
    clientId: isText,
    clientSecret: isSecret,
    clientAuth: (value) => value === 'basic' || value === 'body',
    username: isText,
    password: isSecret,
    refreshToken: isSecret,
    scope: isText,
    parameters: isSecrets,
  },
  login: {
    login: (value) => isText(value) && /^[A-Z]+ \S+$/.test(value as string),
    body: isAny,
    form: isSecrets,
    headers: isSecrets,
    take: isTake,
    expiresIn: (value) => isNumber(value) || isText(value),
  },
};

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  login: ['take'],
  client_credentials: ['clientId'],
  password: ['username', 'password'],
  refresh_token: ['refreshToken'],
};

/** What is wrong with a source; undefined: nothing. Values are not shown, as they may be secrets. */
export function sourceProblem(source: unknown): string | undefined {
  if (isText(source))
    return /\p{Cc}/u.test(source as string) ? 'it must be without control characters' : undefined;
  if (typeof source === 'function') return undefined;
  const form = isRecord(source) ? Object.keys(FORMS).find((name) => name in source) : undefined;
  if (!isRecord(source) || form === undefined)
    return 'it must be a text, a function, or have one of env, command, grant, login';
  const members = FORMS[form] ?? {};
  for (const [name, value] of Object.entries(source)) {
    if (!Object.hasOwn(members, name)) return `"${name}" is none of ${Object.keys(members).join(', ')}`;
    if (value !== undefined && !members[name]?.(value)) return `its ${name} is not of the right form`;
  }
  const needed = [...(REQUIRED[form] ?? []), ...(REQUIRED[String(source.grant)] ?? [])];
  const missing = needed.find((name) => source[name] === undefined);
  return missing === undefined ? undefined : `it needs ${missing}`;
}

/** The places of literal secrets in a source: they do not belong in a file. */
export function plainSecrets(source: unknown): string[] {
  if (isText(source)) return ['its value'];
  if (!isRecord(source)) return [];
  const urls = ['tokenUrl', 'login'].filter((name) => isText(source[name]) && hasSecret(`${source[name]}`));
  return [...secretMembers(source).map(([name]) => name), ...urls.map((name) => `a part of ${name}`)];
}

/** The members that contain a literal secret, judging by their names: `body.user.password`. */
function secretMembers(source: Readonly<Record<string, unknown>>): [name: string, secret: string][] {
  const names = ['clientSecret', 'password', 'refreshToken'];
  return [
    ...membersIn(Object.fromEntries(names.map((name) => [name, source[name]])), [], isSecretName),
    ...['body', 'form', 'parameters'].flatMap((name) => membersIn(source[name], [name], holdsSecret)),
    ...membersIn(source.headers, ['headers'], isSecretHeader),
  ];
}

function membersIn(
  value: unknown,
  path: readonly string[],
  isSecretMember: (name: string) => boolean,
): [name: string, secret: string][] {
  if (Array.isArray(value)) return value.flatMap((one) => membersIn(one, path, isSecretMember));
  if (isRecord(value))
    return isVariable(value)
      ? []
      : Object.entries(value).flatMap(([name, one]) => membersIn(one, [...path, name], isSecretMember));
  const isPlain = (isText(value) && value !== '') || ['number', 'bigint'].includes(typeof value);
  return isPlain && isSecretMember(path.at(-1) ?? '') ? [[path.join('.'), String(value)]] : [];
}

/** Names such as `tokenType` or `sessionTimeout` describe a secret, and contain none. */
const holdsSecret = (name: string) =>
  isSecretName(name) && !/(?:format|lifetime|method|scheme|timeout|ttl|type|ur[il])$/i.test(name);

/** A password in a URL, or a secret query parameter. */
function hasSecret(text: string): boolean {
  const url = URL.parse(text.split(' ').at(-1) ?? '');
  return (url !== null && url.password !== '') || maskUrl(text, '') !== text;
}

function isVariable(value: unknown): value is { readonly env: string } {
  return isRecord(value) && isText(value.env) && Object.keys(value).length === 1;
}

/** A source with its variables replaced, and their values. */
export interface ResolvedSource {
  readonly source: CredentialSource;
  readonly secrets: readonly string[];
}

/** @throws RangeError for a variable that is not set */
export function resolveSource(
  source: CredentialSource,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ResolvedSource {
  const secrets: string[] = [];
  function resolved(value: unknown): unknown {
    if (isVariable(value)) {
      const held = environment[value.env];
      if (!held) throw new RangeError(`the environment variable ${value.env}, which it names, is not set`);
      secrets.push(held);
      return held;
    }
    if (Array.isArray(value)) return value.map(resolved);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member)]));
  }
  const made = resolved(source) as CredentialSource;
  if (isRecord(made)) secrets.push(...secretMembers(made).map(([, secret]) => secret));
  return { source: made, secrets };
}
