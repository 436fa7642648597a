import {
  isSecretHeader,
  isSecretName,
  maskHeader,
  maskText,
  maskUrl,
  type Operation,
  secretsIn,
  showPlace,
  type TextMask,
} from '#spec';
import type { Keys } from '../http/authenticate.ts';
import type { Answerer, Detail, MockRequest } from '../http/exchange.ts';
import { memoizeText } from '../http/memoize.ts';
import { loggedMessage, REFUSALS } from '../http/refusal.ts';
import { deprecationRemark } from '../http/response-headers.ts';
import type { Trace } from '../http/trace.ts';
import {
  type JournalEntry,
  type KeptResponse,
  type NumberedEntry,
  SHOWN_OF_LONG,
} from '../sessions/journal.ts';

/** An exchange of a session; credentials are redacted in all members. */
export interface LoggedRequest {
  /** Counted from 1 within the session. */
  readonly number: number;
  /** The time of the response: RFC 3339, UTC. */
  readonly at: string;
  /** Milliseconds from request to response, with three decimals. */
  readonly ms: number;
  readonly method: string;
  /** Path and query within the session. */
  readonly target: string;
  /** The operationId. Undefined: the document has no such operation. */
  readonly operation: string | undefined;
  /** 0: a rule closed the connection. */
  readonly status: number;
  /** The `code` of the error body. Undefined: the request was not refused. */
  readonly code: string | undefined;
  /** All problems, in one text. Undefined: the request was not refused. */
  readonly message: string | undefined;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** As UTF-8 text; a placeholder if longer than 4 KiB. Undefined: no body. */
  readonly body: string | undefined;
  /** All violations of the request; empty if it was valid. */
  readonly violations: readonly LoggedViolation[];
  /** `deprecated`, with the sunset date if the document has one. Undefined: the operation is not deprecated. */
  readonly deprecated: string | undefined;
  readonly response: LoggedResponse;
  /** Why the request got this response. */
  readonly trace: Trace;
}

/** The response to a request, without its status. */
export interface LoggedResponse {
  /** By name. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * As text: the first 16,384 characters in events; later the first 4,096 of a longer body; a placeholder for other
   * content. Undefined: no body.
   */
  readonly body: string | undefined;
  /** The length of the full body in characters, if only its beginning is shown. */
  readonly cutFrom: number | undefined;
  /** Who has made it. Absent: there is no real service behind the mock. */
  readonly source?: Answerer;
  /** How a real service's response violates the document. Absent: not at all, or it was not validated. */
  readonly violations?: readonly LoggedViolation[];
}

/** A violation of the document by a request. */
export interface LoggedViolation {
  /** `body.name`, `query.limit` */
  readonly where: string;
  readonly message: string;
  /** The line of the document: `spec/openapi.yaml:41`. */
  readonly at: string | undefined;
}

export type ShowEntry = (entry: NumberedEntry) => LoggedRequest;

/** Compiles showing exchanges, which is done only when they are read. */
export function compileShowEntry(
  operations: readonly Operation[],
  redact: (text: string) => string,
  traceOf: (entry: JournalEntry) => Trace,
): ShowEntry {
  const redactTarget = compileRedactTarget(operations, redact);
  const redactSent = compileRedactSent(redact);
  const headerNames = new Set(
    operations
      .flatMap(({ security }) => security.flat())
      .flatMap(({ in: place, name }) => (place === 'header' ? [name.toLowerCase()] : [])),
  );
  const isSecret = (name: string) => isSecretHeader(name) || headerNames.has(name);

  const shownHeaders = (headers: MockRequest['headers'], redactText: (text: string) => string) =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        value === undefined
          ? []
          : [
              [
                name,
                isSecret(name.toLowerCase())
                  ? REDACTED
                  : redactText(maskHeader(name, String(value), REDACTED)),
              ],
            ],
      ),
    );

  return (entry) => {
    const { number, at, ms, request, status, operation, refusal, response } = entry;
    const { method, path, query, headers } = request;
    const redactText = redactSent(request);
    return {
      number,
      at: new Date(at).toISOString(),
      ms: Math.round(ms * 1000) / 1000,
      method,
      target: redactTarget(query === '' ? path : `${path}?${query}`),
      operation: operation?.id,
      status,
      code: refusal && REFUSALS[refusal.refuse].code,
      message: refusal && redactText(loggedMessage(refusal)),
      headers: shownHeaders(headers, redactText),
      body: bodyOf(request, redactText),
      violations: showDetails(refusal?.details ?? [], redactText),
      deprecated: operation && deprecationRemark(operation),
      response: {
        headers: shownHeaders(response.headers, redactText),
        ...(status === 0 ? NOT_SENT : responseBody(response, redactText)),
        ...(response.source && { source: response.source }),
        ...(response.violations?.length && {
          violations: response.violations.map((violation) => ({
            ...violation,
            message: redactText(violation.message),
          })),
        }),
      },
      trace: entry.trace ?? traceOf(entry),
    };
  };
}

export function showDetails(
  details: readonly Detail[],
  redact: (text: string) => string,
): readonly LoggedViolation[] {
  return details.map(({ where, message, at }) => ({
    where,
    message: redact(message),
    at: at && showPlace(at),
  }));
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

function bodyOf({ headers, body }: MockRequest, redact: (text: string) => string): string | undefined {
  if (body === undefined) return undefined;
  if (body === 'too large') return '(too long to be kept)';
  return redact(withoutSecrets(DECODER.decode(body), typeOf(headers)));
}

const SECRET_MEMBERS: TextMask['mask'] = { hides: isSecretName, paths: [] };

function withoutSecrets(text: string, type: string): string {
  return maskText(text, type, { mask: SECRET_MEMBERS, replace: () => REDACTED });
}

const NOT_SENT = { body: undefined, cutFrom: undefined };

/** In characters. */
const LONGEST_SHOWN = 16_384;
const TEXT_TYPE = /^text\/|[/+](?:json|xml|yaml|x-www-form-urlencoded|x-ndjson)\b/i;

function responseBody(
  { headers, body, cutFrom }: KeptResponse,
  redact: (text: string) => string,
): Pick<LoggedResponse, 'body' | 'cutFrom'> {
  if (typeof body === 'function' || body.length === 0) return NOT_SENT;
  const type = typeOf(headers);
  if (typeof body !== 'string' && !TEXT_TYPE.test(type))
    return { body: `(${cutFrom ?? body.length} bytes of ${type || 'no type'})`, cutFrom: undefined };
  const text = redact(withoutSecrets(typeof body === 'string' ? body : DECODER.decode(body), type));
  if (cutFrom !== undefined) return { body: text.slice(0, SHOWN_OF_LONG), cutFrom };
  return {
    body: text.slice(0, LONGEST_SHOWN),
    cutFrom: text.length > LONGEST_SHOWN ? text.length : undefined,
  };
}

/** A real service may spell its headers in any case. */
function typeOf(headers: KeptResponse['headers'] | MockRequest['headers']): string {
  return String(Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '');
}

/** The placeholder for a credential. */
export const REDACTED = '***';

/** Compiles redacting keys and the token in a text, percent-encoded or not. */
export function compileRedact(
  { apiKeys, credentials }: Keys,
  token: string | undefined,
): (text: string) => string {
  const keys = [...(apiKeys === 'any' ? [] : apiKeys), ...Object.values(credentials).flat()];
  const secrets = token === undefined ? keys : [...keys, token];
  const spellings = [...new Set(secrets.flatMap((key) => [key, encodeURIComponent(key)]))];
  return (text) => {
    let result = text;
    for (const key of spellings) if (result.includes(key)) result = result.replaceAll(key, REDACTED);
    if (!result.includes('%')) return result;
    // Any character may be percent-encoded; a text with a key in such a form is hidden completely.
    const decoded = result.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return spellings.some((key) => decoded.includes(key)) ? REDACTED : result;
  };
}

/** Compiles redacting a request target, including query parameters with credentials. */
export function compileRedactTarget(
  operations: readonly Operation[],
  redact: (text: string) => string,
): (target: string) => string {
  const credentials = operations.flatMap(({ security }) => security.flat());
  const names = new Set(credentials.flatMap(({ in: place, name }) => (place === 'query' ? [name] : [])));
  const isSecret = memoizeText((name) => names.has(name) || isSecretName(name));
  return (target) => maskUrl(redact(target), REDACTED, isSecret);
}

/** Shorter values occur in ordinary words. */
const SHORTEST = 4;

/** Redacts, in everything shown of an exchange, the secret headers, parameters and members of its request. */
export type RedactSent = (
  request: Pick<MockRequest, 'query' | 'headers' | 'body'>,
) => (text: string) => string;

export function compileRedactSent(redact: (text: string) => string): RedactSent {
  const isSecret = memoizeText(isSecretHeader);
  const secretsInLine = memoizeText((line) => {
    const colon = line.indexOf(':');
    return longestFirst(secretsIn(line.slice(0, colon), line.slice(colon + 1)));
  });

  return ({ query, headers, body }) => {
    let sent: readonly string[] = [];
    for (const name of Object.keys(headers)) {
      const value = headers[name];
      if (value === undefined || !isSecret(name)) continue;
      const secrets = secretsInLine(`${name}:${value}`);
      sent = sent.length === 0 ? secrets : longestFirst([...sent, ...secrets]);
    }
    if (query !== '') sent = longestFirst([...sent, ...query.split('&').flatMap(secretsInPair)]);
    if (body !== undefined && body !== 'too large' && body.length <= LONGEST_READ)
      sent = longestFirst([...sent, ...secretsInBody(DECODER.decode(body), typeOf(headers))]);
    return (text) => {
      let result = redact(text);
      for (const secret of sent) result = result.replaceAll(secret, REDACTED);
      return result;
    };
  };
}

/** A secret may contain another one. */
function longestFirst(secrets: readonly string[]): readonly string[] {
  return [...new Set(secrets)]
    .filter((secret) => secret.length >= SHORTEST)
    .sort((left, right) => right.length - left.length);
}

/** In bytes: messages never repeat values from longer bodies. */
const LONGEST_READ = 2 ** 16;

function secretsInBody(text: string, type: string): string[] {
  const secrets: string[] = [];
  const replace = (value: unknown) => {
    if (typeof value === 'string' || typeof value === 'number') secrets.push(String(value));
    return value;
  };
  maskText(text, type, { mask: SECRET_MEMBERS, replace });
  return secrets;
}

function secretsInPair(pair: string): string[] {
  const [name = '', value = ''] = [...new URLSearchParams(pair)][0] ?? [];
  return isSecretName(name) ? [value, pair.slice(pair.indexOf('=') + 1)] : [];
}
