/** A recorded exchange with a service, from which a mock learns records. */
export interface RecordedTraffic {
  /** The place in the recording, for messages: `entry 17`. */
  readonly position: string;
  /**
   * When the request began, in milliseconds since 1970. Undefined: unknown. Of two exchanges, the one that began later
   * counts.
   */
  readonly startedAt?: number | undefined;
  /** The duration of the exchange, in milliseconds. Undefined: unknown. */
  readonly ms?: number | undefined;
  readonly request: {
    readonly method: string;
    readonly url: URL;
    readonly headers: Headers;
    /** Undefined: none was sent or recorded. */
    readonly body: Uint8Array | undefined;
  };
  /** Undefined: there was no response. */
  readonly response:
    | {
        readonly status: number;
        readonly headers: Headers;
        /** Decoded (without content coding). */
        readonly body: Uint8Array;
        /** The body was not recorded completely. */
        readonly bodyMissing: boolean;
      }
    | undefined;
}

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Reads recorded traffic from the beginning. Called when the mock starts and again when the document changes, since the
 * document decides what is learned.
 */
export type Recording = () => Iterable<Recorded> | AsyncIterable<Recorded>;

/** A recorded exchange, or a problem in place of one that cannot be read, which is ignored. */
export type Recorded = RecordedTraffic | { readonly problem: string };

/** What a mock has learned from recorded traffic. */
export interface RecordedSummary {
  /** How many exchanges were recorded. */
  readonly exchanges: number;
  /** How many of them show records. */
  readonly used: number;
  /** The collections in the traffic, in the document's order; all others are seeded. */
  readonly collections: readonly RecordedCollection[];
  /** Exchanges that could not be used, by kind. */
  readonly misfits: readonly MisfitCount[];
}

export interface RecordedCollection {
  /** As in the document, without the base path. */
  readonly path: string;
  /** The number of initial records. */
  readonly records: number;
  /** The number of records of which the traffic shows only the id, in a path below them: their members are made up. */
  readonly madeUp: number;
}

export interface MisfitCount {
  readonly kind: Misfit;
  /** What it means, briefly. */
  readonly meaning: string;
  readonly count: number;
  /** The first ones, each with its place. */
  readonly first: readonly string[];
}

/** Kinds of exchanges that cannot be used. */
export const MISFITS = {
  'unknown path': 'the document has no such path or method',
  'breaks schema': 'records that the document does not allow, left out',
  'partly made up': 'records of which the responses do not show all that the document requires: made up',
  'undocumented members': 'records with members that the document does not name, taken without them',
  'body missing': 'responses whose body was not recorded',
  'body unreadable': 'responses whose body is not JSON',
  'no id': 'records without an id',
  'no parent': 'records whose parent record is unknown',
  'same id': 'records with the id of one below another parent, left out: a mock has one record with an id',
  'no record': 'changes whose record is unknown',
} as const satisfies Readonly<Record<string, string>>;

export type Misfit = keyof typeof MISFITS;

/** Counts unusable exchanges, and keeps only the first ones. */
export type NoteMisfit = (kind: Misfit, place: string, reason?: string) => void;

/** The number shown per kind. */
const MOST_SHOWN = 3;

export function createMisfits(): { readonly note: NoteMisfit; counts(): readonly MisfitCount[] } {
  const byKind = new Map<Misfit, { count: number; first: string[] }>();
  return {
    note(kind, place, reason) {
      const misfits = byKind.get(kind) ?? { count: 0, first: [] };
      byKind.set(kind, misfits);
      misfits.count++;
      if (misfits.first.length < MOST_SHOWN)
        misfits.first.push(reason === undefined ? place : `${place}: ${reason}`);
    },
    counts: () =>
      (Object.keys(MISFITS) as Misfit[]).flatMap((kind) => {
        const misfits = byKind.get(kind);
        return misfits ? [{ kind, meaning: MISFITS[kind], ...misfits }] : [];
      }),
  };
}
