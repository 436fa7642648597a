import { cookiesOf } from './parameter-style.ts';

/** Parts of names that stand for a secret anywhere, also in the middle of a word: `JSESSIONID`, `accessToken`. */
const SECRET_PART =
  /auth(?!or)|authori[sz]ation|bearer|cookie|credential|passw|passphrase|secret|sess(?:ion|id)|token|signature|hmac|csrf|xsrf|jwt/;
/** Whole words of names: within a word they stand for nothing. */
const SECRET_WORD =
  /(?:^|-)(?:otp|pass|pwd|pin|cvv2?|cvc2?|ssn|iban|sid|sig|dpop|card-?number|(?:api|access|app|client|encryption|license|master|private|service|shared|signing|subscription)-?key)(?:-|$)/;
/** Of headers, every other key: `X-Functions-Key`, `X-RapidAPI-Key`. */
const KEY = /key(?:-|$)/;

/** Challenges, places in a list, counts, and keys that distinguish records or requests. */
const PUBLIC =
  /^(?:www|proxy)-authenticate$|^paddock-session$|(?:continuation|cursor|next|page|prev|previous|sync)-?token$|(?:^|-)tokens$|(?:cache|idempotency|partition|public|routing|sort|surrogate|websocket)-?key/;

/** Whether values of a member, a parameter or a cookie are secrets, as far as its name says. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  return (SECRET_PART.test(words) || SECRET_WORD.test(words)) && !PUBLIC.test(words);
}

/** Whether values of a header are secrets, whatever a document says of it. */
export function isSecretHeader(name: string): boolean {
  const words = wordsOf(name.toLowerCase());
  return isSecretName(words) || (KEY.test(words) && !PUBLIC.test(words));
}

/** `apiKey`, `api_key` and `API-Key` as `api-key`. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-')
    .toLowerCase();
}

/**
 * The secret values of a query string or URL, masked by the names of their parameters.
 *
 * @param isSecret says which decoded names are secret
 */
export function maskQuery(
  target: string,
  mask: string,
  isSecret: (name: string) => boolean = isSecretName,
): string {
  if (!target.includes('?')) return target;
  return target.replace(/([?&])([^=&#]*)=[^&#]*/g, (pair, mark: string, name: string) =>
    isSecret(decodeName(name)) ? `${mark}${name}=${mask}` : pair,
  );
}

function decodeName(name: string): string {
  if (!/[%+]/.test(name)) return name;
  const [decoded = ''] = new URLSearchParams(`${name}=`).keys();
  return decoded;
}

/**
 * The value of a header as it may be shown. A secret one is masked, but for its scheme and for the names and attributes of
 * cookies; of an address its query is.
 */
export function maskHeader(name: string, value: string, mask: string): string {
  if (/^(?:content-location|location|referer)$/i.test(name)) return maskQuery(value, mask);
  if (/^link$/i.test(name))
    return value.replace(/<([^>]*)>/g, (_, uri: string) => `<${maskQuery(uri, mask)}>`);
  if (!isSecretHeader(name) || value.trim() === '') return value;
  if (/^cookie$/i.test(name)) return value.replace(/([^=;]*=)?[^;]+/g, `$1${mask}`);
  if (/^set-cookie$/i.test(name)) return value.replace(/^([^=;]*=)?[^;]*/, `$1${mask}`);
  return (/authorization$/i.test(name) ? (SCHEME.exec(value)?.[0] ?? '') : '') + mask;
}

/** Schemes that stand before credentials (RFC 9110 §11.4); any other word may be a part of a secret. */
const SCHEME =
  /^(?:apikey|aws4-hmac-sha256|basic|bearer|digest|dpop|gnap|hawk|hoba|mutual|negotiate|ntlm|oauth|signature|token|vapid) +(?=\S)/i;

/** What somebody may repeat of a secret header: its value, the credential without its scheme, cookies, a password. */
export function secretsIn(name: string, value: string): string[] {
  // Attributes of Set-Cookie (RFC 6265 §4.1.1) are no secrets.
  if (/^set-cookie$/i.test(name)) return cookieSecrets(value.split(';')[0]);
  const words = value.split(' ');
  const credentials = words.filter(
    (word, index) => word.length >= LONG_WORD || (words.length === 2 && index === 1),
  );
  const cookies = /^cookie$/i.test(name) ? cookieSecrets(value) : [];
  return [value, ...credentials, ...cookies, ...words.slice(1).flatMap(userAndPassword)];
}

/** A short value of a cookie may be any word, such as `true`. */
function cookieSecrets(header: string | undefined): string[] {
  return [...cookiesOf(header)].flatMap(([name, value]) =>
    value !== '' && (value.length >= LONG_WORD || isSecretName(name)) ? [value] : [],
  );
}

/** Shorter ones of several words are ordinary ones. */
const LONG_WORD = 8;

/** Of Basic (RFC 7617): the user is no secret, unless there is no password. */
function userAndPassword(credential: string): string[] {
  if (!/^[\w+/-]{4,}={0,2}$/.test(credential) || credential.replace(/=+$/, '').length % 4 === 1) return [];
  const text = atob(credential.replaceAll('-', '+').replaceAll('_', '/'));
  const colon = text.indexOf(':');
  if (colon < 0 || !/^[\x20-\x7e]+$/.test(text)) return [];
  return [text, colon === text.length - 1 ? text.slice(0, -1) : text.slice(colon + 1)];
}
