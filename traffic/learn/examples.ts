import { isRecord, isSecretName, type Mask, maskText, maskUrl } from '#spec';
import { type HeaderPair, headerOf, type RecordedExchange } from '../har/recorded-exchange.ts';

/** Replaces a secret; no schema is derived from it. */
const MASK = 'redacted';
const MOST_ITEMS = 2;
const LONGEST = 300;
/** JSON Web Tokens, and known prefixes of providers' keys, anywhere in a text. */
const SECRET = /\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abps])[_-][\w-]{10,}/;

/** A recorded value that may be published: secrets are masked, lists shortened. */
export function safeExample(value: unknown, name = ''): unknown {
  if (isSecretName(name) && typeof value === 'string') return MASK;
  if (typeof value === 'string') return safeText(value);
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => safeExample(item, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, safeExample(member, key)]));
}

function safeText(text: string): string {
  if (SECRET.test(text)) return MASK;
  return /^https?:\/\//.test(text) && text.length < LONGEST ? maskUrl(text, MASK) : text;
}

/** An exchange with masked values in its URL, bodies and headers, for learning. */
export function maskExchange(exchange: RecordedExchange, mask: Mask): RecordedExchange {
  if (mask.isEmpty) return exchange;
  const { request, response } = exchange;
  const replace = (value: unknown) =>
    typeof value === 'number' ? 0 : typeof value === 'boolean' ? false : MASK;
  const masked = <Message extends RecordedExchange['request'] | NonNullable<RecordedExchange['response']>>(
    message: Message,
  ) => {
    const { headers, body } = message;
    const type = headerOf(headers, 'content-type') ?? '';
    const text = Buffer.from(body ?? []).toString();
    const maskedText = maskText(text, type, { mask, replace });
    return {
      ...message,
      headers: headers.map(([name, value]): HeaderPair => [name, mask.hides(name) ? MASK : value]),
      ...(maskedText !== text && { body: Buffer.from(maskedText) }),
    };
  };
  return {
    ...exchange,
    request: { ...masked(request), url: new URL(maskUrl(request.url.href, MASK, mask.hides)) },
    response: response && masked(response),
  };
}
