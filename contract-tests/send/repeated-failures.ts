/** How often the same thing has failed although it was waited for: patience is a budget of the whole run. */
export interface RepeatedFailures {
  /** Waiting for it is in vain. */
  isHopeless(what: string): boolean;
  /** It was waited for, and failed nevertheless. */
  failed(what: string): void;
  /** Something else was answered: not all waits are in vain. */
  answered(): void;
  /** The target is sent less from now on: what failed before may pass. */
  forget(): void;
  /** It has passed while it was waited for. */
  passed(what: string): void;
}

/** What has failed so often in the same way is not waited for any more. */
const HOPELESS = 3;

/** Nothing at all is waited for any more when so many waits in a row were in vain. */
const MOST_IN_A_ROW = 6;

export function countFailures(): RepeatedFailures {
  const counts = new Map<string, number>();
  let inARow = 0;
  return {
    isHopeless: (what) => inARow >= MOST_IN_A_ROW || (counts.get(what) ?? 0) >= HOPELESS,
    failed(what) {
      counts.set(what, (counts.get(what) ?? 0) + 1);
      inARow += 1;
    },
    answered() {
      inARow = 0;
    },
    forget() {
      counts.clear();
      inARow = 0;
    },
    passed(what) {
      counts.delete(what);
      inARow = 0;
    },
  };
}
