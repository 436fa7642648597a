import { type Credential, type Operation, type Random, type Requirement, randomOf } from '#spec';
import {
  base64Of,
  inHeader,
  isSamePlace,
  joined,
  joinKeyed,
  type KeyedText,
  type Keys,
  keyed,
  keyFor,
  literalText,
  NO_CREDENTIAL,
  type Presented,
  present,
  presentAll,
  userAndPassword,
} from './credentials.ts';

/** A credential that must be rejected, and why. */
export interface Refused {
  readonly name: string;
  readonly title: string;
  readonly presented: Presented;
}

/**
 * Invalid credentials: of each scheme of an operation, with valid ones of the schemes that are required beside it. Near
 * misses of the key detect checks of only its prefix or length, but reveal almost the whole key: they are used only at the
 * user's own machine, or on request.
 */
export function refusedCredentials(operation: Operation, keys: Keys, near: boolean): Refused[] {
  const subjects = subjectsOf(operation, keys);
  if (subjects.length === 0) return [];
  return [
    { name: 'no-credential', title: 'without a credential', presented: NO_CREDENTIAL },
    ...incomplete(operation, keys),
    ...subjects.flatMap((subject, index) =>
      wrongOf(operation, subject, keys, near).map(([name, title, wrong]) => ({
        name: index === 0 ? name : `${name}-${slug(subject.credential)}`,
        title: subjects.length === 1 ? title : `${title} (${subject.credential.scheme})`,
        presented: joined([wrong, presentAll(subject.beside, keys)]),
      })),
    ),
  ];
}

/**
 * The user's credentials of schemes that an operation does not list, and that differ from those that it lists.
 * @param all the credentials of the document
 */
export function ofOtherSchemes(
  { security }: Operation,
  all: readonly Credential[],
  keys: Keys,
): readonly Credential[] {
  const listed = new Set(security.flat().map(({ scheme }) => scheme));
  const good = new Set(security.map((requirement) => textOf(presentAll(requirement, keys))));
  const others = new Map(all.map((credential) => [credential.scheme, credential]));
  return [...others.values()].flatMap((credential) => {
    const { scheme } = credential;
    if (listed.has(scheme) || !Object.hasOwn(keys.credentials, scheme)) return [];
    const presented = presentAll([credential], keys);
    return good.has(textOf(presented)) ? [] : credential;
  });
}

/** A credential to invalidate, and those that are required beside it. */
interface Subject {
  readonly credential: Credential;
  readonly beside: readonly Credential[];
}

/** Each place and key once. */
function subjectsOf(operation: Operation, keys: Keys): Subject[] {
  const all = operation.security.flatMap((requirement) => partsOf(operation, requirement));
  const likeness = ({ credential }: Subject) =>
    [credential.kind, credential.in, credential.name, keyFor(credential, keys)?.text].join(' ');
  const first = new Map(all.toReversed().map((subject) => [likeness(subject), subject]));
  return all.filter((subject) => first.get(likeness(subject)) === subject);
}

/** Each credential of a requirement with the others, unless these suffice on their own. */
function partsOf({ security }: Operation, requirement: Requirement): Subject[] {
  return requirement.flatMap((credential) => {
    const beside = requirement.filter((other) => !isSamePlace(other, credential));
    const isEnough = security.some((other) => other.every((one) => beside.some((good) => isAs(good, one))));
    return isEnough ? [] : { credential, beside };
  });
}

/** Whether two credentials are interchangeable: the API key may serve both. */
function isAs(one: Credential, other: Credential): boolean {
  return one.kind === other.kind && isSamePlace(one, other);
}

/** Omits one of the credentials that are required together. */
function incomplete(operation: Operation, keys: Keys): Refused[] {
  const parts = operation.security.flatMap((requirement) => partsOf(operation, requirement));
  const refused = parts.flatMap(({ credential, beside }): Refused | [] => {
    const presented = presentAll(beside, keys);
    if (beside.length === 0 || isNothing(presented)) return [];
    const others = [...new Set(beside.map(({ scheme }) => scheme))];
    return {
      name: `only-${beside.map(slug).join('-')}`,
      title: `with ${others.join(' and ')} and without ${credential.scheme}`,
      presented,
    };
  });
  const byName = new Map(refused.toReversed().map((one) => [one.name, one]));
  return refused.filter((one) => byName.get(one.name) === one);
}

function isNothing({ headers, query }: Presented): boolean {
  return headers.length === 0 && query.length === 0;
}

function slug({ scheme }: Credential): string {
  return scheme.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function wrongOf(operation: Operation, { credential }: Subject, keys: Keys, near: boolean): Variant[] {
  const key = keyFor(credential, keys);
  const madeUp = literalText(madeUpKey(key?.text ?? 'paddock-made-up-key', randomOf('made-up key')));
  const wrong: Variant[] = [
    ['wrong-key', 'with a wrong key', present(credential, madeUp)],
    // Clients without a key may insert such a value into the header.
    ['key-null', 'with the key "null"', present(credential, literalText('null'))],
    ['key-undefined', 'with the key "undefined"', present(credential, literalText('undefined'))],
    ...malformed(operation, credential, key ?? madeUp),
    ...(near && key ? missesOf(operation, credential, key) : []),
  ];
  // If every character stays, the key is still the valid one.
  const good = key && textOf(present(credential, key));
  return wrong.filter(([, , presented]) => textOf(presented) !== good);
}

function textOf({ headers, query }: Presented): string {
  return JSON.stringify([...headers, ...query].map(([name, { text }]) => [name, text]));
}

function missesOf(operation: Operation, credential: Credential, key: KeyedText): Variant[] {
  const misses = nearMisses(credential.kind, key).map(
    ([name, title, miss]): Variant => [name, title, present(credential, miss)],
  );
  if (credential.kind === 'apiKey') return misses;
  const title = 'with the key in other places than the documented one';
  return [...misses, ['elsewhere', title, elsewhere(operation, key)]];
}

/** A key of the same form with no character of the real one. */
function madeUpKey(key: string, random: Random): string {
  return [...key]
    .map((character) =>
      otherCharacter(character, (others) => (others.length === 0 ? undefined : random.pick(others))),
    )
    .join('');
}

/** One of several forms of a credential. */
type Variant = readonly [name: string, title: string, presented: Presented];

/** The valid key in an undocumented form: only `Bearer KEY` (RFC 6750 §2.1) is a bearer credential. */
function malformed(operation: Operation, credential: Credential, key: KeyedText): Variant[] {
  const { kind } = credential;
  if (kind === 'apiKey') return [['empty-key', 'with an empty key', present(credential, literalText(''))]];
  const documented = operation.security.flat().filter((one) => isSamePlace(one, credential));
  const scheme = kind === 'bearer' ? 'Bearer' : 'Basic';
  const empty: Variant = [
    'empty-key',
    'with a scheme and no key',
    inHeader('Authorization', literalText(scheme)),
  ];
  // Any text may be an API key there.
  if (documented.some((one) => one.kind === 'apiKey')) return [empty];
  const secret = kind === 'bearer' ? key : base64Of(userAndPassword(key));
  const authorization = (name: string, title: string, value: KeyedText): Variant => [
    name,
    title,
    inHeader('Authorization', value),
  ];
  const other = kind === 'bearer' ? 'Basic' : 'Bearer';
  const underOther = [
    authorization('other-scheme', `with the scheme ${other}`, keyed`${literalText(other)} ${secret}`),
  ];
  const asPassword = [
    authorization('basic', 'with the key as the password of Basic', keyed`Basic ${base64Of(keyed`:${key}`)}`),
  ];
  const isAlternative = documented.some((one) => one.kind !== kind);
  return [
    empty,
    authorization('no-scheme', 'with a key and no scheme', secret),
    ...(isAlternative ? [] : underOther),
    authorization('token-scheme', 'with the scheme Token', keyed`Token ${secret}`),
    ...(isAlternative || kind === 'basic' ? [] : asPassword),
  ];
}

/** The valid key in places that other services use, all at once: query parameters may end up in logs. */
function elsewhere(operation: Operation, key: KeyedText): Presented {
  const documented = operation.security.flat();
  const undocumented = (place: Credential['in'], names: readonly string[]) =>
    names.filter(
      (name) =>
        !documented.some((credential) => credential.in === place && isName(place, credential.name, name)),
    );
  const cookies = undocumented('cookie', ['api_key', 'token', 'session']);
  return {
    headers: [
      ...undocumented('header', ['X-API-Key', 'X-Auth-Token', 'X-Access-Token']).map(
        (name) => [name, key] as const,
      ),
      [
        'Cookie',
        joinKeyed(
          cookies.map((name) => keyed`${literalText(name)}=${key}`),
          '; ',
        ),
      ],
    ],
    query: undocumented('query', ['access_token', 'api_key', 'apikey', 'key', 'token']).map(
      (name) => [name, key] as const,
    ),
  };
}

function isName(place: Credential['in'], documented: string, name: string): boolean {
  return documented === (place === 'header' ? name.toLowerCase() : name);
}

/** Keys that are almost valid; each detects another careless comparison. */
export function nearMisses(
  kind: Credential['kind'],
  key: KeyedText,
): (readonly [string, string, KeyedText])[] {
  const { text, shell } = key;
  const { from, to } = kind === 'basic' ? secretOf(text) : { from: 0, to: text.length };
  const miss = (name: string, title: string, at: number, inserted: string, removed: number) =>
    [name, title, spliced(key, at, inserted, removed)] as const;
  const changed = (name: string, title: string, at: number) =>
    miss(name, title, at, otherCharacter(text.charAt(at)), 1);
  const misses = [
    miss('key-cut', 'with the key cut by one character', to - 1, '', 1),
    miss('key-extended', 'with the key and one character more', to, 'x', 0),
    miss('key-preceded', 'with one character before the key', from, 'x', 0),
    changed('key-changed', 'with the last character of the key changed', to - 1),
    changed('key-first-changed', 'with the first character of the key changed', from),
    changed('key-middle-changed', 'with a character within the key changed', (from + to) >> 1),
  ];
  // User names may ignore case (RFC 7617 §2 leaves it open).
  if (kind !== 'basic' || from > 0) {
    const [before, secret] =
      from === 0 ? ['', shell] : [`\${${shell.slice(1)}%%:*}:`, `\${${shell.slice(1)}#*:}`];
    const other = {
      text: text.slice(0, from) + [...text.slice(from)].map(otherCase).join(''),
      shell: `${before}$(printf %s "${secret}" | tr 'a-zA-Z' 'A-Za-z')`,
    };
    misses.push(['key-other-case', 'with the letters of the key in the other case', other]);
  }
  return misses.filter(([, , { text: other }]) => other !== '' && other !== text);
}

/** The password; without one, the user. */
function secretOf(text: string): { from: number; to: number } {
  const colon = text.indexOf(':');
  if (colon < 0) return { from: 0, to: text.length };
  return colon === text.length - 1 ? { from: 0, to: colon } : { from: colon + 1, to: text.length };
}

/**
 * Replaces characters of a key, which is read from an environment variable. The shell cuts it before and behind them: `?`
 * stands for one character.
 */
function spliced({ text, shell }: KeyedText, at: number, inserted: string, removed: number): KeyedText {
  const [variable, end] = [shell.slice(1), at + removed];
  const before = at === 0 ? '' : `\${${variable}%${'?'.repeat(text.length - at)}}`;
  const behind = end === text.length ? '' : `\${${variable}#${'?'.repeat(end)}}`;
  return {
    text: text.slice(0, at) + inserted + text.slice(end),
    shell: before + literalText(inserted).shell + behind,
  };
}

function otherCase(character: string): string {
  return character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
}

const ALPHABETS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789', '-_.~+/='];

/** Another character of the same kind, or the same if there is none; the first one, or a picked one. */
function otherCharacter(
  character: string,
  pick: (others: readonly string[]) => string | undefined = ([first]) => first,
): string {
  const alphabet = ALPHABETS.find((set) => set.includes(character)) ?? '';
  const others = [...alphabet].filter((other) => other !== character);
  return pick(others) ?? character;
}
