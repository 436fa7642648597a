import type { LoggedRequest } from '../wire.ts';

/** Which requests are shown; an empty text shows all. */
export interface RequestFilter {
  /** An operationId, or {@link NO_OPERATION}. */
  readonly operation: string;
  /** The first digit of a status, `refused`, or `dropped`. */
  readonly status: string;
  /** In target, body, response or violations, whatever its case. */
  readonly text: string;
}

export const EVERY_REQUEST: RequestFilter = { operation: '', status: '', text: '' };

/** For requests that match no operation of the document. */
export const NO_OPERATION = '-';

export function matchesFilter(request: LoggedRequest, { operation, status, text }: RequestFilter): boolean {
  if (operation !== '' && (request.operation ?? NO_OPERATION) !== operation) return false;
  if (status !== '' && !matchesStatus(request, status)) return false;
  const wanted = text.trim().toLowerCase();
  return wanted === '' || textsOf(request).some((one) => one.toLowerCase().includes(wanted));
}

function matchesStatus({ status, code }: LoggedRequest, wanted: string): boolean {
  if (wanted === 'refused') return code !== undefined;
  if (wanted === 'dropped') return status === 0;
  return String(status).startsWith(wanted) && status !== 0;
}

function* textsOf({ method, target, operation, code, message, body, response }: LoggedRequest) {
  yield `${method} ${target} ${operation ?? ''} ${code ?? ''} ${message ?? ''}`;
  if (body !== undefined) yield body;
  if (response.body !== undefined) yield response.body;
}
