import type { RequestFault } from '#observe';
import type { RequestHead } from './message.ts';

/** A request that is not as the document has it. */
export interface InvalidRequest {
  readonly kind: RequestFault['kind'];
  readonly method: string;
  /** Path and query, credentials redacted. */
  readonly target: string;
  /** The operationId; undefined: the document has no operation for it. */
  readonly operation: string | undefined;
  /** All that is wrong, in one line. */
  readonly reason: string;
  /** File (or URL) and line of the document. */
  readonly at: string;
  /** How many requests were wrong in the same way so far, with this one. */
  readonly times: number;
  /** It was not sent to the target, and has got this status (`--enforce requests`); undefined: it was sent. */
  readonly refused: number | undefined;
}

/** Distinct ones that are counted; of more the one that was not seen for longest is forgotten. */
const MOST = 1000;
/** Characters of a target that are shown. */
const SHOWN_OF_TARGET = 300;

/** Reports requests that are not as the document has them: of equal ones the first, and then the 10th, the 100th and so on. */
export function createInvalidRequests(
  redactTarget: (target: string) => string,
  report: (request: InvalidRequest) => void,
): (head: Pick<RequestHead, 'method' | 'target'>, fault: RequestFault, refused?: number) => void {
  const counts = new Map<string, number>();
  return ({ method, target }, { kind, key, operation, describe }, refused) => {
    const times = (counts.get(key) ?? 0) + 1;
    counts.delete(key);
    counts.set(key, times);
    if (counts.size > MOST) counts.delete(counts.keys().next().value ?? '');
    if (!/^10*$/.test(String(times))) return;
    const shown = redactTarget(target);
    report({
      ...{
        kind,
        method,
        target: shown.length > SHOWN_OF_TARGET ? `${shown.slice(0, SHOWN_OF_TARGET)}…` : shown,
      },
      ...{ operation: operation?.id, ...describe(), times, refused },
    });
  };
}
