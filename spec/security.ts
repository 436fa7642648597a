import {
  addWarning,
  child,
  children,
  listAt,
  placeOf,
  rawChild,
  rawChildren,
  type Spot,
  showPlace,
  textAt,
  textsAt,
} from './document/spot.ts';
import { oncePer } from './json/once-per.ts';

/** How one credential is sent (Security Scheme Object, OpenAPI 3.1 §4.8.27). */
export interface Credential {
  /** The name of the security scheme in `components.securitySchemes`. */
  readonly scheme: string;
  /** `oauth2` and `openIdConnect` count as `bearer` (RFC 6750). */
  readonly kind: 'bearer' | 'basic' | 'apiKey';
  readonly in: 'header' | 'query' | 'cookie';
  /** The name of the header (in lower case; `authorization` for bearer and basic), query parameter or cookie. */
  readonly name: string;
  /** The scheme before the key in `Authorization` that is not in RFC 9110: `Token` of Django and Rails. */
  readonly before?: string;
  /** The scopes that a token must have (OAuth 2.0, RFC 6749 §3.3); empty for types other than oauth2 and openIdConnect. */
  readonly scopes: readonly string[];
  readonly spot: Spot;
}

/**
 * A Security Requirement Object (OpenAPI 3.1 §4.8.30): credentials that are required together. An operation lists
 * alternatives of these; an empty one requires no credential.
 */
export type Requirement = readonly Credential[];

/** Whether a request needs no credential: none is required, or an alternative is empty. */
export const isOpen = (alternatives: readonly Requirement[]): boolean =>
  alternatives.length === 0 || alternatives.some((requirement) => requirement.length === 0);

/**
 * The operation's own `security`, else the document's. A credential that cannot be sent or checked is omitted with a
 * warning; so is an alternative that requires one, if there are others.
 */
export function readSecurity(root: Spot, operation: Spot): Requirement[] {
  const owner = [operation, root].find((spot) => rawChild(spot, 'security'));
  const alternatives = (owner ? listAt(owner, 'security') : []).map((requirement) => ({
    requirement,
    credentials: children(requirement).map(([scheme]) => readCredential(root, scheme, requirement)),
  }));
  const usable = alternatives.filter(({ credentials }) => !credentials.includes(undefined));
  return (usable.length > 0 ? usable : alternatives).flatMap(({ requirement, credentials }) =>
    sendable(
      requirement,
      credentials.filter((credential) => credential !== undefined),
    ),
  );
}

/**
 * The credentials that may be sent if neither operation nor document has `security`, although the document describes
 * security schemes. An explicit `security: []` means that none is required.
 */
export const unsaidSecurity = oncePer(({ spot }: { readonly spot: Spot }): readonly Requirement[] => {
  const { root } = spot.document;
  if (rawChild(spot, 'security') ?? rawChild(root, 'security')) return [];
  return readSchemeNames(root).flatMap((scheme) => {
    const credential = readCredential(root, scheme, spot);
    return credential ? [[credential]] : [];
  });
});

/** The names of the security schemes in the document, used or not. */
export function readSchemeNames(root: Spot): string[] {
  return rawChildren(schemesOf(root)).map(([scheme]) => scheme);
}

/** The environment variable of a scheme's credential: `PADDOCK_CREDENTIAL_PET_STORE` for `pet-store`. */
export function credentialVariable(scheme: string): string {
  return `PADDOCK_CREDENTIAL_${scheme.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

/**
 * Credentials by the names of security schemes in the document. A name may also be the suffix of the scheme's
 * environment variable.
 * @throws RangeError for a scheme that the document does not have
 */
export function credentialsByScheme<Value>(
  credentials: Readonly<Record<string, Value>>,
  { securitySchemes, document: { root } }: { securitySchemes: readonly string[]; document: { root: Spot } },
): Record<string, Value> {
  const entries = Object.entries(credentials);
  const isExact = ([name]: readonly [string, unknown]) => securitySchemes.includes(name);
  const named = entries.flatMap(([name, credential]) => {
    const isOf = (scheme: string) => credentialVariable(scheme) === `PADDOCK_CREDENTIAL_${name}`;
    const schemes = securitySchemes.includes(name) ? [name] : securitySchemes.filter(isOf);
    if (schemes.length > 0) return schemes.map((scheme) => [scheme, credential] as const);
    const has = securitySchemes.length > 0 ? `it has ${securitySchemes.join(', ')}` : 'it has none';
    const components = rawChild(root, 'components');
    const at = showPlace(placeOf(schemesOf(root) ?? components ?? root));
    throw new RangeError(`option credentials: ${at} has no security scheme ${JSON.stringify(name)}; ${has}`);
  });
  // A credential with the exact name takes precedence over one with the name of a variable.
  return Object.fromEntries([...named, ...entries.filter(isExact)]);
}

function schemesOf(root: Spot): Spot | undefined {
  const components = child(root, 'components');
  return components && child(components, 'securitySchemes');
}

/**
 * A request has a single `Authorization`. Many documents require several credentials in it together; these are read as
 * alternatives.
 */
function sendable(requirement: Spot, credentials: readonly Credential[]): Requirement[] {
  const isRival = (one: Credential, other: Credential) =>
    one.in === other.in && one.name === other.name && one.kind !== other.kind;
  const rival = credentials.find((credential) => credentials.some((other) => isRival(credential, other)));
  if (!rival) return [credentials];
  const others = credentials.filter((other) => isRival(rival, other));
  const message = `"${rival.scheme}" and "${others[0]?.scheme}" are both sent in ${rival.name}`;
  addWarning(requirement, `${message}, which a request has once; either is read as enough`);
  return [
    ...sendable(
      requirement,
      credentials.filter((credential) => !others.includes(credential)),
    ),
    ...sendable(
      requirement,
      credentials.filter(
        (credential) =>
          credential.in !== rival.in || credential.name !== rival.name || credential.kind !== rival.kind,
      ),
    ),
  ];
}

function readCredential(root: Spot, scheme: string, requirement: Spot): Credential | undefined {
  const schemes = schemesOf(root);
  const spot = schemes && child(schemes, scheme);
  if (!spot)
    return leaveOut(requirement, `the security scheme "${scheme}" is not among components.securitySchemes`);
  const authorization = { scheme, in: 'header', name: 'authorization', scopes: NO_SCOPES, spot } as const;
  switch (textAt(spot, 'type')) {
    case 'http': {
      const kind = textAt(spot, 'scheme')?.toLowerCase();
      if (kind === 'basic' || kind === 'bearer') return { ...authorization, kind };
      if (kind === 'token') return { ...authorization, kind: 'apiKey', before: 'Token' };
      const message = `the http scheme of "${scheme}" must be bearer or basic: no other is supported`;
      return leaveOut(rawChild(spot, 'scheme') ?? spot, message);
    }
    case 'oauth2':
    case 'openIdConnect':
      return { ...authorization, kind: 'bearer', scopes: textsAt(requirement, scheme) };
    case 'apiKey':
      return readApiKey(spot, scheme);
    case 'mutualTLS':
      return addWarning(
        spot,
        `"${scheme}" is a certificate of the connection, which no request carries; it is not checked`,
      );
    default:
      return leaveOut(
        spot,
        `the security scheme "${scheme}" has no type that this tool knows (http, apiKey, mutualTLS, oauth2, openIdConnect)`,
      );
  }
}

function readApiKey(spot: Spot, scheme: string): Credential | undefined {
  const name = textAt(spot, 'name');
  const place = textAt(spot, 'in');
  if (!name) return leaveOut(spot, `the apiKey scheme "${scheme}" has no name`);
  if (place !== 'header' && place !== 'query' && place !== 'cookie')
    return leaveOut(spot, `the apiKey scheme "${scheme}" must be in header, query or cookie`);
  const ownName = place === 'header' ? name.toLowerCase() : name;
  return { scheme, kind: 'apiKey', in: place, name: ownName, scopes: NO_SCOPES, spot };
}

const NO_SCOPES: readonly string[] = [];

function leaveOut(spot: Spot, message: string): undefined {
  return addWarning(spot, `${message}; it is neither sent nor checked`);
}
