import type { PatientClient } from '../send/patience.ts';
import type { CaseLog } from './case-log.ts';

/** A log, and the work of other cases that it builds on. */
export interface SharingLog extends CaseLog {
  readonly shared: ReadonlySet<SharedWork>;
}

/**
 * Requests whose result serves several cases that run side by side. What they have shown is said of the first of
 * these cases in the order of all, as it is when one case runs after another.
 */
export interface SharedWork {
  /** Stands for the case until that is known. */
  readonly id: string;
  readonly log: SharingLog;
  /** What it sends goes over the connection of the case that began it. */
  readonly client: PatientClient;
  /** The other work that it waits for at present, whichever part of it does. */
  readonly awaited: Set<SharedWork>;
  over: boolean;
  adopted: boolean;
}

/** The result of shared work. */
export interface Shared<T> {
  readonly work: SharedWork;
  readonly value: Promise<T>;
}

/** Whether work waits for other work, or is the same: if that waited for it as well, neither would end. */
export function waitsFor(one: SharedWork, other: SharedWork): boolean {
  return one === other || [...one.awaited].some((next) => waitsFor(next, other));
}

/** The logs of the work that a case used, and that no case before it has adopted; what it built on comes first. */
export function adoptShared(log: SharingLog, onAdopted: (work: SharedWork) => void): SharingLog[] {
  return [...log.shared].flatMap((work) => {
    if (work.adopted) return [];
    work.adopted = true;
    onAdopted(work);
    return [...adoptShared(work.log, onAdopted), work.log];
  });
}
