interface Failure {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly errors?: readonly Failure[];
}

/** Of the system: the server cannot be reached, or the connection was lost. */
const SYSTEM_CODES =
  /^E(?:CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|HOSTDOWN)$/;

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A): connection exception, insufficient resources, operator
 * intervention, system error; a conflict after all retries; a read-only standby; credentials that are being changed.
 */
const SQL_STATES = /^(?:08|28|53|57|58)|^(?:40001|40P01|25006)$/;

/** Errors of the driver have no code. */
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|connection error/;

/** Whether the database failed, and not the statement. */
export function isUnavailable(failure: unknown): boolean {
  if (typeof failure !== 'object' || failure === null) return false;
  const { code, message } = failure as Failure;
  if (typeof code === 'string') return SYSTEM_CODES.test(code) || SQL_STATES.test(code);
  return MESSAGES.test(String(message));
}

/** The transaction was rolled back and can be retried: serialization failure, deadlock. */
export function isConflict(failure: unknown): boolean {
  const { code } = failure as Failure;
  return code === '40001' || code === '40P01';
}

/** One line; a host name with several addresses fails with a list. */
export function reasonOf(failure: unknown): string {
  const { message, code, errors: [first] = [] } = failure as Failure;
  return String(message || first?.message || code || failure).replace(/\s+/g, ' ');
}
