import { type Operation, type ReadRequest, type RequestViolation, stringifyJson } from '#spec';
import type { Detail, MockRequest } from '../exchange/exchange.ts';
import type { Refusal } from './refusal.ts';

/** All violations of a request as one refusal; undefined: it is valid. */
export function refuseInvalid(operation: Operation, { violations }: ReadRequest): Refusal | undefined {
  if (violations.length === 0) return undefined;
  const details = violations.map(describe);
  const message = details.map(({ where, message }) => `${where} ${message}`).join('; ');
  if (violations.some((violation) => violation.in === 'path') && meansNotFound(operation)) {
    return { refuse: 'not found', message: `Nothing can be found there: ${message}`, details };
  }
  if (violations.some(({ kind }) => kind === 'media type')) return { refuse: 'media type', message, details };
  return { refuse: 'invalid', message, details };
}

/** An invalid path parameter is a 404, unless the document has a status for invalid input and none for that. */
function meansNotFound({ responses }: Operation): boolean {
  const keys = responses.map(({ key }) => key);
  return keys.includes('404') || !(keys.includes('400') || keys.includes('422'));
}

function describe(violation: RequestViolation): Detail {
  const { expected, received, keyword, at } = violation;
  const notReceived = keyword === 'required' ? '' : `, not ${show(received)}`;
  return { where: pathOf(violation), message: expected + notReceived, at };
}

/** `body.address.street`, `query.limit` */
function pathOf({ in: place, name, pointer }: RequestViolation): string {
  const steps = pointer.replaceAll('/', '.');
  // Unescaped after the steps are told apart (RFC 6901 §4).
  const inner = steps.includes('~') ? steps.replaceAll('~1', '/').replaceAll('~0', '~') : steps;
  return (name ? `${place}.${name}` : place) + inner;
}

const MAX_SHOWN = 80;

function show(value: unknown): string {
  const text = stringifyJson(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

/** Refuses a body that the mock does not read: too long, or with a content coding. */
export function refuseUnreadable({ headers, body }: MockRequest, maxBody: number): Refusal | undefined {
  if (body === undefined) return undefined;
  if (body === 'too large') {
    return { refuse: 'too large', message: `body must have at most ${maxBody} bytes` };
  }
  const coding = String(headers['content-encoding'] ?? 'identity');
  if (/^identity$/i.test(coding)) return undefined;
  // RFC 9110 §15.5.16: 415 covers content codings, too.
  return {
    refuse: 'media type',
    message: `body must have no Content-Encoding, not ${stringifyJson(coding)}`,
  };
}
