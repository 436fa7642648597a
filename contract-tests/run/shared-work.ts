import type { Finding, Observation } from '../finding.ts';

/** What a case has to report. */
export interface CaseLog {
  readonly findings: Finding[];
  readonly notSpecified: Observation[];
  readonly notices: Observation[];
  /** The cells whose status was seen, with a response as documented, whatever operation the case is about. */
  readonly reached: Set<string>;
  /** Work of other cases that it has used. */
  readonly shared: ReadonlySet<SharedWork>;
}

/**
 * Requests whose result serves several cases that run side by side. What they have shown is said of the first of
 * these cases in the order of all, as it is when one case runs after another.
 */
export interface SharedWork {
  /** Stands for the case until that is known. */
  readonly id: string;
  readonly log: CaseLog;
  adopted: boolean;
}

/** The result of shared work. */
export interface Shared<T> {
  readonly work: SharedWork;
  readonly value: Promise<T>;
}

/** The logs of the work that a case used, and that no case before it has adopted; what it built on comes first. */
export function adoptShared(log: CaseLog, onAdopted: (work: SharedWork) => void): CaseLog[] {
  return [...log.shared].flatMap((work) => {
    if (work.adopted) return [];
    work.adopted = true;
    onAdopted(work);
    return [...adoptShared(work.log, onAdopted), work.log];
  });
}
