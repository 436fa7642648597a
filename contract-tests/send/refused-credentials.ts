import { type Credential, type Operation, type Random, randomOf } from '#spec';
import { inHeader, NO_CREDENTIAL, type Presented, present } from './credentials.ts';
import {
  base64Of,
  joinKeyed,
  KEY_VARIABLE,
  type KeyedText,
  keyed,
  literalText,
  theKey,
} from './keyed-text.ts';

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
  const madeUp = literalText(madeUpKey(key ?? 'paddock-made-up-key', randomOf('made-up key')));
  const refused: Variant<Presented>[] = [
    ['no-credential', 'without a credential', NO_CREDENTIAL],
    ['wrong-key', 'with a wrong key', present(credential, madeUp)],
    // What clients send that have no key, and put a value without looking at it into the header.
    ['key-null', 'with the key "null"', present(credential, literalText('null'))],
    ['key-undefined', 'with the key "undefined"', present(credential, literalText('undefined'))],
    ...malformed(credential, key === undefined ? madeUp : theKey(key)),
    ...(near && key ? missesOf(credential, key) : []),
  ];
  return refused.map(([name, title, presented]) => ({ name, title, presented }));
}

/** The key itself in a form that is not the documented one: only `Bearer KEY` (RFC 6750 §2.1) is a bearer credential. */
function malformed(credential: Credential, key: KeyedText): Variant<Presented>[] {
  if (credential.name !== 'authorization')
    return [['empty-key', 'with an empty key', present(credential, literalText(''))]];
  const scheme = credential.kind === 'bearer' ? 'Bearer' : 'Basic';
  const other = credential.kind === 'bearer' ? 'Basic' : 'Bearer';
  return [
    ['empty-key', 'with a scheme and no key', inHeader('Authorization', literalText(scheme))],
    ['no-scheme', 'with a key and no scheme', inHeader('Authorization', key)],
    [
      'other-scheme',
      `with the scheme ${other}`,
      inHeader('Authorization', keyed`${literalText(other)} ${key}`),
    ],
    ['token-scheme', 'with the scheme Token', inHeader('Authorization', keyed`Token ${key}`)],
    ...(credential.kind === 'bearer'
      ? [
          [
            'basic',
            'with the key as the password of Basic',
            inHeader('Authorization', keyed`Basic ${base64Of(keyed`:${key}`)}`),
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
    ? [
        ...misses,
        ['elsewhere', 'with the key in other places than the documented one', elsewhere(theKey(key))],
      ]
    : misses;
}

/** Places where other services take a key, all at once: a name in a query may end in somebody's log. */
function elsewhere(key: KeyedText): Presented {
  return {
    headers: [
      ...['X-API-Key', 'X-Auth-Token', 'X-Access-Token'].map((name) => [name, key] as const),
      [
        'Cookie',
        joinKeyed(
          ['api_key', 'token', 'session'].map((name) => keyed`${literalText(name)}=${key}`),
          '; ',
        ),
      ],
    ],
    query: ['access_token', 'api_key', 'apikey', 'key', 'token'].map((name) => [name, key] as const),
  };
}

/** Keys that are almost the right one; each tells another careless comparison from a whole one. */
export function nearMisses(key: string): Variant<KeyedText>[] {
  const misses: Variant<KeyedText>[] = [
    ['key-cut', 'with the key cut by one character', { text: key.slice(0, -1), shell: `\${${NAME}%?}` }],
    ['key-extended', 'with the key and one character more', { text: `${key}x`, shell: `\${${NAME}}x` }],
    ['key-preceded', 'with one character before the key', { text: `x${key}`, shell: `x\${${NAME}}` }],
    ['key-changed', 'with the last character of the key changed', changedAt(key, key.length - 1)],
    ['key-first-changed', 'with the first character of the key changed', changedAt(key, 0)],
    [
      'key-middle-changed',
      'with a character within the key changed',
      changedAt(key, Math.floor(key.length / 2)),
    ],
    [
      'key-other-case',
      'with the letters of the key in the other case',
      {
        text: [...key].map(otherCase).join(''),
        shell: `$(printf %s "${KEY_VARIABLE}" | tr 'a-zA-Z' 'A-Za-z')`,
      },
    ],
  ];
  return misses.filter(([, , { text }]) => text !== '' && text !== key);
}

const NAME = KEY_VARIABLE.slice(1);

/** The shell cuts the key before and behind the place: `?` stands for one character. */
function changedAt(key: string, at: number): KeyedText {
  const other = otherCharacter(key.charAt(at));
  const before = `\${${NAME}%${'?'.repeat(key.length - at)}}`;
  const behind = `\${${NAME}#${'?'.repeat(at + 1)}}`;
  return {
    text: key.slice(0, at) + other + key.slice(at + 1),
    shell: `${at === 0 ? '' : before}${literalText(other).shell}${at === key.length - 1 ? '' : behind}`,
  };
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
