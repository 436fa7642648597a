import { nearMisses } from '../send/refused-credentials.ts';
import type { Settings } from '../settings.ts';
import { formsOf, literally, spelledAnyhow } from './secret-forms.ts';

export type Redact = (text: string) => string;

/** Headers whose values are secrets as well, where the user adds them. */
const SECRET_HEADER = /authorization|cookie|key|token|secret|password/i;

/** Removes the run's credentials from a text, plain and in the encodings in which a target may echo them. */
export function createRedactor({
  apiKey,
  headers,
  provoke = [],
}: Pick<Settings, 'apiKey' | 'headers'> & Partial<Pick<Settings, 'provoke'>>): Redact {
  const provoked = provoke.flatMap(({ requests }) => requests.flatMap((one) => Object.entries(one.headers)));
  const secrets = [
    ...partsOf(apiKey ?? ''),
    ...nearMissesOf(apiKey ?? ''),
    ...[...headers, ...provoked]
      .filter(([name]) => SECRET_HEADER.test(name))
      .flatMap(([, value]) => [String(value), ...String(value).split(' ')]),
  ].filter((secret) => secret !== '' && !SCHEMES.has(secret.toLowerCase()));
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((left, right) => right.length - left.length);
  if (forms.length === 0) return (text) => text;
  const whole = new RegExp(
    [...forms.map(asWhole), ...secrets.filter(isLong).map(spelledAnyhow)].join('|'),
    'gi',
  );
  return (text) => cutEnds(text.replaceAll(whole, MASK), forms);
}

const SCHEMES = new Set(['bearer', 'basic', 'token', 'apikey']);
const MASK = '[redacted]';
/** Shorter secrets, and near misses of them, occur in ordinary words. */
const SHORTEST = 8;
/** A part of a secret with so many characters is confidential. */
const SHORTEST_PART = 4;

function isLong(secret: string): boolean {
  return secret.length >= SHORTEST;
}

/** A key of the form `user:password` (RFC 7617) has a part that is secret by itself. */
function partsOf(key: string): string[] {
  const password = key.slice(key.indexOf(':') + 1);
  return password.length < key.length && password.length >= SHORTEST_PART ? [key, password] : [key];
}

/** A near miss reveals all but one of the key's characters. */
function nearMissesOf(key: string): string[] {
  return isLong(key) ? nearMisses(key).map(([, , miss]) => miss) : [];
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
