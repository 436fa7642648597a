import type { ObservedFinding, RequestFault } from '#observe';
import type { Recording } from './judging/recording.ts';
import type { RequestHead } from './message.ts';

/** An exchange that has passed, without credentials. */
export interface SeenExchange {
  /** Counted from 1. */
  readonly id: number;
  /** When the request arrived (RFC 3339, UTC). */
  readonly at: string;
  readonly method: string;
  /** Path and query, credentials redacted. */
  readonly target: string;
  /** Undefined: no response. */
  readonly status: number | undefined;
  /** From the request's first byte to the response's last one. */
  readonly ms: number;
  /** The size of the response's content in bytes. */
  readonly bytes: number;
  /** The operationId; undefined: the document has no operation for it. */
  readonly operation: string | undefined;
  /** Why it was not judged; undefined: it was. */
  readonly unjudged: string | undefined;
  /** What is wrong with the request; undefined: nothing known. */
  readonly invalid: ReturnType<RequestFault['describe']> | undefined;
  /** The broken rules. */
  readonly laws: readonly string[];
  /** Their breaches. */
  readonly findings: readonly Pick<ObservedFinding, 'law' | 'received' | 'documented' | 'at'>[];
}

/** The latest exchanges, formatted on demand. */
export interface SeenExchanges {
  /** Returns its number. */
  add(recording: Recording): number;
  readonly all: readonly SeenExchange[];
  clear(): void;
}

const MOST = 500;
/** The maximum size of both heads of an exchange, in characters. */
const LONG_HEADS = 8 * 1024;

/** An exchange that takes much memory, but is short when shown, is formatted at once. */
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
        .toSorted((left, right) => left.id - right.id)
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

/** Compiles the formatting of exchanges. */
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

/** @param most the maximum number of characters */
function shortened(target: string, most: number): string {
  if (target.length <= most) return target;
  // Copied: a slice keeps the whole string in memory.
  return `${Buffer.from(target.slice(0, most))}…`;
}

/** A request that violates the document. */
export interface InvalidRequest {
  readonly kind: RequestFault['kind'];
  readonly method: string;
  /** Path and query, credentials redacted. */
  readonly target: string;
  /** The operationId; undefined: the document has no operation for it. */
  readonly operation: string | undefined;
  /** Everything that is wrong, in one line. */
  readonly reason: string;
  /** File (or URL) and line of the document. */
  readonly at: string;
  /** How many requests had the same fault so far, including this one. */
  readonly times: number;
  /** The status that it got instead of being forwarded (`--enforce requests`); undefined: it was forwarded. */
  readonly refused: number | undefined;
}

/** The maximum number of distinct ones; the least recent is dropped. */
const MOST_INVALID = 1000;

/** Reports requests that violate the document: of equal ones the first, and then the 10th, the 100th and so on. */
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
