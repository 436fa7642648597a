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
/** Characters of both heads of an exchange. */
const LONG_HEADS = 8 * 1024;
/** Characters of a target that are shown. */
const SHOWN_OF_TARGET = 2048;

/** What is long in memory, and short when it is shown, is made readable at once. */
type Kept = { readonly id: number } & ({ readonly judged: Judged } | { readonly shown: SeenExchange });

export function createSeenExchanges(show: (judged: Judged, id: number) => SeenExchange): SeenExchanges {
  const ring: Kept[] = [];
  let count = 0;

  return {
    add(judged) {
      const id = count + 1;
      ring[count % MOST] = hasLongHeads(judged) ? { id, shown: show(judged, id) } : { id, judged };
      count = id;
      return id;
    },
    get all() {
      return ring
        .toSorted((one, other) => one.id - other.id)
        .map((one) => {
          return 'shown' in one ? one.shown : show(one.judged, one.id);
        });
    },
    clear() {
      ring.length = 0;
      count = Math.ceil(count / MOST) * MOST;
    },
  };
}

function hasLongHeads({ recording: { head, response } }: Judged): boolean {
  return head.identity.length + (response?.identity.length ?? 0) > LONG_HEADS;
}

/** Compiles how exchanges are shown. */
export function compileShow(redactTarget: (target: string) => string) {
  return ({ recording, operation, findings }: Judged, id: number): SeenExchange => ({
    id,
    at: new Date(recording.startedAt).toISOString(),
    method: recording.head.method,
    target: shortened(redactTarget(recording.head.target)),
    status: recording.response?.status,
    ms: Math.round(recording.ms * 10) / 10,
    bytes: recording.responseLength,
    operation,
    unjudged: recording.unjudged ?? (operation === undefined ? 'unknown' : undefined),
    laws: [...new Set(findings.map(({ law }) => law))],
  });
}

function shortened(target: string): string {
  if (target.length <= SHOWN_OF_TARGET) return target;
  // A copy: a part of a string keeps the whole.
  return `${Buffer.from(target.slice(0, SHOWN_OF_TARGET))}…`;
}
