import type { Operation } from '#spec';
import type { Breach } from './laws/law.ts';
import type { Answer } from './send/answer.ts';
import type { WireRequest } from './send/wire.ts';
import type { Trial } from './trial.ts';

/** A test made from the contract: it must produce one cell or obey one law. */
export interface Case {
  /** Stable from run to run: `OPERATION/STATUS/what-is-special`. */
  readonly id: string;
  /** A sentence for people. */
  readonly title: string;
  readonly operation: Operation;
  /** The status of the cell that it provokes and judges. */
  readonly status: number;
  /** It sends unsafe methods. */
  readonly unsafe: boolean;
  readonly run: (trial: Trial) => Promise<void>;
}

export interface Exchange {
  readonly operation: Operation;
  readonly request: WireRequest;
  readonly answer: Answer;
}

/** A breach, and how to see it again. */
export interface Finding extends Breach {
  readonly caseId: string;
  readonly operationId: string;
  readonly exchange: Exchange;
  /** Accepted until that day (`--known`); undefined: it counts. */
  readonly knownUntil: string | undefined;
}

/** What the document leaves open, and what the target did there. */
export interface Observation {
  readonly caseId: string;
  readonly operationId: string;
  readonly text: string;
}

export type Outcome = 'passed' | 'failed' | 'not reached' | 'skipped';

export interface CaseResult {
  readonly case: Case;
  readonly outcome: Outcome;
  /** Why it was skipped or not reached. */
  readonly reason: string | undefined;
  /** The cell's status was seen, with an answer as documented. */
  readonly covered: boolean;
  readonly findings: readonly Finding[];
  readonly notSpecified: readonly Observation[];
  readonly notices: readonly Observation[];
  readonly ms: number;
}
