import type { Finding, Observation } from '../finding.ts';
import type { Trial, TrialSubject } from '../run/trial.ts';

/** A test made from the contract: it sends the requests that must produce one cell or obey one law. */
export interface Case extends TrialSubject {
  /** A sentence for people. */
  readonly title: string;
  /** It sends unsafe methods. */
  readonly unsafe: boolean;
  readonly run: (trial: Trial) => Promise<void>;
}

/** How a case ended: `not reached` where something stood in its way, `skipped` where the user or the document said so. */
export type Outcome = 'passed' | 'failed' | 'not reached' | 'skipped';

/** What came of a case. */
export interface CaseResult {
  readonly case: Case;
  readonly outcome: Outcome;
  /** Why it was skipped or not reached. */
  readonly reason: string | undefined;
  /** The cell's status was seen, with a response as documented. */
  readonly covered: boolean;
  readonly findings: readonly Finding[];
  readonly notSpecified: readonly Observation[];
  readonly notices: readonly Observation[];
  readonly ms: number;
}
