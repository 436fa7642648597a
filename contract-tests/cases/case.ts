import { type Basis, type Contract, type OutgoingOperation, SAFE_METHODS } from '#spec';
import { type Finding, isHeld, type Observation } from '../laws/finding.ts';
import type { TrialSubject } from '../run/case-log.ts';
import type { ReasonCode } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import type { Settings } from '../settings/settings.ts';

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
   * What its records stand below is among them.
   * @experimental
   */
  readonly createsAbove?: boolean;
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
   * The callback that the run receives, and what it is answered with: a cell of its own.
   * @experimental
   */
  readonly callback?: { readonly operation: OutgoingOperation; readonly status: number };
  /**
   * No other case of the run sends unsafe requests meanwhile: it looks for a removed record, whose id a service may give to
   * the next one, or for what lies just beside its own.
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
  /** The line by which the user can have it run; undefined: none is known. */
  readonly remedy?: string | undefined;
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

/** Cases of one kind, made from the contract; lazily where that takes long. */
export type Family = (contract: Contract, settings: Settings) => Iterable<Case>;

/** A case; whether it is unsafe follows from the operation's method where `more` does not say. */
export function makeCase(
  { operation, status }: Pick<Case, 'operation' | 'status'>,
  slug: string,
  title: string,
  drive: (trial: Trial) => Promise<unknown>,
  more: Partial<Case> = {},
): Case {
  return {
    id: `${operation.id}/${status}/${slug}`,
    title: `${operation.id}: ${title}`,
    operation,
    status,
    unsafe: !SAFE_METHODS.has(operation.method),
    run: async (trial) => void (await drive(trial)),
    ...more,
  };
}

/** A case about a fact: nothing is demanded by one that is presumed. */
export function about(fact: Basis | undefined, settings: Settings, one: Case): Case {
  return isHeld(fact, settings) ? one : { ...one, demands: false };
}

/** Text as a part of a case id. */
export function slugOf(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}
