import {
  CONTENT_CODINGS,
  codingsOf,
  DocumentError,
  decodeContent,
  type Operation,
  pointerTokens,
  type ReadRequest,
  type RequestViolation,
  stringifyJson,
} from '#spec';
import type { Detail, MockRequest, ResponseContent } from './exchange.ts';

/** Every refusal by name, with its status and the `code` in the error body. */
export const REFUSALS = {
  // Operations that document another status for invalid input use that one.
  invalid: { status: 400, code: 'invalid_request' },
  // A body that does not match its media type.
  syntax: { status: 400, code: 'invalid_request' },
  malformed: { status: 400, code: 'malformed_request' },
  preference: { status: 400, code: 'preference_not_possible' },
  'session name': { status: 400, code: 'invalid_session_name' },
  // RFC 6749 §5.2.
  'invalid grant': { status: 400, code: 'invalid_grant' },
  unauthorized: { status: 401, code: 'unauthorized' },
  forbidden: { status: 403, code: 'forbidden' },
  'not found': { status: 404, code: 'not_found' },
  'no such path': { status: 404, code: 'no_such_path' },
  'method not allowed': { status: 405, code: 'method_not_allowed' },
  'not acceptable': { status: 406, code: 'not_acceptable' },
  timeout: { status: 408, code: 'request_timeout' },
  conflict: { status: 409, code: 'conflict' },
  gone: { status: 410, code: 'gone' },
  stale: { status: 412, code: 'precondition_failed' },
  'too large': { status: 413, code: 'too_large' },
  'target too long': { status: 414, code: 'uri_too_long' },
  'media type': { status: 415, code: 'unsupported_media_type' },
  'no condition': { status: 428, code: 'precondition_required' },
  'headers too large': { status: 431, code: 'headers_too_large' },
  // The operation's description cannot be read: clients must not mistake this for a response of the service.
  'left out': { status: 501, code: 'operation_left_out' },
  bug: { status: 500, code: 'internal_error' },
  // An error in a rule: its author must notice it, and clients must not mistake it for a response of the service.
  template: { status: 500, code: 'template_failed' },
  unavailable: { status: 503, code: 'unavailable' },
  'bad gateway': { status: 502, code: 'upstream_failed' },
  'gateway timeout': { status: 504, code: 'upstream_timeout' },
  // Its status comes from a preference or rule.
  forced: { status: 500, code: 'forced' },
} as const satisfies Record<string, { status: number; code: string }>;

export type RefusalName = keyof typeof REFUSALS;

/** An expected refusal, as a value instead of an exception. */
export interface Refusal {
  readonly refuse: RefusalName;
  /** For people: all problems, in one text. */
  readonly message: string;
  /** Details for the log only: clients need not know where the mock stores its records. */
  readonly cause?: string;
  /** The single problems, for error bodies with a list. */
  readonly details?: readonly Detail[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides the status of the table. */
  readonly status?: number;
}

/** The outcome of a request: a response, or the reason for a refusal. */
export type Outcome = ResponseContent | Refusal;

export function loggedMessage({ message, cause }: Refusal): string {
  return cause === undefined ? message : `${message.replace(/\.$/, '')}: ${cause}`;
}

export function isRefusal(outcome: object): outcome is Refusal {
  return 'refuse' in outcome;
}

/** A request with its body decoded as far as possible; see {@link refuseUnreadable} for other bodies. */
export function withContent(request: MockRequest, maxBody: number): MockRequest {
  const { body } = request;
  const coding = codingIn(request);
  if (!(body instanceof Uint8Array) || coding === undefined) return request;
  const decoded = decodeContent(body, coding, maxBody);
  if ('bytes' in decoded) return { ...request, body: decoded.bytes, encoded: body };
  return 'tooLarge' in decoded ? { ...request, body: 'too large', encoded: body } : request;
}

/** Undefined: the body has no content coding. */
function codingIn({ headers }: MockRequest): string | undefined {
  const coding = headers['content-encoding'];
  if (coding === undefined) return undefined;
  const text = String(coding);
  return codingsOf(text).length > 0 ? text : undefined;
}

/** Refuses a body that is too long, or has unknown or invalid content codings. */
export function refuseUnreadable(request: MockRequest, maxBody: number): Refusal | undefined {
  const { body } = request;
  if (body === undefined) return undefined;
  if (body === 'too large') {
    return { refuse: 'too large', message: `body must have at most ${maxBody} bytes` };
  }
  const coding = request.encoded ? undefined : codingIn(request);
  if (coding === undefined) return undefined;
  const decoded = decodeContent(body, coding, maxBody);
  if ('broken' in decoded)
    return { refuse: 'syntax', message: `body is not ${decoded.broken}, as Content-Encoding says` };
  // RFC 9110 §15.5.16, §12.5.3: 415 also covers content codings, and lists the supported ones.
  const codings = CONTENT_CODINGS.join(', ') || 'identity';
  return {
    refuse: 'media type',
    message: `Content-Encoding must name ${codings}, at most 4 in all, not ${stringifyJson(coding)}`,
    headers: { 'Accept-Encoding': codings },
  };
}

/** The most problems to report: each item of a long list may have the same one. */
const MOST_DETAILS = 100;

/** The violations of a request as one refusal. Undefined: the request is valid. */
export function refuseInvalid(operation: Operation, { violations }: ReadRequest): Refusal | undefined {
  if (violations.length === 0) return undefined;
  const details = violations.slice(0, MOST_DETAILS).map(describe);
  if (lacksCondition(operation, violations))
    return { refuse: 'no condition', message: 'The request needs If-Match', details };
  const more = violations.length - details.length;
  const reasons = details.map(({ where, message }) => `${where} ${message}`).join('; ');
  const message = more > 0 ? `${reasons}; and ${more} more` : reasons;
  if (violations.some(({ in: place }) => place === 'path') && meansNotFound(operation))
    return { refuse: 'not found', message: `Nothing can be found there: ${message}`, details };
  const kinds = violations.map(({ kind }) => kind);
  const refuse = kinds.includes('syntax') ? 'syntax' : 'invalid';
  return { refuse: kinds.includes('media type') ? 'media type' : refuse, message, details };
}

/** Whether an invalid path parameter means 404: not if the document has a status for invalid input and no 404. */
function meansNotFound({ responses }: Operation): boolean {
  const keys = responses.map(({ key }) => key);
  return keys.includes('404') || !(keys.includes('400') || keys.includes('422'));
}

/** A missing `If-Match` gets its own status where that is documented (RFC 6585 §3). */
function lacksCondition({ responses }: Operation, violations: readonly RequestViolation[]): boolean {
  const isMissing = ({ in: place, name, keyword }: RequestViolation) =>
    place === 'header' && name === 'if-match' && keyword === 'required';
  return violations.every(isMissing) && responses.some(({ key }) => key === '428');
}

function describe(violation: RequestViolation): Detail {
  const { kind, expected, received, keyword, at, in: place, name, pointer, limit } = violation;
  const receivedText = keyword === 'required' || kind === 'syntax' ? '' : shownValue(received);
  // The log must not store whole bodies.
  const short = receivedText.length > MAX_SHOWN ? undefined : received;
  return {
    where: pathOf(violation),
    message: receivedText === '' ? expected : `${expected}, not ${receivedText}`,
    at,
    broken: { in: place, name, pointer, keyword, limit, received: short },
  };
}

/** `body.address.street`, `query.limit` */
function pathOf({ in: place, name, pointer }: RequestViolation): string {
  const outer = name ? `${place}.${name}` : place;
  if (pointer === '') return outer;
  // A fast path, as most are members of the body itself.
  const steps = pointer.includes('/', 1) ? pointer.replaceAll('/', '.') : `.${pointer.slice(1)}`;
  // Unescaped after splitting the steps (RFC 6901 §4).
  const inner = steps.includes('~') ? steps.replaceAll('~1', '/').replaceAll('~0', '~') : steps;
  return outer + inner;
}

/** The part of the request with the error, `body`, `query` or the name of a header, and the steps within it. */
export function locationOf({ where, broken }: Detail): { place: string; steps: (string | number)[] } {
  const [first = '', ...parts] = where.split('.');
  const steps = broken ? [...(broken.name ? [broken.name] : []), ...pointerTokens(broken.pointer)] : parts;
  const asIndex = (step: string) => (/^\d+$/.test(step) ? Number(step) : step);
  return { place: broken?.in ?? first, steps: steps.map(asIndex) };
}

/** The path of the member or parameter for clients: `address.street`, `items.0.name`; `body` for the whole. */
export function memberPath(detail: Detail): string {
  const { place, steps } = locationOf(detail);
  return steps.length === 0 ? place : steps.join('.');
}

export const sentence = (detail: Detail) => `${memberPath(detail)} ${detail.message}`;

const MAX_SHOWN = 80;

/** A value as JSON, shortened for reading. */
export function shownValue(value: unknown): string {
  const text = stringifyJson(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

/**
 * The refusal of an invalid file in a request, with each problem and its line.
 * @param prefix the text before the problems
 * @throws errors that are no problems of a file
 */
export function refuseFile(error: unknown, prefix: string): Refusal {
  if (!(error instanceof DocumentError)) throw error;
  const details = error.problems.map(({ line, column, message }) => ({
    where: `${line}:${column}`,
    message,
  }));
  const problems = details.map(({ where, message }) => `line ${where}: ${message}`).join('; ');
  return { refuse: 'malformed', message: `${prefix}: ${problems}`, details };
}
