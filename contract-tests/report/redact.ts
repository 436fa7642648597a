import { isSecretHeader, isSecretName, secretsIn } from '#spec';
import { theKey } from '../send/keyed-text.ts';
import { nearMisses } from '../send/near-misses.ts';
import type { Settings } from '../settings/settings.ts';
import { formsOf, literally, spelledAnyhow } from './secret-forms.ts';

export type Redact = (text: string) => string;

/** The settings that hold credentials. */
type Secrets = Pick<Settings, 'apiKey' | 'headers'> & Partial<Pick<Settings, 'credentials' | 'values'>>;

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
  }: Secrets & Partial<Pick<Settings, 'provoke'>>,
  isPublic: (secret: string) => boolean = () => false,
  issued: readonly (readonly [name: string, value: string])[] = [],
): Redact {
  const provoked = provoke.flatMap(({ requests }) => requests.flatMap((one) => Object.entries(one.headers)));
  const named = Object.entries(values).filter(([name]) => isSecretName(name));
  // What nobody has named as a secret may be a short word that occurs anywhere.
  const guessed = [...named.map(([, value]) => value), ...issued.flatMap((one) => secretsIn(...one))];
  const secrets = [
    ...[apiKey ?? '', ...Object.values(credentials)].flatMap(partsOf).flatMap(withNearMisses),
    ...[...headers, ...provoked]
      .filter(([name]) => isSecretHeader(name))
      .flatMap(([name, value]) => secretsIn(name, String(value))),
    ...guessed.filter((secret) => secret.length >= SHORTEST_PART),
  ].filter((secret) => secret !== '' && !SCHEMES.has(secret.toLowerCase()) && !isPublic(secret));
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((left, right) => right.length - left.length);
  if (forms.length === 0) return (text) => text;
  const whole = new RegExp(
    [...forms.map(asWhole), ...secrets.filter(isLong).map(spelledAnyhow)].join('|'),
    'gi',
  );
  return (text) => cutEnds(text.replaceAll(whole, MASK), forms);
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
export function redactAll<T>(value: T, redact: Redact): T {
  return redactValue(value, redact) as T;
}

function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, redactValue(member, redact)]),
  );
}

const SCHEMES = new Set(['bearer', 'basic', 'token', 'apikey']);
/** Stands where a credential was. */
export const MASK = '[redacted]';
/** Shorter secrets, and near misses of them, occur in ordinary words. */
const SHORTEST = 8;
/** A part of a secret with so many characters is confidential. */
export const SHORTEST_PART = 4;

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
  return form.length < SHORTEST_PART ? `(?<![A-Za-z0-9])${literally(form)}(?![A-Za-z0-9])` : literally(form);
}

/** Where a text was shortened within a secret, the part before the cut is removed as well. */
function cutEnds(text: string, forms: readonly string[]): string {
  const [head = '', ...tails] = text.split('…');
  if (tails.length === 0) return text;
  const pieces = [head, ...tails];
  return pieces
    .map((piece, index) => (index === pieces.length - 1 ? piece : withoutBeginning(piece, forms)))
    .join('…');
}

function withoutBeginning(piece: string, forms: readonly string[]): string {
  const lower = piece.toLowerCase();
  const longest = Math.max(...forms.map((form) => overlap(lower, form.toLowerCase())));
  return longest < SHORTEST_PART ? piece : piece.slice(0, piece.length - longest) + MASK;
}

/** Length of the longest prefix of the form that ends the text. */
function overlap(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length >= SHORTEST_PART; length--) {
    if (text.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}
