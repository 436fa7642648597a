import { CORS_HEADERS } from '../../http/cors.ts';
import type { ResponseContent } from '../../http/exchange.ts';
import type { Outcome } from '../../http/refusal.ts';

/**
 * A response that says in a header what the document says against it, and in the log.
 * @param cause who wants it so: `as a rule says`; undefined: the log has it already
 */
export function withViolation(
  content: ResponseContent,
  violation: string,
  cause: string | undefined,
): ResponseContent {
  return {
    ...withOwnHeaders(content, { [VIOLATION]: headerText(violation) }),
    ...(cause !== undefined && { remark: `against the document, ${cause}: ${violation}` }),
  };
}

const VIOLATION = 'X-Paddock-Violation';
const LONGEST_TEXT = 500;

/** A header holds printable ASCII. */
function headerText(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?');
  return printable.length > LONGEST_TEXT ? `${printable.slice(0, LONGEST_TEXT)}...` : printable;
}

/** A response with headers of the user's own. Pages of another origin may read them, too (Fetch §4.10). */
export function withOwnHeaders<T extends Outcome>(outcome: T, own: Readonly<Record<string, string>>): T {
  const exposed = outcome.headers?.[EXPOSED] ?? CORS_HEADERS[EXPOSED];
  const added = { [EXPOSED]: [exposed, ...Object.keys(own)].join(', ') };
  return { ...outcome, headers: { ...outcome.headers, ...added, ...own } };
}

const EXPOSED = 'Access-Control-Expose-Headers';
