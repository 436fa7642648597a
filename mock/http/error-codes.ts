import { plainName, type Shape } from '#spec';
import { type ErrorFacts, phraseOf } from './error-facts.ts';

/** What services call what is wrong, without signs, by status: the most specific first. */
const CODES: Readonly<Record<number, readonly string[]>> = {
  400: [
    ...['invalidrequest', 'badrequest', 'validationerror', 'validationfailed', 'validation', 'invalidinput'],
    ...['invalidargument', 'invalidparameter', 'badparameter', 'baduserinput', 'unprocessable'],
    ...['invalid', 'malformed', 'clienterror', 'requesterror', 'inputerror'],
  ],
  401: [
    'unauthorized',
    'unauthenticated',
    'authenticationrequired',
    'authentication',
    'invalidtoken',
    'auth',
  ],
  403: ['forbidden', 'permissiondenied', 'accessdenied', 'notallowed', 'permission', 'auth'],
  404: ['notfound', 'doesnotexist', 'nosuch', 'unknown', 'missing'],
  405: ['methodnotallowed', 'notallowed'],
  406: ['notacceptable'],
  409: ['conflict', 'alreadyexists', 'duplicate', 'exists', 'taken'],
  412: ['preconditionfailed', 'stale'],
  413: ['toolarge'],
  415: ['unsupportedmediatype', 'mediatype', 'contenttype'],
  429: ['toomanyrequests', 'ratelimit'],
  500: ['internal', 'servererror', 'apierror', 'unexpected', 'system', 'unknown'],
  503: ['unavailable'],
};

/** Of google.rpc.Code, by status. */
const GOOGLE: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

export const googleStatus = ({ status }: ErrorFacts): string =>
  GOOGLE[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');

/** A member, and a text that the document shows there. */
interface Shown {
  readonly shape: Shape;
  readonly example: string | undefined;
}

/** A code in the form that the member's values or its example have: one of these, by a name for the status. */
export function codesOf(facts: ErrorFacts, { shape: member, example }: Shown): string[] {
  const { status, code } = facts;
  const kind = CODES[status < 500 ? 400 : 500] ?? [];
  const own = [plainName(code), plainName(phraseOf(facts)), ...(CODES[status] ?? [])];
  const named = [...namedValues(member, own, facts.subject), ...namedValues(member, kind)];
  return [...named, ...styled(code, example)];
}

/** The listed value that is called so, else one that has such a name in it: of the subject, or the shortest. */
export function namedValues(member: Shape, wanted: readonly string[], subject = ''): string[] {
  const values = (member.values ?? []).filter((value): value is string => typeof value === 'string');
  if (values.length === 0) return [];
  const about = plainName(subject);
  const named = values
    .map((value) => ({ value, plain: plainName(value) }))
    .sort((one, other) => one.plain.length - other.plain.length)
    .sort((one, other) => Number(other.plain.includes(about)) - Number(one.plain.includes(about)));
  const names = wanted.map(plainName);
  const equal = names.flatMap((name) => named.filter(({ plain }) => plain === name));
  const inside = names.flatMap((name) => named.filter(({ plain }) => plain.includes(name)));
  return [...equal, ...inside].map(({ value }) => value);
}

/** `NOT_FOUND`, `NotFound`, `notFound`, `not-found`, as the example is written. */
export function styled(code: string, example: string | undefined): string[] {
  const parts = code.split('_');
  const pascal = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  if (example === undefined) return [code, code.toUpperCase(), pascal];
  if (/^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/.test(example) && /[A-Z]{2}/.test(example)) return [code.toUpperCase()];
  if (/^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/.test(example)) return [pascal];
  if (/^[a-z]+(?:[A-Z][a-z]+)+$/.test(example)) return [pascal.charAt(0).toLowerCase() + pascal.slice(1)];
  if (/^[a-z]+(?:-[a-z]+)+$/.test(example)) return [parts.join('-')];
  if (/^[a-z]+(?:\.[a-z_]+)+$/.test(example)) return [parts.join('.')];
  return [code];
}
