import type { Exchange } from '../send/exchange.ts';

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

const MOST_ENTRIES = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

export function createTraffic(): Traffic {
  const entries: Recorded[] = [];
  const names = new Map<string, string>();
  let bytes = 0;
  let dropped = 0;
  return {
    get entries() {
      return entries.map((entry) => ({ ...entry, caseId: names.get(entry.caseId) ?? entry.caseId }));
    },
    rename: (from, caseId) => void names.set(from, caseId),
    dropped: () => dropped,
    note(caseId, exchange) {
      bytes += exchange.response.body.length;
      if (entries.length < MOST_ENTRIES && bytes <= MOST_BYTES) entries.push({ caseId, ...exchange });
      else dropped += 1;
    },
  };
}
