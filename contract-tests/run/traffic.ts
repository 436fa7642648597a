import type { Exchange } from '../send/exchange.ts';
import { createBoundedList } from './bounded-list.ts';

/** An exchange, and the case that it belongs to. */
export interface Recorded extends Exchange {
  readonly caseId: string;
}

/** The exchanges of a run, recorded to be played back to outside judges. */
export interface Traffic {
  readonly entries: readonly Recorded[];
  /** How many were not kept, for want of room. */
  readonly dropped: () => number;
  note(caseId: string, exchange: Exchange): void;
  /** What was sent under one name is a case's. */
  rename(from: string, caseId: string): void;
}

export function createTraffic(): Traffic {
  const { add, ...list } = createBoundedList<Recorded>();
  return { ...list, note: (caseId, exchange) => add({ caseId, ...exchange }, exchange.response.body.length) };
}
