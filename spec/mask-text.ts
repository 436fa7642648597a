import { parseJson, stringifyJson } from './json/exact-json.ts';
import { type Mask, maskBody } from './mask.ts';
import { isSecretHeader, isSecretName } from './secret-name.ts';

/** The parts of a composed name: `filter[email]` and `owner.email` are about an email. */
function partsOfName(name: string): string[] {
  return name.split(/[[\].]+/).filter((part) => part !== '');
}

/** Whether a name, or one of its parts, is secret. */
export function hasSecretPart(name: string, isSecret: (name: string) => boolean): boolean {
  return isSecret(name) || partsOfName(name).some(isSecret);
}

/**
 * A URL, or a request target, without its secrets: the password, and the values of secret parameters in query and
 * fragment. An authorization code is secret if it comes with a `state` (RFC 6749 §4.1.2).
 * @param isSecret whether a decoded name is secret
 */
export function maskUrl(
  url: string,
  mask: string,
  isSecret: (name: string) => boolean = isSecretName,
): string {
  const open = url.replace(PASSWORD, `$1:${mask}@`);
  if (!/[?#]/.test(open)) return open;
  const isRedirect = /[?&#]code=/.test(open) && /[?&#]state=/.test(open);
  const isHidden = (name: string) => hasSecretPart(name, isSecret) || (isRedirect && name === 'code');
  return maskPairs(open, () => mask, isHidden);
}

const PASSWORD = /^([a-z][\w+.-]*:\/\/[^/?#@:\s]*):[^/?#@\s]*@/i;

/** Masks the URLs within a text. */
export function maskUrls(text: string): string {
  return text.includes('://') ? text.replace(URLS, (url) => maskUrl(url, '***')) : text;
}

/** Without a line and column at the end. */
const URLS = /\b[a-z][\w+.-]*:\/\/[^\s"'<>`]+?(?=(?::\d+)*:?(?:[\s"'<>`]|$))/gi;

/** Masks the pairs of a query, a fragment or a form; a value may be JSON (Parameter Object, `content`). */
function maskPairs(
  text: string,
  replace: (value: string, name: string) => string,
  isSecret: (name: string) => boolean,
): string {
  return text.replace(/([?&#])([^=&#?]*)=([^&#]*)/g, (pair, mark: string, name: string, value: string) => {
    const [decoded, plain] = [decodePart(name), decodePart(value)];
    if (isSecret(decoded)) return `${mark}${name}=${replace(plain, decoded)}`;
    const masked = /^\s*[{[]/.test(plain)
      ? maskJson(plain, { hides: isSecret, paths: [] }, (one) => replace(String(one), decoded))
      : plain;
    return masked === undefined || masked === plain ? pair : `${mark}${name}=${encodeURIComponent(masked)}`;
  });
}

function decodePart(text: string): string {
  if (!/[%+]/.test(text)) return text;
  const [decoded = ''] = new URLSearchParams(`${text.replaceAll('=', '%3D')}=`).keys();
  return decoded;
}

/**
 * The value of a header without its secrets. A secret header is masked except for its scheme, and for the names and
 * attributes of cookies; in a URL only parameters are masked.
 * @param isSecret whether a parameter's name is secret
 */
export function maskHeader(
  name: string,
  value: string,
  mask: string,
  isSecret: (name: string) => boolean = isSecretName,
): string {
  if (/^(?:content-location|location|referer)$/i.test(name)) return maskAddress(value, mask, isSecret);
  if (/^(?:link|refresh)$/i.test(name))
    return value.replace(
      /(<|url=)([^>]*)/gi,
      (_, mark: string, uri: string) => mark + maskAddress(uri, mask, isSecret),
    );
  if (!isSecretHeader(name) || value.trim() === '') return value;
  if (/^cookie$/i.test(name)) return value.replace(/([^=;]*=)?[^;]+/g, `$1${mask}`);
  if (/^set-cookie$/i.test(name)) return value.replace(/^([^=;]*=)?[^;]*/, `$1${mask}`);
  return (/authorization$/i.test(name) ? (SCHEME.exec(value)?.[0] ?? '') : '') + mask;
}

/** A client that is redirected with a code exchanges the code for a token (RFC 6749 §4.1.2). */
function maskAddress(value: string, mask: string, isSecret: (name: string) => boolean): string {
  return maskUrl(value, mask, (name) => isSecret(name) || name === 'code');
}

/** The known authentication schemes (RFC 9110 §11.4); any other word may be part of a secret. */
const SCHEME =
  /^(?:apikey|aws4-hmac-sha256|basic|bearer|digest|dpop|gnap|hawk|hoba|mutual|negotiate|ntlm|oauth|signature|token|vapid) +(?=\S)/i;

/** What to hide in a text, and the replacement. */
export interface TextMask {
  readonly mask: Pick<Mask, 'hides' | 'paths'>;
  /** Replaces a hidden value (as text if the body is not JSON); `steps` are the names on the way to it. */
  readonly replace: (value: unknown, steps: readonly string[]) => unknown;
}

/**
 * Replaces hidden values in the text of a body, also of an incomplete one: JSON, JSON lines or events, a form,
 * multipart/form-data, XML or HTML. Returns the same text if nothing is hidden.
 * @param type the media type from the header
 * @param steps the names on the way to this text, if it is a part of a body
 */
export function maskText(
  text: string,
  type: string,
  hidden: TextMask,
  steps: readonly string[] = [],
): string {
  if (/x-www-form-urlencoded/i.test(type)) return maskForm(text, hidden);
  if (/^multipart\//i.test(type) || /^--[^\r\n]+\r\n/.test(text)) return maskParts(text, hidden);
  if (/^\s*</.test(text)) return maskMarkup(text, hidden);
  const mask = below(hidden.mask, steps);
  const replace: TextMask['replace'] = (value, inner) => hidden.replace(value, [...steps, ...inner]);
  const whole = maskJson(text, mask, replace);
  if (whole !== undefined) return whole;
  return text.replace(/^((?:data:)?\s*)([{["].*)$/gm, (line, mark: string, json: string) => {
    const masked = maskJson(json.trimEnd(), mask, replace);
    return masked === undefined ? maskMembers(line, hidden) : mark + masked;
  });
}

/** The mask for the contents of a member: the remaining steps of pointers, or everything if a pointer ends there. */
function below({ hides, paths }: TextMask['mask'], steps: readonly string[]): TextMask['mask'] {
  if (steps.length === 0) return { hides, paths };
  const rest = paths.filter((path) => steps.every((step, at) => at >= path.length || path[at] === step));
  return { hides, paths: rest.map((path) => path.slice(steps.length)) };
}

/** Undefined: the text is not JSON. */
function maskJson(text: string, mask: TextMask['mask'], replace: TextMask['replace']): string | undefined {
  if (!/^\s*[{["]/.test(text)) return undefined;
  try {
    const body = parseJson(text);
    const masked = maskBody(mask, body, replace);
    return masked === body ? text : stringifyJson(masked);
  } catch {
    return undefined;
  }
}

function isHiddenName(name: string, mask: TextMask['mask']): boolean {
  return (
    hasSecretPart(name, mask.hides) || below(mask, partsOfName(name)).paths.some(({ length }) => length === 0)
  );
}

function maskForm(text: string, { mask, replace }: TextMask): string {
  const maskValue = (value: string, name: string) => String(replace(value, partsOfName(name)));
  return maskPairs(`?${text}`, maskValue, (name) => isHiddenName(name, mask)).slice(1);
}

/** Masks the parts of multipart/form-data (RFC 7578), also of an incomplete one. */
function maskParts(text: string, hidden: TextMask): string {
  return text.replace(
    /(Content-Disposition:[^\r\n]*?\bname="?([^"\r\n;]*)"?[^\r\n]*(?:\r\n[^\r\n]+)*)\r\n\r\n([\s\S]*?)(?=\r\n--|$(?![\s\S]))/gi,
    (_, head: string, name: string, body: string) => {
      const steps = partsOfName(name);
      const type = /\bContent-Type:\s*([^\r\n]*)/i.exec(head)?.[1] ?? '';
      const isHidden = isHiddenName(name, hidden.mask);
      return `${head}\r\n\r\n${isHidden ? hidden.replace(body, steps) : maskText(body, type, hidden, steps)}`;
    },
  );
}

/** Masks JSON members with a text, number or flag in a text that is not JSON as a whole. */
function maskMembers(text: string, { mask, replace }: TextMask): string {
  return text.replace(
    /"((?:[^"\\]|\\.){1,100})"(\s*:\s*)("(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*|true|false)/g,
    (member, name: string, between: string, value: string) =>
      mask.hides(name)
        ? `"${name}"${between}${JSON.stringify(replace(value.replace(/^"|"$/g, ''), [name]))}`
        : member,
  );
}

/** Masks texts in XML and HTML elements with hidden names, and hidden attributes. */
function maskMarkup(text: string, { mask, replace }: TextMask): string {
  const isHidden = (name: string) => mask.hides(name.slice(name.indexOf(':') + 1));
  const open: string[] = [];
  return text.replace(MARKUP, (token) => {
    const [, slash, name = '', isEmpty] = /^<(\/?)([\w.:-]+)[\s\S]*?(\/?)>$/.exec(token) ?? [];
    if (slash === '/') {
      const at = open.lastIndexOf(name);
      if (at >= 0) open.length = at;
      return token;
    }
    if (name === '') {
      const isText = token.trim() !== '' && (!token.startsWith('<') || token.startsWith('<![CDATA['));
      return isText && open.some(isHidden) ? String(replace(token, open)) : token;
    }
    if (!isEmpty) open.push(name);
    return token.replace(
      /(\s)([\w.:-]+)(\s*=\s*)(?:"([^"]*)"|'([^']*)')/g,
      (pair, space: string, attribute: string, between: string, one?: string, other?: string) =>
        isHidden(attribute)
          ? `${space}${attribute}${between}"${replace(one ?? other ?? '', [...open, attribute])}"`
          : pair,
    );
  });
}

const MARKUP = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<[^<>]*>|[^<]+/g;
