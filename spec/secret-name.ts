import { wordsOf } from './meaning/names.ts';
import { cookiesOf } from './parameter-style.ts';

/** Parts of secret names, also within a word: `JSESSIONID`, `accessToken`. */
const SECRET_PART =
  /auth(?!or)|authori[sz]ation|bearer|cookie|credential|passw|passphrase|secret|sess(?:ion|id)|token|signature|hmac|csrf|xsrf|jwt/;
/** Whole words of secret names, which have no such meaning within a word. */
const SECRET_WORD =
  /(?:^|-)(?:otp|pass|pwd|pin|cvv2?|cvc2?|ssn|iban|sid|sig|dpop|card-?number|(?:api|access|app|client|encryption|license|master|private|service|shared|signing|subscription)-?key)(?:-|$)/;
/** For headers, any other key: `X-Functions-Key`, `X-RapidAPI-Key`. */
const KEY = /key(?:-|$)/;

/** Exceptions: challenges, positions in a list, counts, and keys that identify records or requests. */
const PUBLIC =
  /^(?:www|proxy)-authenticate$|^paddock-session$|(?:continuation|cursor|next|page|prev|previous|sync)-?token$|(?:^|-)tokens$|(?:cache|idempotency|partition|public|routing|sort|surrogate|websocket)-?key/;

/** Whether values of a member, a parameter or a cookie are secret, judging by its name. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name).join('-');
  return (SECRET_PART.test(words) || SECRET_WORD.test(words)) && !PUBLIC.test(words);
}

/** Whether values of a header are secret, whatever the document says. */
export function isSecretHeader(name: string): boolean {
  const words = wordsOf(name.toLowerCase()).join('-');
  return isSecretName(words) || (KEY.test(words) && !PUBLIC.test(words));
}

/**
 * The parts of a secret header that a service might echo: the whole value, the credential without its scheme, cookies,
 * a password.
 */
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

/** A short cookie value may be an ordinary word, such as `true`. */
function cookieSecrets(header: string | undefined): string[] {
  return [...cookiesOf(header)].flatMap(([name, value]) =>
    value !== '' && (value.length >= LONG_WORD || isSecretName(name)) ? [value] : [],
  );
}

/** Shorter words of a value with several words are ordinary ones. */
const LONG_WORD = 8;

/** The parts of Basic credentials (RFC 7617): the user name is only secret if there is no password. */
function userAndPassword(credential: string): string[] {
  if (!/^[\w+/-]{4,}={0,2}$/.test(credential) || credential.replace(/=+$/, '').length % 4 === 1) return [];
  const text = atob(credential.replaceAll('-', '+').replaceAll('_', '/'));
  const colon = text.indexOf(':');
  if (colon < 0 || !/^[\x20-\x7e]+$/.test(text)) return [];
  return [text, colon === text.length - 1 ? text.slice(0, -1) : text.slice(colon + 1)];
}
