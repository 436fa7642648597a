import type { Breach } from './laws/law.ts';
import type { Exchange } from './send/exchange.ts';

/** A breach, and how to reproduce it. */
export interface Finding extends Breach {
  readonly caseId: string;
  /** The cell whose promise is broken: that of the exchange, or of the case where the law is about what it has done. */
  readonly operationId: string;
  readonly status: number;
  readonly exchange: Exchange;
  /** Lines for a shell that reproduce it from nothing, where one request does not. */
  readonly steps?: readonly string[];
  /** Accepted until that day (`--known`); undefined: it counts. */
  readonly knownUntil: string | undefined;
}

/** What the document leaves open, and what the target did there. */
export interface Observation {
  readonly caseId: string;
  readonly operationId: string;
  readonly text: string;
}
