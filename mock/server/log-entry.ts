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
}
