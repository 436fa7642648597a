import type { Breach } from './law.ts';
import type { Exchange } from '../send/exchange.ts';
import type { Script } from '../send/script.ts';

/** A breach, and how to reproduce it. */
export interface Finding extends Breach {
  /** Its identity in any run: law, kind of breach and place in the document. */
  readonly key: string;
  readonly caseId: string;
  /** The cell whose promise is broken: that of the exchange, or of the case where the law is about what it has done. */
  readonly operationId: string;
  readonly status: number;
  readonly exchange: Exchange;
  /** The requests that reproduce it from nothing, where one request does not. */
  readonly steps?: Script;
  /** Accepted until that day (`--known`); undefined: it counts. */
  readonly knownUntil: string | undefined;
  /** Whether the report given with `--baseline` lacks it; undefined: there is none, or it was not yet looked up. */
  readonly isNew?: boolean;
}

/** What the document leaves open, and what the target did there. */
export interface Observation {
  readonly caseId: string;
  readonly operationId: string;
  readonly text: string;
  /** What several observations have in common, and what came in this one; they are shown as one. */
  readonly question?: string;
  readonly answer?: string;
}
