import type { LoggedViolation } from '../control/logged-request.ts';
import type { MockRequest, Reason } from '../http/exchange.ts';

/** One exchange over the socket. */
export interface LogEntry {
  readonly method: string;
  /** Path and query as sent, credentials redacted. */
  readonly target: string;
  /** 0: a rule dropped the connection. */
  readonly status: number;
  /** Milliseconds from request to response. */
  readonly ms: number;
  /** Such as that the operation is deprecated. */
  readonly remark?: string | undefined;
  /** The operationId; undefined: the document has no such operation. */
  readonly operation?: string | undefined;
  /** Undefined: the request was not refused. */
  readonly refused?: LoggedRefusal | undefined;
}

/** Why a request was refused; credentials are redacted. */
export interface LoggedRefusal {
  /** The `code` of the error body. */
  readonly code: string;
  /** Everything that was wrong, in one text. */
  readonly message: string;
  /** The same one by one, where the request violated the document. */
  readonly violations: readonly LoggedViolation[];
}

/** Redacts what the request has in the way of secrets, where there was one. */
export type ShowReason = (
  reason: Reason,
  request: Pick<MockRequest, 'query' | 'headers'> | undefined,
) => LoggedRefusal;
