import {
  type Credential,
  credentialVariable,
  needsNoCredential,
  type Operation,
  type Requirement,
  unsaidSecurity,
  useMeaning,
} from '#spec';

/** The credentials of a run. */
export interface Keys {
  /** For security schemes without a credential of their own. */
  readonly apiKey: string | undefined;
  /** By the name of the security scheme. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** A credential in the form of a request: headers and query parameters to add. */
export interface Presented {
  readonly headers: readonly (readonly [name: string, value: KeyedText])[];
  readonly query: readonly (readonly [name: string, value: KeyedText])[];
}

export const NO_CREDENTIAL: Presented = { headers: [], query: [] };

/**
 * The credential of a request: the first alternative of the operation whose schemes all have their own credential, else
 * the first that the API key completes; `{}` in the list needs none.
 */
export function presentKey(operation: Operation, keys: Keys): Presented {
  const requirement = chosen(operation, keys);
  return requirement ? presentAll(requirement, keys) : NO_CREDENTIAL;
}

/** The further alternatives whose schemes all have their own credential. */
export function otherAlternatives(operation: Operation, keys: Keys): Requirement[] {
  const first = chosen(operation, keys);
  return operation.security.filter((requirement) => requirement !== first && isOwn(requirement, keys));
}

/** The schemes without a credential that prevent a call of the operation; empty if no credential was given at all. */
export function missingSchemes(operation: Operation, keys: Keys): string[] {
  const isGiven = keys.apiKey !== undefined || Object.keys(keys.credentials).length > 0;
  const requirement = chosen(operation, keys);
  if (!isGiven || !requirement) return [];
  return requirement.filter((credential) => !keyFor(credential, keys)).map(({ scheme }) => scheme);
}

/** The schemes whose credentials a request of an operation contains. */
export function schemesFor(operation: Operation, keys: Keys): string[] {
  return (chosen(operation, keys) ?? []).map(({ scheme }) => scheme);
}

function chosen(operation: Operation, keys: Keys): Requirement | undefined {
  const { security } = operation;
  return firstGiven(security, keys) ?? security[0] ?? firstGiven(unsaidSecurity(operation), keys);
}

function firstGiven(security: readonly Requirement[], keys: Keys): Requirement | undefined {
  return (
    security.find((requirement) => isOwn(requirement, keys)) ??
    security.find((requirement) => requirement.every((credential) => keyFor(credential, keys)))
  );
}

function isOwn(requirement: Requirement, { credentials }: Keys): boolean {
  return requirement.length > 0 && requirement.every(({ scheme }) => Object.hasOwn(credentials, scheme));
}

/** Undefined: the scheme has no credential, and there is no API key. */
export function keyFor({ scheme }: Credential, { apiKey, credentials }: Keys): KeyedText | undefined {
  const credential = Object.hasOwn(credentials, scheme) ? credentials[scheme] : undefined;
  if (credential !== undefined) return theKey(credential, credentialVariable(scheme));
  return apiKey === undefined ? undefined : theKey(apiKey);
}

/** Whether every alternative requires a credential, and no description says that none is needed. */
export function needsKey(operation: Operation): boolean {
  const { security } = operation;
  const isAsked = security.length > 0 && security.every((requirement) => requirement.length > 0);
  return isAsked && !useMeaning(operation).isPublic && !needsNoCredential(operation);
}

/** The available credentials of those that are required together. */
export function presentAll(credentials: readonly Credential[], keys: Keys): Presented {
  const parts = credentials.flatMap((credential, index) => {
    const key = keyFor(credential, keys);
    // Two bearer schemes share one header.
    const isSent = credentials.slice(0, index).some((other) => isSamePlace(other, credential));
    return key && !isSent ? present(credential, key) : [];
  });
  return joined(parts);
}

export function isSamePlace(one: Credential, other: Credential): boolean {
  return one.in === other.in && one.name === other.name;
}

/** A credential in its documented form, with the key as its secret. */
export function present(credential: Credential, key: KeyedText): Presented {
  switch (credential.kind) {
    case 'bearer':
      return inHeader('Authorization', keyed`Bearer ${key}`);
    case 'basic':
      return inHeader('Authorization', keyed`Basic ${base64Of(userAndPassword(key))}`);
    case 'apiKey':
      if (credential.in === 'query') return { headers: [], query: [[credential.name, key]] };
      return credential.in === 'cookie'
        ? inHeader('Cookie', keyed`${literalText(credential.name)}=${key}`)
        : inHeader(
            credential.name,
            credential.before ? keyed`${literalText(credential.before)} ${key}` : key,
          );
  }
}

/** RFC 7617 §2: a colon separates user and password, even without a password. */
export function userAndPassword(key: KeyedText): KeyedText {
  return key.text.includes(':') ? key : keyed`${key}:`;
}

export function inHeader(name: string, value: KeyedText): Presented {
  return { headers: [[name, value]], query: [] };
}

/** Merges credentials: a request has a single Cookie header (RFC 6265 §5.4). */
export function joined(parts: readonly Presented[]): Presented {
  const headers = parts.flatMap((part) => part.headers);
  const cookies = headers.filter(([name]) => name === 'Cookie').map(([, value]) => value);
  return {
    headers: [
      ...headers.filter(([name]) => name !== 'Cookie'),
      ...(cookies.length > 0 ? [['Cookie', joinKeyed(cookies, '; ')] as const] : []),
    ],
    query: parts.flatMap((part) => part.query),
  };
}

/** A text with a credential, and the same for a POSIX shell that reads the credential from its environment. */
export interface KeyedText {
  readonly text: string;
  /** For use between double quotes. */
  readonly shell: string;
}

/** A secret header of the user: `$PADDOCK_HEADER_X_API_KEY` for `X-Api-Key`. */
export function headerVariable(name: string, value: string): KeyedText {
  return { text: value, shell: `$PADDOCK_HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}` };
}

export function literalText(text: string): KeyedText {
  return { text, shell: text.replace(/[\\"$`]/g, '\\$&') };
}

/** @param variable the environment variable with the key */
export function theKey(key: string, variable = 'PADDOCK_API_KEY'): KeyedText {
  return { text: key, shell: `$${variable}` };
}

/** A template literal of keyed texts; no letter, digit or underscore may follow a variable. */
export function keyed(strings: TemplateStringsArray, ...values: readonly KeyedText[]): KeyedText {
  return joinKeyed(
    strings.flatMap((text, index) => [literalText(text), ...values.slice(index, index + 1)]),
    '',
  );
}

export function joinKeyed(parts: readonly KeyedText[], separator: string): KeyedText {
  return {
    text: parts.map(({ text }) => text).join(separator),
    shell: parts.map(({ shell }) => shell).join(separator),
  };
}

/** Base64 (RFC 4648 §4); GNU `base64` wraps its lines. */
export function base64Of({ text, shell }: KeyedText): KeyedText {
  return {
    text: Buffer.from(text).toString('base64'),
    shell: `$(printf %s "${shell}" | base64 | tr -d '\\n')`,
  };
}
