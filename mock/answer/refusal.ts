import type { Place } from '#spec';

/** Every way in which the mock says no: name -> status and the word in the error body's `code`. */
export const REFUSALS = {
  // The operation's own status for invalid input takes the place of 400 where it documents another one.
  invalid: { status: 400, code: 'invalid_request' },
  malformed: { status: 400, code: 'malformed_request' },
  preference: { status: 400, code: 'preference_not_possible' },
  'session name': { status: 400, code: 'invalid_session_name' },
  unauthorized: { status: 401, code: 'unauthorized' },
  forbidden: { status: 403, code: 'forbidden' },
  'not found': { status: 404, code: 'not_found' },
  'no such path': { status: 404, code: 'no_such_path' },
  'method not allowed': { status: 405, code: 'method_not_allowed' },
  timeout: { status: 408, code: 'request_timeout' },
  conflict: { status: 409, code: 'conflict' },
  gone: { status: 410, code: 'gone' },
  'too large': { status: 413, code: 'too_large' },
  'media type': { status: 415, code: 'unsupported_media_type' },
  'headers too large': { status: 431, code: 'headers_too_large' },
  bug: { status: 500, code: 'internal_error' },
  unavailable: { status: 503, code: 'unavailable' },
  // Asked for: its status is the one that was asked for.
  forced: { status: 500, code: 'forced' },
} as const satisfies Record<string, { status: number; code: string }>;

export type RefusalName = keyof typeof REFUSALS;

/** An expected refusal: a value, not an exception. */
export interface Refusal {
  readonly refuse: RefusalName;
  /** Says to people what was wrong, all of it at once. */
  readonly message: string;
  /** What was wrong, one by one, for error bodies that have a list. */
  readonly details?: readonly Detail[];
  readonly headers?: Readonly<Record<string, string>>;
  /** In the place of the table's own. */
  readonly status?: number;
  /** It is given again and again: its answer is written once. */
  readonly lasting?: boolean;
}

export interface Detail {
  /** `body.name`, `query.limit` */
  readonly where: string;
  readonly message: string;
  /** The line of the document that was broken. */
  readonly at?: Place;
}

export function isRefusal(outcome: object): outcome is Refusal {
  return 'refuse' in outcome;
}
