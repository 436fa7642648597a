import { type Operation, type Place, showPlace } from '#spec';
import { deprecationRemark } from '../answer/deprecation.ts';
import type { MockRequest } from '../answer/exchange.ts';
import { REFUSALS } from '../answer/refusal.ts';
import { compileRedaction } from '../server/log-entry.ts';
import type { NumberedEntry } from '../session/journal.ts';

/** One exchange as it is shown to people and tests; no credential stands in it. */
export interface LoggedRequest {
  /** Counted from 1 within the session. */
  readonly number: number;
  /** RFC 3339. */
  readonly at: string;
  readonly ms: number;
  readonly method: string;
  /** Path and query within the session. */
  readonly target: string;
  /** The operationId; undefined: the document has no such operation. */
  readonly operation: string | undefined;
  /** 0: the connection was dropped on purpose. */
  readonly status: number;
  /** What the error body says in its `code`. */
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where there is none; of a long one only that it is there. */
  readonly body: string | undefined;
  readonly violations: readonly LoggedViolation[];
  /** That the operation is deprecated, and until when it is there. */
  readonly deprecated: string | undefined;
}

export interface LoggedViolation {
  readonly where: string;
  readonly message: string;
  /** The line of the document: `spec/openapi.yaml:41`. */
  readonly at: string | undefined;
}

export type ShowEntry = (entry: NumberedEntry) => LoggedRequest;

const SECRET = /authorization|cookie|token|secret|password|api-?key/i;
const HIDDEN = '***';

/** Compiles how exchanges are shown: nothing of it is done before somebody looks. */
export function compileShowEntry(
  operations: readonly Operation[],
  hide: (text: string) => string,
): ShowEntry {
  const redactTarget = compileRedaction(operations, hide);
  const headerNames = new Set(
    operations
      .flatMap(({ security }) => security.flat())
      .flatMap(({ in: place, name }) => (place === 'header' ? [name.toLowerCase()] : [])),
  );
  const isSecret = (name: string) => SECRET.test(name) || headerNames.has(name);

  return ({ number, at, ms, request, status, operation, refusal }) => {
    const { method, path, query, headers } = request;
    const shown = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, isSecret(name) ? HIDDEN : hide(String(value))]],
    );
    return {
      number,
      at: new Date(at).toISOString(),
      ms: Math.round(ms * 1000) / 1000,
      method,
      target: redactTarget(query === '' ? path : `${path}?${query}`),
      operation: operation?.id,
      status,
      code: refusal && REFUSALS[refusal.refuse].code,
      headers: Object.fromEntries(shown),
      body: bodyOf(request, hide),
      violations: (refusal?.details ?? []).map((detail) => ({
        ...detail,
        message: hide(detail.message),
        at: detail.at && placeText(detail.at),
      })),
      deprecated: operation && deprecationRemark(operation),
    };
  };
}

const placeText = (place: Place) => showPlace(place);

function bodyOf({ body }: MockRequest, hide: (text: string) => string): string | undefined {
  if (body === undefined) return undefined;
  return body === 'too large' ? '(too long to be kept)' : hide(Buffer.from(body).toString('utf8'));
}
