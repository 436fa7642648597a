import type { Finding, Observation } from '../laws/finding.ts';
import type { TrialSubject } from '../run/case-log.ts';
import type { ReasonCode } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';

/** A test made from the contract: it sends the requests that must produce one cell or obey one law. */
export interface Case extends TrialSubject {
  /** A sentence for people. */
  readonly title: string;
  /** It sends unsafe methods. */
  readonly unsafe: boolean;
  /**
   * False: a refusal with another status than the cell's is as right.
   * @experimental
   */
  readonly demands?: boolean;
  /** @experimental `execute` of the suite runs it. */
  readonly run: (trial: Trial) => Promise<void>;
  /**
   * Records that it makes at most; undefined: one, where it sends unsafe requests that are to succeed.
   * @experimental
   */
  readonly creates?: number;
  /**
   * Requests that it sends at most, retries apart; undefined: those of an ordinary case.
   * @experimental
   */
  readonly requests?: number;
  /**
   * With fewer records it shows less, and nothing wrong: others come first where not all may be made.
   * @experimental
   */
  readonly elastic?: boolean;
  /**
   * Cases of a phase run side by side, when all of the phases before are over.
   * @experimental
   */
  readonly phase?: number;
  /**
   * No other case of the run sends unsafe requests meanwhile: it looks for what lies just beside its own records.
   * @experimental
   */
  readonly quiet?: boolean;
}

/**
 * `failed`: with findings. `not reached`: the target or the document stood in the way. `skipped`: excluded by an option,
 * or the operation was removed. `withheld`: it would change what the run has not made.
 * `planned`: nothing is sent (`--plan`).
 */
export type Outcome = 'passed' | 'failed' | 'not reached' | 'skipped' | 'withheld' | 'planned';

/** What came of one case. */
export interface CaseResult {
  readonly case: Case;
  readonly outcome: Outcome;
  /** Why it was skipped, withheld or not reached. */
  readonly reason: string | undefined;
  /** The same as a code; undefined: it was run to its end. */
  readonly code: ReasonCode | undefined;
  /** The cell's status was seen, with a response as documented. */
  readonly covered: boolean;
  /** Cells, as `OPERATIONID/STATUS`, that were seen with a response as documented. */
  readonly reached: readonly string[];
  readonly findings: readonly Finding[];
  readonly notSpecified: readonly Observation[];
  readonly notices: readonly Observation[];
  /** Duration in milliseconds. */
  readonly ms: number;
}
