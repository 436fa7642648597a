import { digest, fromBase64, toBase64Url } from '#platform';

/** The lifetime of tokens, in seconds. */
export const LIFETIMES = { access: 86_400, refresh: 2_592_000 } as const;

export type TokenKind = keyof typeof LIFETIMES;

/** Issues the tokens of accounts: JSON Web Tokens (RFC 7519), which the mock verifies without storing them. */
export interface Tokens {
  /**
   * @param at milliseconds since 1970
   * @param revoked signatures of logged-out tokens, also of an earlier mock: none is issued again
   * @param until when it expires; default: by its kind
   */
  issue(holder: Holder, kind: TokenKind, at: number, revoked?: readonly string[], until?: number): string;
  /** The holder of a token. Undefined: the token is expired, of another kind, or not from this mock. */
  holderOf(token: string, at: number, kind?: TokenKind): Holder | undefined;
}

/** The unique part of a token. */
export const signatureOf = (token: string): string => token.slice(token.lastIndexOf('.') + 1);

export interface Holder {
  readonly subject: string;
  /** Its scope (RFC 6749 §3.3). Undefined: all. */
  readonly scope?: string | undefined;
}

/** @param seed mocks with the same seed accept each other's tokens */
export function createTokens(seed: number): Tokens {
  let count = 0;
  const signed = (text: string) => `${text}.${digest(`paddock ${seed} `, text)}`;
  const seconds = (at: number) => Math.floor(at / 1000);
  const ownClaims = (token: string) => {
    const end = token.lastIndexOf('.');
    return end < 0 || signed(token.slice(0, end)) !== token ? undefined : claimsOf(token);
  };

  return {
    issue({ subject, scope }, kind, at, revoked = [], until = undefined) {
      for (;;) {
        count += 1;
        const [iat, jti] = [seconds(at), String(count)];
        const claims = {
          sub: subject,
          iat,
          exp: until === undefined ? iat + LIFETIMES[kind] : seconds(until),
          jti,
          use: kind,
          ...(scope && { scope }),
        };
        const token = signed(`${HEADER}.${toBase64Url(asAscii(claims))}`);
        if (!revoked.includes(signatureOf(token))) return token;
      }
    },
    holderOf(token, at, kind = 'access') {
      const claims = ownClaims(token);
      if (claims?.use !== kind || Number(claims.exp) <= seconds(at)) return undefined;
      return holderIn(claims);
    },
  };
}

function holderIn({ sub, scope }: Readonly<Record<string, unknown>>): Holder {
  return { subject: String(sub), scope: scope === undefined ? undefined : String(scope) };
}

const HEADER = toBase64Url(JSON.stringify({ alg: 'HS256', typ: 'JWT' }));

function asAscii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(fromBase64(token.split('.')[1] ?? ''));
  } catch {
    return undefined;
  }
}
