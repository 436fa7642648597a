import { type Credential, type Operation, type Random, randomOf } from '#spec';
import { inHeader, NO_CREDENTIAL, type Presented, present } from './credentials.ts';

/** A credential that must be refused, and why. */
export interface Refused {
  readonly name: string;
  readonly title: string;
  readonly presented: Presented;
}

type Variant<T> = [name: string, title: string, variant: T];

/**
 * Credentials that no service may accept. Near misses of the key itself tell a prefix or a length check from a
 * comparison, but come close to the key: only where the target is the user's own machine, or on request.
 */
export function refusedCredentials(operation: Operation, key: string | undefined, near: boolean): Refused[] {
  const [credential] = operation.security[0] ?? [];
  if (!credential) return [];
  const madeUp = madeUpKey(key ?? 'paddock-made-up-key', randomOf('made-up key'));
  const refused: Variant<Presented>[] = [
    ['no-credential', 'without a credential', NO_CREDENTIAL],
    ['wrong-key', 'with a wrong key', present(credential, madeUp)],
    // What clients send that have no key, and put a value without looking at it into the header.
    ['key-null', 'with the key "null"', present(credential, 'null')],
    ['key-undefined', 'with the key "undefined"', present(credential, 'undefined')],
    ...malformed(credential, key ?? madeUp),
    ...(near && key ? missesOf(credential, key) : []),
  ];
  return refused.map(([name, title, presented]) => ({ name, title, presented }));
}

/** The key itself in a form that is not the documented one: only `Bearer KEY` (RFC 6750 §2.1) is a bearer credential. */
function malformed(credential: Credential, key: string): Variant<Presented>[] {
  if (credential.name !== 'authorization')
    return [['empty-key', 'with an empty key', present(credential, '')]];
  const scheme = credential.kind === 'bearer' ? 'Bearer' : 'Basic';
  const other = credential.kind === 'bearer' ? 'Basic' : 'Bearer';
  const password = Buffer.from(`:${key}`).toString('base64');
  return [
    ['empty-key', 'with a scheme and no key', inHeader('Authorization', scheme)],
    ['no-scheme', 'with a key and no scheme', inHeader('Authorization', key)],
    ['other-scheme', `with the scheme ${other}`, inHeader('Authorization', `${other} ${key}`)],
    ['token-scheme', 'with the scheme Token', inHeader('Authorization', `Token ${key}`)],
    ...(credential.kind === 'bearer'
      ? [
          [
            'basic',
            'with the key as the password of Basic',
            inHeader('Authorization', `Basic ${password}`),
          ] as Variant<Presented>,
        ]
      : []),
  ];
}

function missesOf(credential: Credential, key: string): Variant<Presented>[] {
  const misses = nearMisses(key).map(
    ([name, title, miss]): Variant<Presented> => [name, title, present(credential, miss)],
  );
  return credential.name === 'authorization'
    ? [...misses, ['elsewhere', 'with the key in other places than the documented one', elsewhere(key)]]
    : misses;
}

/** Places where other services take a key, all at once: a name in a query may end in somebody's log. */
function elsewhere(key: string): Presented {
  return {
    headers: [
      ...['X-API-Key', 'X-Auth-Token', 'X-Access-Token'].map((name) => [name, key] as const),
      ['Cookie', ['api_key', 'token', 'session'].map((name) => `${name}=${key}`).join('; ')],
    ],
    query: ['access_token', 'api_key', 'apikey', 'key', 'token'].map((name) => [name, key] as const),
  };
}

/** Keys that are almost the right one; each tells another careless comparison from a whole one. */
export function nearMisses(key: string): Variant<string>[] {
  const changed = (at: number) => key.slice(0, at) + otherCharacter(key.charAt(at)) + key.slice(at + 1);
  const misses: Variant<string>[] = [
    ['key-cut', 'with the key cut by one character', key.slice(0, -1)],
    ['key-extended', 'with the key and one character more', `${key}x`],
    ['key-preceded', 'with one character before the key', `x${key}`],
    ['key-changed', 'with the last character of the key changed', changed(key.length - 1)],
    ['key-first-changed', 'with the first character of the key changed', changed(0)],
    ['key-middle-changed', 'with a character within the key changed', changed(Math.floor(key.length / 2))],
    ['key-other-case', 'with the letters of the key in the other case', [...key].map(otherCase).join('')],
  ];
  return misses.filter(([, , miss]) => miss !== '' && miss !== key);
}

/** A key of the same shape that shares no character with the real one. */
function madeUpKey(key: string, random: Random): string {
  return [...key].map((character) => otherCharacter(character, random)).join('');
}

function otherCase(character: string): string {
  return character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
}

const ALPHABETS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789', '-_.~+/='];

function otherCharacter(character: string, random?: Random): string {
  const alphabet = ALPHABETS.find((set) => set.includes(character)) ?? '';
  const others = [...alphabet].filter((other) => other !== character);
  return others.length === 0 ? character : random ? random.pick(others) : (others[0] as string);
}
