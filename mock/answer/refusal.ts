/** Every way in which the mock says no: name -> status and the word in the error body's `code`. */
export const REFUSALS = {
  // The operation's own status for invalid input takes the place of 400 where it documents another one.
  invalid: { status: 400, code: 'invalid_request' },
  malformed: { status: 400, code: 'malformed_request' },
  unauthorized: { status: 401, code: 'unauthorized' },
  'not found': { status: 404, code: 'not_found' },
  'no such path': { status: 404, code: 'no_such_path' },
  'method not allowed': { status: 405, code: 'method_not_allowed' },
  timeout: { status: 408, code: 'request_timeout' },
  conflict: { status: 409, code: 'conflict' },
  'too large': { status: 413, code: 'too_large' },
  'media type': { status: 415, code: 'unsupported_media_type' },
  'headers too large': { status: 431, code: 'headers_too_large' },
  bug: { status: 500, code: 'internal_error' },
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
}

export interface Detail {
  /** `body.name`, `query.limit` */
  readonly where: string;
  readonly message: string;
}

export function isRefusal(outcome: object): outcome is Refusal {
  return 'refuse' in outcome;
}
