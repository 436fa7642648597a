import { escapeText, isSecretHeader, isSecretName, secretsIn } from '#spec';
import { theKey } from '../send/credentials.ts';
import { nearMisses } from '../send/refused-credentials.ts';
import type { Settings } from '../settings/settings.ts';

export type Redact = (text: string) => string;

/** The settings that contain credentials. */
type Secrets = Pick<Settings, 'apiKey' | 'headers'> &
  Partial<Pick<Settings, 'credentials' | 'values' | 'secrets' | 'renewed' | 'callbackUrl'>>;

/**
 * Creates a function that removes the run's credentials from a text, plain and in the encodings in which a target may echo
 * them.
 *
 * @param isPublic decides which credentials stay
 * @param issued headers from the target whose names are secret
 */
export function createRedactor(
  {
    apiKey,
    credentials = {},
    headers,
    values = {},
    provoke = [],
    secrets: obtained = new Set(),
    renewed = new Set(),
    callbackUrl,
  }: Secrets & Partial<Pick<Settings, 'provoke'>>,
  isPublic: (secret: string) => boolean = () => false,
  issued: readonly (readonly [name: string, value: string])[] = [],
): Redact {
  const provoked = provoke.flatMap(({ requests }) =>
    requests.flatMap((request) => Object.entries(request.headers)),
  );
  const named = Object.entries(values).filter(([name]) => isSecretName(name));
  // A value that is not declared as secret may be a short word that occurs anywhere.
  const guessed = [
    ...named.map(([, value]) => value),
    ...secretsOfUrl(callbackUrl),
    ...issued.flatMap((one) => secretsIn(...one)),
  ];
  const secrets = [
    ...[...new Set([apiKey ?? '', ...Object.values(credentials), ...obtained])]
      .flatMap(partsOf)
      .flatMap(withNearMisses),
    ...[...headers, ...provoked]
      .filter(([name]) => isSecretHeader(name))
      .flatMap(([name, value]) => secretsIn(name, String(value))),
    ...guessed.filter((secret) => secret.length >= SHORTEST_PART),
  ]
    .filter((secret) => secret !== '' && !ORDINARY.has(secret.toLowerCase()) && !isPublic(secret))
    .flatMap(inPieces);
  const forms = secrets.flatMap(formsOf);
  const redactors = [redactorOf(renewed), compileManyRedactor(forms)];
  const short = forms.filter((form) => form.length < SHORTEST_PART).map(asWhole);
  const sources = [...short, ...secrets.filter(isLong).map(spelledAnyhow)];
  const whole = sources.length > 0 && new RegExp(sources.join('|'), 'gi');
  return (text) => {
    const redacted = redactors.reduce((result, redact) => redact(result), text);
    return whole ? redacted.replaceAll(whole, MASK) : redacted;
  };
}

function secretsOfUrl(url: URL | undefined): string[] {
  if (!url) return [];
  const named = [...url.searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  return [...named, decodeURIComponent(url.password)];
}

/** Caches redactors, as a long run has hundreds of credentials. */
const knownRedactors = new WeakMap<ReadonlySet<string>, { readonly size: number; readonly redact: Redact }>();

function redactorOf(renewed: ReadonlySet<string>): Redact {
  const cached = knownRedactors.get(renewed);
  if (cached?.size === renewed.size) return cached.redact;
  const redact = compileManyRedactor([...renewed].flatMap(partsOf).flatMap(formsOf));
  knownRedactors.set(renewed, { size: renewed.size, redact });
  return redact;
}

/**
 * For text that must stay usable, such as a command: texts from the document are no secrets, and those under four
 * characters occur anywhere.
 */
export function createCommandRedactor(settings: Secrets, documentTexts: readonly string[]): Redact {
  const isPublic = (secret: string) =>
    secret.length < SHORTEST_PART || documentTexts.some((text) => text.includes(secret));
  return createRedactor(settings, isPublic);
}

/** Redacts every text in a value, since a target may echo the key. */
export function redactAll<T>(value: T, redact: Redact): T;
export function redactAll(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactAll(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactAll(member, redact)]));
}

/** Names of schemes, and JSON literals. */
const ORDINARY = new Set(['bearer', 'basic', 'token', 'apikey', 'true', 'false', 'null']);
/** Replaces a credential. */
export const MASK = '[redacted]';
/** Shorter secrets, and their near misses, occur in ordinary words. */
const SHORTEST = 8;
/** A part of a secret with this length is confidential. */
export const SHORTEST_PART = 4;

/** The maximum number of characters in any spelling: longer regular expressions overflow the engine's stack. */
const LONGEST = 1000;

/** Splits a very long secret into pieces of equal length. */
function inPieces(secret: string): string[] {
  const characters = [...secret];
  const size = Math.ceil(characters.length / Math.ceil(characters.length / LONGEST));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  );
}

function isLong(secret: string): boolean {
  return secret.length >= SHORTEST;
}

/** A key `user:password` (RFC 7617) with its secret part: the password or, without one, the user. */
function partsOf(key: string): string[] {
  const colon = key.indexOf(':');
  const part = colon === key.length - 1 ? key.slice(0, -1) : key.slice(colon + 1);
  return colon >= 0 && part.length >= SHORTEST_PART ? [key, part] : [key];
}

/** A near miss reveals all but one of the key's characters. */
function withNearMisses(key: string): string[] {
  const misses = (kind: 'basic' | 'bearer') => nearMisses(kind, theKey(key)).map(([, , { text }]) => text);
  return isLong(key) ? [key, ...misses('bearer'), ...misses('basic')] : [key];
}

/** A very short secret is removed only as a whole word. */
function asWhole(form: string): string {
  return `(?<![A-Za-z0-9])${escapeText(form)}(?![A-Za-z0-9])`;
}

/** Spellings of a character in JSON, JavaScript, HTML and URLs, in which a target may echo it. */
const SPELLINGS: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => bytesOf(character, (byte) => `%${hex(byte)}`),
  (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  (character) => bytesOf(character, (byte) => `\\x${hex(byte)}`),
  (character) => `&#${character.codePointAt(0)};`,
  (character) => `&#x${character.codePointAt(0)?.toString(16)};`,
  (character) => NAMED[character] ?? character,
  (character) => (/["\\/]/.test(character) ? `\\${character}` : character),
];

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Each encoding of the whole secret, as literal texts. */
function formsOf(secret: string): string[] {
  const characters = [...secret];
  const spelled = SPELLINGS.map((spell) => characters.map(spell).join(''));
  const bytes = Buffer.from(secret);
  const forms = [
    ...spelled,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...base64Within(bytes),
  ];
  return [...new Set(forms)].filter((form) => form !== '');
}

/** A regular expression's source for the secret, with each character in any spelling. */
function spelledAnyhow(secret: string): string {
  return [...secret]
    .map((character) => {
      const spellings = new Set(SPELLINGS.map((spell) => escapeText(spell(character))));
      return `(?:${[...spellings].join('|')})`;
    })
    .join('');
}

/**
 * Base64 of a text that contains the secret: the characters that depend on the secret alone, for each possible offset, in
 * both alphabets (RFC 4648 §4 and §5).
 */
function base64Within(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const first = Math.ceil((offset * 8) / 6);
    const core = text.slice(first, Math.floor(((offset + bytes.length) * 8) / 6));
    if (core.length < SHORTEST_BASE64) return [];
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Shorter ones occur in ordinary words. */
const SHORTEST_BASE64 = 6;

function bytesOf(character: string, write: (byte: number) => string): string {
  return [...Buffer.from(character)].map(write).join('');
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/**
 * Removes literal texts, as fast for thousands of them as for one.
 * @param forms all spellings of each; those under four characters are ignored
 */
function compileManyRedactor(forms: readonly string[]): Redact {
  const byBeginning = Map.groupBy(
    [...new Set(forms.map((form) => form.toLowerCase()))]
      .filter((form) => form.length >= SHORTEST_PART)
      .sort((left, right) => right.length - left.length),
    (form) => form.slice(0, SHORTEST_PART),
  );
  if (byBeginning.size === 0) return (text) => text;
  return (text) => {
    const lowered = text.toLowerCase();
    // Some letters change their length in lower case.
    const lower = lowered.length === text.length ? lowered : text;
    let [redacted, end] = ['', 0];
    for (let at = 0; at + SHORTEST_PART <= lower.length; at++) {
      const length = lengthAt(lower, at, byBeginning.get(lower.slice(at, at + SHORTEST_PART)));
      if (length === 0) continue;
      redacted += text.slice(end, at) + MASK;
      end = at + length;
      at = end - 1;
    }
    return end === 0 ? text : redacted + text.slice(end);
  };
}

/** The length of the secret at a position, or of its part if the text was shortened there; 0: none. */
function lengthAt(text: string, at: number, forms: readonly string[] = []): number {
  const whole = forms.find((form) => text.startsWith(form, at));
  if (whole !== undefined) return whole.length;
  const cut = forms.length > 0 ? text.indexOf('…', at + SHORTEST_PART) : -1;
  if (cut < 0) return 0;
  const part = text.slice(at, cut);
  return forms.some((form) => form.startsWith(part)) ? part.length : 0;
}
