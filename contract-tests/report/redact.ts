import { nearMisses } from '../send/refused-credentials.ts';
import type { Settings } from '../settings.ts';
import { formsOf, literally, spelledAnyhow } from './secret-forms.ts';

export type Redact = (text: string) => string;

/** Headers whose values are secrets as well, where the user adds them. */
const SECRET_HEADER = /authorization|cookie|key|token|secret|password/i;

/** Takes the run's credentials out of a text, plain and in the encodings in which a target may echo them. */
export function createRedactor({ apiKey, headers }: Pick<Settings, 'apiKey' | 'headers'>): Redact {
  const secrets = [
    ...partsOf(apiKey ?? ''),
    ...almost(apiKey ?? ''),
    ...headers
      .filter(([name]) => SECRET_HEADER.test(name))
      .flatMap(([, value]) => [value, ...value.split(' ')]),
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
/** A shorter secret stands in many an ordinary word, and so does what is nearly it. */
const SHORTEST = 8;
/** So much of a secret tells something. */
const TELLING = 4;

function isLong(secret: string): boolean {
  return secret.length >= SHORTEST;
}

/** A key of the form `user:password` (RFC 7617) has a part that is secret by itself. */
function partsOf(key: string): string[] {
  const password = key.slice(key.indexOf(':') + 1);
  return password.length < key.length && password.length >= TELLING ? [key, password] : [key];
}

/** A near miss tells all but one of the key's characters. */
function almost(key: string): string[] {
  return isLong(key) ? nearMisses(key).map(([, , miss]) => miss) : [];
}

/** What is very short is taken out only where it stands alone. */
function asWhole(form: string): string {
  return form.length < TELLING ? `(?<![A-Za-z0-9])${literally(form)}(?![A-Za-z0-9])` : literally(form);
}

/** Where a text was shortened in the midst of a secret, the part before the cut is taken out as well. */
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
  return longest < TELLING ? piece : piece.slice(0, piece.length - longest) + MASK;
}

/** How much of the form's beginning stands at the end of the text. */
function overlap(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length >= TELLING; length--) {
    if (text.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}
