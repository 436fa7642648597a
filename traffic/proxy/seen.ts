import type { ObservedFinding, RequestFault } from '#observe';
import type { Recording } from './judging/recording.ts';
import type { RequestHead } from './message.ts';

/** An exchange that has passed, without credentials. */
export interface SeenExchange {
  /** Counts from 1. */
  readonly id: number;
  /** When the request came (RFC 3339, UTC). */
  readonly at: string;
  readonly method: string;
  /** Path and query, credentials redacted. */
  readonly target: string;
  /** Undefined: no response came. */
  readonly status: number | undefined;
  /** From the request's first byte to the response's last one. */
  readonly ms: number;
  /** Bytes of the response's content. */
  readonly bytes: number;
  /** The operationId; undefined: the document has no operation for it. */
  readonly operation: string | undefined;
  /** Why it was not judged; undefined: it was. */
  readonly unjudged: string | undefined;
  /** What is wrong with the request; undefined: nothing is known to be. */
  readonly invalid: ReturnType<RequestFault['describe']> | undefined;
  /** The laws that it breaks. */
  readonly laws: readonly string[];
  /** What breaks them. */
  readonly findings: readonly Pick<ObservedFinding, 'law' | 'received' | 'documented' | 'at'>[];
}

/** The latest exchanges, made readable when somebody asks. */
export interface SeenExchanges {
  /** Returns its number. */
  add(recording: Recording): number;
  readonly all: readonly SeenExchange[];
  clear(): void;
}

const MOST = 500;
/** Characters of both heads of an exchange. */
const LONG_HEADS = 8 * 1024;

/** What is long in memory, and short when it is shown, is made readable at once. */
type Kept = { readonly id: number } & ({ readonly recording: Recording } | { readonly view: SeenExchange });

export function createSeenExchanges(show: (recording: Recording, id: number) => SeenExchange): SeenExchanges {
  const ring: Kept[] = [];
  let count = 0;

  return {
    add(recording) {
      const id = count + 1;
      ring[count % MOST] = hasLongHeads(recording) ? { id, view: show(recording, id) } : { id, recording };
      count = id;
      return id;
    },
    get all() {
      return ring
        .toSorted((one, other) => one.id - other.id)
        .map((one) => ('view' in one ? one.view : show(one.recording, one.id)));
    },
    clear() {
      ring.length = 0;
      count = Math.ceil(count / MOST) * MOST;
    },
  };
}

function hasLongHeads({ head, response }: Recording): boolean {
  return head.identity.length + (response?.identity.length ?? 0) > LONG_HEADS;
}

/** Compiles how exchanges are shown. */
export function compileShow(redactTarget: (target: string) => string) {
  return (recording: Recording, id: number): SeenExchange => {
    const { startedAt, head, response, ms, responseLength, operation, unjudged, invalid, findings } =
      recording;
    return {
      id,
      at: new Date(startedAt).toISOString(),
      method: head.method,
      target: shortened(redactTarget(head.target), 2048),
      status: response?.status,
      ms: Math.round(ms * 10) / 10,
      bytes: responseLength,
      operation: operation?.id,
      unjudged: unjudged ?? (operation === undefined ? 'unknown' : undefined),
      invalid,
      laws: [...new Set(findings.map(({ law }) => law))],
      findings: findings.map(({ law, received, documented, at }) => ({ law, received, documented, at })),
    };
  };
}

/** @param most characters that are shown */
function shortened(target: string, most: number): string {
  if (target.length <= most) return target;
  // A copy: a part of a string keeps the whole.
  return `${Buffer.from(target.slice(0, most))}…`;
}

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
const MOST_INVALID = 1000;

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
    if (counts.size > MOST_INVALID) counts.delete(counts.keys().next().value ?? '');
    if (!/^10*$/.test(String(times))) return;
    report({
      kind,
      method,
      target: shortened(redactTarget(target), 300),
      operation: operation?.id,
      ...describe(),
      times,
      refused,
    });
  };
}
