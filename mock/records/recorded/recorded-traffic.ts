/** A request that somebody sent to a service, and its response: what a mock learns records from. */
export interface RecordedTraffic {
  /** Where it was recorded, for messages: `entry 17`. */
  readonly position: string;
  /** When the request began, in milliseconds since 1970; undefined: not known. Of two exchanges the one that began later counts. */
  readonly startedAt?: number | undefined;
  /** How long the exchange took, in milliseconds; undefined: not known. */
  readonly ms?: number | undefined;
  readonly request: {
    readonly method: string;
    readonly url: URL;
    readonly headers: Headers;
    /** Undefined: none was sent, or it was not recorded. */
    readonly body: Uint8Array | undefined;
  };
  /** Undefined: none came. */
  readonly response:
    | {
        readonly status: number;
        readonly headers: Headers;
        /** Without content coding. */
        readonly body: Uint8Array;
        /** It was not recorded, or not whole. */
        readonly bodyMissing: boolean;
      }
    | undefined;
}

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Gives recorded traffic from its beginning. Called when the mock starts, and again for a changed document: what it says
 * of records depends on the document.
 */
export type Recording = () => Iterable<Recorded> | AsyncIterable<Recorded>;

/** What was recorded; a problem, which stands for what could not be read, is ignored. */
export type Recorded = RecordedTraffic | { readonly problem: string };

/** What a mock has learned from recorded traffic. */
export interface RecordedSummary {
  /** How many exchanges were recorded. */
  readonly exchanges: number;
  /** How many of them say something of records. */
  readonly used: number;
  /** The collections that the traffic shows, in the order of the document; all others are seeded. */
  readonly collections: readonly RecordedCollection[];
  /** What did not fit, by kind. */
  readonly misfits: readonly MisfitCount[];
}

export interface RecordedCollection {
  /** As in the document, without the base path. */
  readonly path: string;
  /** With how many records it begins. */
  readonly records: number;
  /** Of how many of them the traffic shows no more than the id, in a path below it: their members are made up. */
  readonly madeUp: number;
}

export interface MisfitCount {
  readonly kind: Misfit;
  /** What it means, in a few words. */
  readonly meaning: string;
  readonly count: number;
  /** The first ones, each with its place. */
  readonly first: readonly string[];
}

/** Kinds of what did not fit. */
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

/** Notes what does not fit, without keeping all of it. */
export type NoteMisfit = (kind: Misfit, place: string, reason?: string) => void;

/** How many of a kind are shown. */
const MOST_SHOWN = 3;

export function createMisfits(): { readonly note: NoteMisfit; counts(): readonly MisfitCount[] } {
  const found = new Map<Misfit, { count: number; first: string[] }>();
  return {
    note(kind, place, reason) {
      const own = found.get(kind) ?? { count: 0, first: [] };
      found.set(kind, own);
      own.count++;
      if (own.first.length < MOST_SHOWN) own.first.push(reason === undefined ? place : `${place}: ${reason}`);
    },
    counts: () =>
      (Object.keys(MISFITS) as Misfit[]).flatMap((kind) => {
        const own = found.get(kind);
        return own ? [{ kind, meaning: MISFITS[kind], ...own }] : [];
      }),
  };
}
