interface Failure {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly errors?: readonly Failure[];
}

/** Of the system: the other side is not there, or is there no more. */
const SYSTEM_CODES =
  /^E(?:CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|HOSTDOWN)$/;

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A): connection, resources, operator, system; a conflict that
 * never ends; a server that has become a read-only standby; credentials that are being changed.
 */
const SQL_STATES = /^(?:08|28|53|57|58)|^(?:40001|40P01|25006)$/;

/** The driver's own failures have no code. */
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|connection error/;

/** Whether the database, and not the statement, is what failed. */
export function isAway(failure: unknown): boolean {
  if (typeof failure !== 'object' || failure === null) return false;
  const { code, message } = failure as Failure;
  if (typeof code === 'string') return SYSTEM_CODES.test(code) || SQL_STATES.test(code);
  return MESSAGES.test(String(message));
}

/** Others came in between, nothing was done, and it may be tried again: serialization failure, deadlock. */
export function isConflict(failure: unknown): boolean {
  const { code } = failure as Failure;
  return code === '40001' || code === '40P01';
}

/** One line; an address with several machines behind it fails with a list. */
export function reasonOf(failure: unknown): string {
  const { message, code, errors: [first] = [] } = failure as Failure;
  return String(message || first?.message || code || failure).replace(/\s+/g, ' ');
}
