import { escapeText, isSecretHeader, isSecretName, secretsIn } from '#spec';
import { theKey } from '../send/credentials.ts';
import { nearMisses } from '../send/refused-credentials.ts';
import type { Settings } from '../settings/settings.ts';

export type Redact = (text: string) => string;

/** The settings that hold credentials. */
type Secrets = Pick<Settings, 'apiKey' | 'headers'> &
  Partial<Pick<Settings, 'credentials' | 'values' | 'secrets' | 'renewed' | 'callbackUrl'>>;

/**
 * Removes the run's credentials from a text, plain and in the encodings in which a target may echo them.
 *
 * @param isPublic says of which credentials nothing is removed
 * @param issued headers that the target has sent, which are secret by their names
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
  const provoked = provoke.flatMap(({ requests }) => requests.flatMap((one) => Object.entries(one.headers)));
  const named = Object.entries(values).filter(([name]) => isSecretName(name));
  // What nobody has named as a secret may be a short word that occurs anywhere.
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
    const redacted = redactors.reduce((shown, redact) => redact(shown), text);
    return whole ? redacted.replaceAll(whole, MASK) : redacted;
  };
}

function secretsOfUrl(url: URL | undefined): string[] {
  if (!url) return [];
  const named = [...url.searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  return [...named, decodeURIComponent(url.password)];
}

/** A run of hours has hundreds of credentials. They are looked up once for all redactors. */
const knownRedactors = new WeakMap<ReadonlySet<string>, { readonly size: number; readonly redact: Redact }>();

function redactorOf(renewed: ReadonlySet<string>): Redact {
  const known = knownRedactors.get(renewed);
  if (known?.size === renewed.size) return known.redact;
  const redact = compileManyRedactor([...renewed].flatMap(partsOf).flatMap(formsOf));
  knownRedactors.set(renewed, { size: renewed.size, redact });
  return redact;
}

/**
 * For text that must stay as it is to be of use, such as a command: what stands in the document is no secret, and what
 * is shorter than four characters occurs anywhere.
 */
export function createCommandRedactor(settings: Secrets, documentTexts: readonly string[]): Redact {
  const isPublic = (secret: string) =>
    secret.length < SHORTEST_PART || documentTexts.some((text) => text.includes(secret));
  return createRedactor(settings, isPublic);
}

/** A target may echo the key: every text of a value passes the redactor. */
export function redactAll<T>(value: T, redact: Redact): T;
export function redactAll(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactAll(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactAll(member, redact)]));
}

/** Names of schemes, and what stands in any JSON. */
const ORDINARY = new Set(['bearer', 'basic', 'token', 'apikey', 'true', 'false', 'null']);
/** Stands where a credential was. */
export const MASK = '[redacted]';
/** Shorter secrets, and near misses of them, occur in ordinary words. */
const SHORTEST = 8;
/** A part of a secret with so many characters is confidential. */
export const SHORTEST_PART = 4;

/** More characters in any spelling than this overflow the stack of the engine that reads the regular expression. */
const LONGEST = 1000;

/** A very long secret is removed in pieces of one length. */
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

/** A key of the form `user:password` (RFC 7617) has a part that is secret by itself: the user, if it has no password. */
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

/** Spellings of single characters in JSON, JavaScript, HTML and URLs; a target may use any of them where it echoes. */
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

/** A regular expression's source for the secret, each character in any spelling. */
function spelledAnyhow(secret: string): string {
  return [...secret]
    .map((character) => {
      const spellings = new Set(SPELLINGS.map((spell) => escapeText(spell(character))));
      return `(?:${[...spellings].join('|')})`;
    })
    .join('');
}

/**
 * Base64 of a text that holds the secret: the characters that depend on the secret alone, for each offset at which
 * it may begin, in both alphabets (RFC 4648 §4 and §5).
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
 * Removes literal texts from others, as quickly for thousands of them as for one.
 * @param forms each in every spelling that is looked for; shorter ones than four signs are not
 */
function compileManyRedactor(forms: readonly string[]): Redact {
  const byBeginning = Map.groupBy(
    [...new Set(forms.map((form) => form.toLowerCase()))]
      .filter((form) => form.length >= SHORTEST_PART)
      .sort((one, other) => other.length - one.length),
    (form) => form.slice(0, SHORTEST_PART),
  );
  if (byBeginning.size === 0) return (text) => text;
  return (text) => {
    const lowered = text.toLowerCase();
    // Some letters have another length in lower case.
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

/** The length of the form that a text has at a place, or of its part where the text was shortened within it; 0: it has none. */
function lengthAt(text: string, at: number, forms: readonly string[] = []): number {
  const whole = forms.find((form) => text.startsWith(form, at));
  if (whole !== undefined) return whole.length;
  const cut = forms.length > 0 ? text.indexOf('…', at + SHORTEST_PART) : -1;
  if (cut < 0) return 0;
  const part = text.slice(at, cut);
  return forms.some((form) => form.startsWith(part)) ? part.length : 0;
}
