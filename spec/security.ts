import { childAt, children, complain, listAt, rawChild, type Spot, textAt } from './document/spot.ts';

/** How one credential travels (Security Scheme Object, OpenAPI 3.1 §4.8.27). */
export interface Credential {
  readonly scheme: string;
  readonly kind: 'bearer' | 'basic' | 'apiKey';
  /** Where it stands; `bearer` and `basic` in the header Authorization. */
  readonly in: 'header' | 'query' | 'cookie';
  /** Name of the header, query parameter or cookie. */
  readonly name: string;
  readonly spot: Spot;
}

/** Credentials that are needed together. An operation lists alternatives of these; an empty one needs nothing. */
export type Requirement = readonly Credential[];

/** The operation's own `security`, else the document's. */
export function readSecurity(root: Spot, operation: Spot): Requirement[] {
  const own = listOrNone(operation) ?? listOrNone(root) ?? [];
  return own.map((requirement) =>
    children(requirement).flatMap(([scheme]) => readCredential(root, scheme, requirement) ?? []),
  );
}

function listOrNone(spot: Spot): Spot[] | undefined {
  const value = (spot.value as Record<string, unknown>).security;
  return value === undefined ? undefined : listAt(spot, 'security');
}

function readCredential(root: Spot, scheme: string, requirement: Spot): Credential | undefined {
  const spot = childAt(root, 'components', 'securitySchemes', scheme);
  if (!spot)
    return complain(requirement, `the security scheme "${scheme}" is not among components.securitySchemes`);
  const authorization = { scheme, in: 'header', name: 'authorization', spot } as const;
  switch (textAt(spot, 'type')) {
    case 'http': {
      const kind = textAt(spot, 'scheme')?.toLowerCase();
      if (kind === 'basic' || kind === 'bearer') return { ...authorization, kind };
      return complain(
        rawChild(spot, 'scheme') ?? spot,
        `the http scheme of "${scheme}" must be bearer or basic: no other is supported`,
      );
    }
    // RFC 6750: an access token of OAuth 2 or OpenID Connect travels as a bearer token.
    case 'oauth2':
    case 'openIdConnect':
      return { ...authorization, kind: 'bearer' };
    case 'apiKey':
      return readApiKey(spot, scheme);
    default:
      return complain(
        spot,
        `the security scheme "${scheme}" has no type that this tool knows (http, apiKey, oauth2, openIdConnect)`,
      );
  }
}

function readApiKey(spot: Spot, scheme: string): Credential | undefined {
  const name = textAt(spot, 'name');
  const place = textAt(spot, 'in');
  if (!name) return complain(spot, `the apiKey scheme "${scheme}" has no name`);
  if (place === 'header') return { scheme, kind: 'apiKey', in: 'header', name: name.toLowerCase(), spot };
  if (place === 'query' || place === 'cookie') return { scheme, kind: 'apiKey', in: place, name, spot };
  return complain(spot, `the apiKey scheme "${scheme}" must be in header, query or cookie`);
}
