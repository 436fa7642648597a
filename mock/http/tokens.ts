import { digest, fromBase64, toBase64Url } from '#platform';

/** How long a token is good for, in seconds. */
export const LIFETIMES = { access: 86_400, refresh: 2_592_000 } as const;

export type TokenKind = keyof typeof LIFETIMES;

/** The tokens that a mock gives to accounts: JSON Web Tokens (RFC 7519) that it recognises by themselves. */
export interface Tokens {
  /**
   * @param at milliseconds since 1970
   * @param revoked signatures of tokens that were logged out, maybe by a mock before this one: none of them is given again
   * @param until when it is over; default: by its kind
   */
  issue(holder: Holder, kind: TokenKind, at: number, revoked?: readonly string[], until?: number): string;
  /** Whom a token was given to. Undefined: it is none of this kind and this mock, or is over. */
  holderOf(token: string, at: number, kind?: TokenKind): Holder | undefined;
}

/** What distinguishes a token from all others. */
export const signatureOf = (token: string): string => token.slice(token.lastIndexOf('.') + 1);

export interface Holder {
  readonly subject: string;
  /** What it is good for (RFC 6749 §3.3). Undefined: for all. */
  readonly scope?: string | undefined;
}

/** @param seed mocks with one seed recognise each other's tokens */
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
