import { type Basis, type Contract, type OutgoingOperation, SAFE_METHODS } from '#spec';
import { type Finding, isHeld, type Observation } from '../laws/finding.ts';
import type { TrialSubject } from '../run/case-log.ts';
import type { ReasonCode } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import type { Settings } from '../settings/settings.ts';

/** A test from the contract: it sends requests that must produce a cell or satisfy a rule. */
export interface Case extends TrialSubject {
  /** A sentence for people. */
  readonly title: string;
  /** Whether it sends unsafe methods. */
  readonly unsafe: boolean;
  /**
   * False: an error with another status than the cell's is as valid.
   * @experimental
   */
  readonly demands?: boolean;
  /**
   * Sends the requests of the case; `execute` calls it.
   * @experimental
   */
  readonly run: (trial: Trial) => Promise<void>;
  /**
   * The maximum number of records that it creates; undefined: one, if it sends unsafe requests that are to succeed.
   * @experimental
   */
  readonly creates?: number;
  /**
   * Whether these include the parents of its records.
   * @experimental
   */
  readonly createsAbove?: boolean;
  /**
   * The maximum number of requests without retries; undefined: that of an ordinary case.
   * @experimental
   */
  readonly requests?: number;
  /**
   * With fewer records it shows less, but nothing false: other cases take precedence if the budget is short.
   * @experimental
   */
  readonly elastic?: boolean;
  /**
   * Cases of a phase run in parallel, after all earlier phases.
   * @experimental
   */
  readonly phase?: number;
  /**
   * The callback that the run receives, and its response: a cell of its own.
   * @experimental
   */
  readonly callback?: { readonly operation: OutgoingOperation; readonly status: number };
  /**
   * No other case sends unsafe requests in the meantime: it looks for a removed record, whose id a service may reuse, or
   * for records next to its own.
   * @experimental
   */
  readonly quiet?: boolean;
}

/**
 * `failed`: with findings. `not reached`: prevented by the target or the document. `skipped`: excluded by an option, or
 * the operation was removed. `withheld`: it would change records that the run did not create. `planned`: nothing is sent
 * (`--plan`).
 */
export type Outcome = 'passed' | 'failed' | 'not reached' | 'skipped' | 'withheld' | 'planned';

/** The result of a case. */
export interface CaseResult {
  readonly case: Case;
  readonly outcome: Outcome;
  /** Why it was skipped, withheld or not reached. */
  readonly reason: string | undefined;
  /** The code of the reason; undefined: the case was completed. */
  readonly code: ReasonCode | undefined;
  /** The option with which the case would run; undefined: none is known. */
  readonly remedy?: string | undefined;
  /** Whether the cell's status was returned, with a valid response. */
  readonly covered: boolean;
  /** The cells, as `OPERATIONID/STATUS`, that were returned with a valid response. */
  readonly reached: readonly string[];
  readonly findings: readonly Finding[];
  readonly notSpecified: readonly Observation[];
  readonly notices: readonly Observation[];
  /** Duration in milliseconds. */
  readonly ms: number;
}

/** Generates cases of one kind from the contract; lazily if that is slow. */
export type Family = (contract: Contract, settings: Settings) => Iterable<Case>;

/** Creates a case. Whether it is unsafe follows from the operation's method unless `more` says it. */
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

/** A case about a fact: one about a presumed fact demands nothing. */
export function about(fact: Basis | undefined, settings: Settings, one: Case): Case {
  return isHeld(fact, settings) ? one : { ...one, demands: false };
}

/** A text as a part of a case id. */
export function slugOf(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}
