import { digest, fromBase64, toBase64Url } from '#platform';

/** How long a token is good for, in seconds. */
export const LIFETIMES = { access: 86_400, refresh: 2_592_000 } as const;

export type TokenKind = keyof typeof LIFETIMES;

/** The tokens that a mock gives to accounts: JSON Web Tokens (RFC 7519) that it recognises by themselves. */
export interface Tokens {
  issue(subject: string, kind: TokenKind): string;
  /** The account that a token was given to. Undefined: it is none of this kind and this mock, is over, or was given back. */
  subjectOf(token: string, kind?: TokenKind): string | undefined;
  /** It is good for nothing from now on. */
  giveBack(token: string): void;
}

/** Of the tokens that were given back the latest. */
const MOST = 10_000;

/** @param seed mocks with one seed recognise each other's tokens */
export function createTokens(seed: number): Tokens {
  const givenBack = new Set<string>();
  let count = 0;
  const signed = (text: string) => `${text}.${digest(`paddock ${seed} `, text)}`;
  const now = () => Math.floor(Date.now() / 1000);

  return {
    issue(subject, kind) {
      count += 1;
      const [iat, jti] = [now(), String(count)];
      const claims = { sub: subject, iat, exp: iat + LIFETIMES[kind], jti, use: kind };
      return signed(`${HEADER}.${toBase64Url(asAscii(claims))}`);
    },
    subjectOf(token, kind = 'access') {
      const end = token.lastIndexOf('.');
      if (end < 0 || signed(token.slice(0, end)) !== token || givenBack.has(token)) return undefined;
      const { sub, exp, use } = claimsOf(token) ?? {};
      return use === kind && Number(exp) > now() ? String(sub) : undefined;
    },
    giveBack(token) {
      givenBack.add(token);
      const [oldest] = givenBack;
      if (givenBack.size > MOST && oldest !== undefined) givenBack.delete(oldest);
    },
  };
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
