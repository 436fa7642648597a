import { type Operation, type ReadRequest, type RequestViolation, stringifyJson } from '#spec';
import type { Detail, MockRequest } from './exchange.ts';
import type { Refusal } from './refusal.ts';

/** All violations of a request as one refusal; undefined: it is valid. */
export function refuseInvalid(operation: Operation, { violations }: ReadRequest): Refusal | undefined {
  if (violations.length === 0) return undefined;
  const details = violations.map(describe);
  let message = '';
  let isOfPath = false;
  let isOfMedia = false;
  for (const [at, { in: place, kind }] of violations.entries()) {
    const detail = details[at] as Detail;
    message += `${message === '' ? '' : '; '}${detail.where} ${detail.message}`;
    if (place === 'path') isOfPath = true;
    if (kind === 'media type') isOfMedia = true;
  }
  if (isOfPath && meansNotFound(operation))
    return { refuse: 'not found', message: `Nothing can be found there: ${message}`, details };
  return { refuse: isOfMedia ? 'media type' : 'invalid', message, details };
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
  const outer = name ? `${place}.${name}` : place;
  if (pointer === '') return outer;
  // Most are members of the body itself.
  const steps = pointer.includes('/', 1) ? pointer.replaceAll('/', '.') : `.${pointer.slice(1)}`;
  // Unescaped after the steps are told apart (RFC 6901 §4).
  const inner = steps.includes('~') ? steps.replaceAll('~1', '/').replaceAll('~0', '~') : steps;
  return outer + inner;
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
