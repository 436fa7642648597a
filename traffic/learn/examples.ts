import { isRecord, isSecretName, maskQuery } from '#spec';

/** In the place of a secret; schemas say nothing of the form of these. */
const MASK = 'redacted';
const MOST_ITEMS = 2;
const LONGEST = 300;
/** JSON Web Tokens, and what providers begin their keys with, wherever they stand. */
const SECRET = /\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abps])[_-][\w-]{10,}/;

/** A recorded value as it may be shown: secrets masked, lists shortened. */
export function safeExample(value: unknown, name = ''): unknown {
  if (isSecretName(name) && typeof value === 'string') return MASK;
  if (typeof value === 'string') return safeText(value);
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => safeExample(item, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, safeExample(member, key)]));
}

function safeText(text: string): string {
  if (SECRET.test(text)) return MASK;
  return /^https?:\/\//.test(text) && text.length < LONGEST ? maskQuery(text, MASK) : text;
}
