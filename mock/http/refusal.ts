import type { Detail, ResponseContent } from './exchange.ts';

/** Every refusal by name: its status and the `code` in the error body. */
export const REFUSALS = {
  // An operation that documents another status for invalid input gets that one.
  invalid: { status: 400, code: 'invalid_request' },
  malformed: { status: 400, code: 'malformed_request' },
  preference: { status: 400, code: 'preference_not_possible' },
  'session name': { status: 400, code: 'invalid_session_name' },
  unauthorized: { status: 401, code: 'unauthorized' },
  forbidden: { status: 403, code: 'forbidden' },
  'not found': { status: 404, code: 'not_found' },
  'no such path': { status: 404, code: 'no_such_path' },
  'method not allowed': { status: 405, code: 'method_not_allowed' },
  'not acceptable': { status: 406, code: 'not_acceptable' },
  timeout: { status: 408, code: 'request_timeout' },
  conflict: { status: 409, code: 'conflict' },
  gone: { status: 410, code: 'gone' },
  'too large': { status: 413, code: 'too_large' },
  'target too long': { status: 414, code: 'uri_too_long' },
  'media type': { status: 415, code: 'unsupported_media_type' },
  'headers too large': { status: 431, code: 'headers_too_large' },
  bug: { status: 500, code: 'internal_error' },
  unavailable: { status: 503, code: 'unavailable' },
  // Its status is the one that a preference or a rule names.
  forced: { status: 500, code: 'forced' },
} as const satisfies Record<string, { status: number; code: string }>;

export type RefusalName = keyof typeof REFUSALS;

/** An expected refusal: a value, not an exception. */
export interface Refusal {
  readonly refuse: RefusalName;
  /** For people: everything that was wrong, in one text. */
  readonly message: string;
  /** What the message leaves out, for the log: clients need not know where the mock keeps its records. */
  readonly cause?: string;
  /** Each problem, for error bodies that have a list. */
  readonly details?: readonly Detail[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides the status of the table. */
  readonly status?: number;
}

/** What comes of a request: a response, or the reason why there is none. */
export type Outcome = ResponseContent | Refusal;

/** What the log says of a refusal. */
export function loggedMessage({ message, cause }: Refusal): string {
  return cause === undefined ? message : `${message}: ${cause}`;
}

export function isRefusal(outcome: object): outcome is Refusal {
  return 'refuse' in outcome;
}
