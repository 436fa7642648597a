import { escapeText, isSecretHeader, isSecretName, secretsIn } from '#spec';
import { theKey } from '../send/credentials.ts';
import { nearMisses } from '../send/refused-credentials.ts';
import type { Settings } from '../settings/settings.ts';

export type Redact = (text: string) => string;

type Headers = readonly (readonly [name: string, value: unknown])[];

/** The settings that contain credentials. */
type Secrets = Pick<Settings, 'apiKey' | 'headers'> &
  Partial<Pick<Settings, 'credentials' | 'values' | 'provoke' | 'secrets' | 'renewed' | 'callbackUrl'>>;

/**
 * Creates a function that removes the run's credentials from a text, plain and in the encodings in which a target may echo
 * them.
 */
export function createRedactor(settings: Secrets): Redact {
  return redactorOf(secretsOf(settings));
}

/**
 * For text that must stay usable, such as a command: texts from the document are no secrets, and those under four
 * characters occur anywhere.
 */
export function createCommandRedactor(settings: Secrets, documentTexts: readonly string[]): Redact {
  const isSecret = (secret: string) =>
    secret.length >= SHORTEST_PART && !documentTexts.some((text) => text.includes(secret));
  return redactorOf(secretsOf(settings).filter(isSecret));
}

/** Removes what a target issues in headers, such as a session: it may repeat it elsewhere. */
export function createIssuedRedactor(headers: Headers): Redact {
  return redactorOf(secretsOfHeaders(headers).filter(isPart));
}

function secretsOf(settings: Secrets): string[] {
  const { apiKey = '', credentials = {}, headers, values = {}, provoke = [] } = settings;
  const { secrets = [], renewed = [], callbackUrl } = settings;
  const provoked = provoke.flatMap(({ requests }) => requests.flatMap((one) => Object.entries(one.headers)));
  const parameters = [...Object.entries(values), ...(callbackUrl?.searchParams ?? [])];
  return [
    ...[apiKey, ...Object.values(credentials), ...secrets].flatMap(partsOf).flatMap(withNearMisses),
    ...[...renewed].flatMap(partsOf),
    ...secretsOfHeaders([...headers, ...provoked]),
    // A value that is not declared as secret may be a short word that occurs anywhere.
    ...parameters.flatMap(([name, value]) => (isSecretName(name) && isPart(value) ? [value] : [])),
    ...[decodeURIComponent(callbackUrl?.password ?? '')].filter(isPart),
  ];
}

function secretsOfHeaders(headers: Headers): string[] {
  return headers.flatMap(([name, value]) => (isSecretHeader(name) ? secretsIn(name, String(value)) : []));
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
const ORDINARY = new Set(['', 'bearer', 'basic', 'token', 'apikey', 'true', 'false', 'null']);
/** Replaces a credential. */
export const MASK = '[redacted]';
/** Shorter secrets' near misses occur in ordinary words. */
const SHORTEST = 8;
/** A part of a secret with this length is confidential. */
const SHORTEST_PART = 4;
/** Shorter base64 occurs in ordinary words. */
const SHORTEST_BASE64 = 6;

const isPart = ({ length }: string) => length >= SHORTEST_PART;

/** A key `user:password` (RFC 7617) with its secret part: the password or, without one, the user. */
function partsOf(key: string): string[] {
  const colon = key.indexOf(':');
  const part = colon === key.length - 1 ? key.slice(0, -1) : key.slice(colon + 1);
  return colon >= 0 && isPart(part) ? [key, part] : [key];
}

/** A near miss reveals all but one of the key's characters. */
function withNearMisses(key: string): string[] {
  const misses = (kind: 'basic' | 'bearer') => nearMisses(kind, theKey(key)).map(([, , { text }]) => text);
  return key.length < SHORTEST ? [key] : [key, ...misses('bearer'), ...misses('basic')];
}

/**
 * Removes secrets: as they are, in hexadecimal digits, in base64, and with any characters escaped as in JSON, JavaScript,
 * HTML and URLs.
 */
function redactorOf(all: readonly string[]): Redact {
  const secrets = [...new Set(all.map((secret) => secret.toLowerCase()))].filter((one) => !ORDINARY.has(one));
  if (secrets.length === 0) return (text) => text;
  const find = compileFind([
    ...secrets,
    ...all.filter((one) => !ORDINARY.has(one.toLowerCase())).flatMap(encoded),
  ]);
  return (text) => {
    const plain = unescaped(text);
    const spans = [...find(text), ...(plain ? find(plain.text).map(plain.inSource) : [])].sort(
      (left, right) => left.from - right.from,
    );
    let [redacted, end] = ['', 0];
    for (const { from, to } of spans) {
      if (from >= end) redacted += text.slice(end, from) + MASK;
      end = Math.max(end, to);
    }
    return redacted + text.slice(end);
  };
}

/**
 * A secret in hexadecimal digits, and the characters of base64 of any text with it that depend on the secret alone: for
 * each offset, in both alphabets (RFC 4648 §4 and §5).
 */
function encoded(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const cores = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const core = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return core.length < SHORTEST_BASE64 ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [bytes.toString('hex'), ...cores].map((form) => form.toLowerCase());
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds literal texts in any case, as fast for thousands of them as for one, and their beginnings where a text was
 * shortened. Very short ones are found as whole words only.
 */
function compileFind(forms: readonly string[]): (text: string) => Span[] {
  const [short, long] = [forms.filter((form) => !isPart(form)), forms.filter(isPart)];
  const byBeginning = Map.groupBy(
    long.sort((left, right) => right.length - left.length),
    (form) => form.slice(0, SHORTEST_PART),
  );
  const words = new RegExp(`(?<![a-z0-9])(?:${short.map(escapeText).join('|')})(?![a-z0-9])`, 'gi');
  return (text) => {
    const lowered = text.toLowerCase();
    // Some letters change their length in lower case.
    const lower = lowered.length === text.length ? lowered : text;
    const spans: Span[] = [];
    for (let at = 0; at + SHORTEST_PART <= lower.length; at++) {
      const length = lengthAt(lower, at, byBeginning.get(lower.slice(at, at + SHORTEST_PART)));
      if (length === 0) continue;
      spans.push({ from: at, to: at + length });
      at += length - 1;
    }
    if (short.length > 0)
      for (const { 0: word, index } of lower.matchAll(words))
        spans.push({ from: index, to: index + word.length });
    return spans;
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

/** Escapes of JSON, JavaScript, HTML and URLs, and what is left of one where a text was shortened. */
const ESCAPE =
  /(?<bytes>(?:(?:%|\\x)[\da-f]{2})+)|\\u(?<unit>[\da-f]{4})|&#(?:(?<decimal>\d{1,7})|x(?<hex>[\da-f]{1,6}));|&(?<name>amp|lt|gt|quot|apos);|\\(?<sign>["\\/])|(?:[%\\][ux\da-f]*|&#?[\da-z]*)(?=…)/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text without escapes, and where its parts come from; undefined: it has no escapes. */
function unescaped(source: string) {
  let [text, end] = ['', 0];
  /** Where each character begins in the source; those of one escape begin together. */
  const origins: number[] = [];
  function add(plain: string, from: number, step: 0 | 1): void {
    text += plain;
    for (let at = 0; at < plain.length; at++) origins.push(from + at * step);
  }
  for (const { 0: written, index, groups = {} } of source.matchAll(ESCAPE)) {
    add(source.slice(end, index), end, 1);
    add(charactersOf(groups), index, 0);
    end = index + written.length;
  }
  if (end === 0) return undefined;
  add(source.slice(end), end, 1);
  function endOf(at: number): number {
    let next = at;
    while (origins[next] === origins[at - 1]) next += 1;
    return origins[next] ?? source.length;
  }
  return {
    text,
    inSource: ({ from, to }: Span) => ({ from: origins[from] ?? 0, to: endOf(to) }),
  };
}

function charactersOf({
  bytes,
  unit,
  decimal,
  hex,
  name = '',
  sign,
}: Readonly<Record<string, string>>): string {
  if (bytes) return Buffer.from(bytes.replace(/%|\\x/gi, ''), 'hex').toString();
  const code = decimal ? Number(decimal) : Number.parseInt(unit ?? hex ?? '', 16);
  if (Number.isNaN(code)) return sign ?? NAMED[name.toLowerCase()] ?? '';
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
}
