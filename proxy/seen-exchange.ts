import type { Judged } from './judging/judging.ts';

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
  /** The laws that it breaks. */
  readonly laws: readonly string[];
}

/** The latest exchanges, made readable when somebody asks. */
export interface SeenExchanges {
  /** Returns its number. */
  add(judged: Judged): number;
  readonly all: readonly SeenExchange[];
  clear(): void;
}

const MOST = 500;

export function createSeenExchanges(show: (judged: Judged, id: number) => SeenExchange): SeenExchanges {
  const ring: { readonly judged: Judged; readonly id: number }[] = [];
  let count = 0;
  return {
    add(judged) {
      ring[count % MOST] = { judged, id: count + 1 };
      count += 1;
      return count;
    },
    get all() {
      return ring.toSorted((one, other) => one.id - other.id).map(({ judged, id }) => show(judged, id));
    },
    clear() {
      ring.length = 0;
      count = Math.ceil(count / MOST) * MOST;
    },
  };
}

/** Compiles how exchanges are shown. */
export function compileShow(redactTarget: (target: string) => string) {
  return ({ recording, operation, findings }: Judged, id: number): SeenExchange => ({
    id,
    at: new Date(recording.startedAt).toISOString(),
    method: recording.head.method,
    target: redactTarget(recording.head.target),
    status: recording.response?.status,
    ms: Math.round(recording.ms * 10) / 10,
    bytes: recording.responseLength,
    operation,
    unjudged: recording.unjudged ?? (operation === undefined ? 'unknown' : undefined),
    laws: [...new Set(findings.map(({ law }) => law))],
  });
}
