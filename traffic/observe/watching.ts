import type { Evidence } from '../../contract-tests/laws/evidence.ts';
import type { Role } from '../../contract-tests/laws/operation-role.ts';
import type { KnownRecords } from '../../contract-tests/laws/own-record.ts';
import type { RequestInput } from '../../contract-tests/send/plan-request.ts';

/** A request to one site, as far as records are concerned. */
export interface WatchedRequest {
  /** Whether anything can be known of records by it: who sent it, and when, is known. */
  readonly principal: string | undefined;
  readonly startedAt: number | undefined;
  /** It asks for nothing but the record, or the list, as the document describes it. */
  readonly plain: boolean;
  readonly role: Role | undefined;
  readonly input: RequestInput;
  readonly unsafe: boolean;
}

/** A write of which nobody knows what it changes. */
export const UNKNOWN_WRITE = {
  principal: undefined,
  plain: false,
  role: undefined,
  input: {},
  unsafe: true,
} as const;

/** What a response may be held against. */
export interface Watching {
  /** The records that the same client has made, and no other request has changed since this one began. */
  readonly known: KnownRecords;
  /** Of these the ones that were changed so long ago that no replica lags behind; with the list shown before. */
  readonly settled: KnownRecords;
  /** The last list of the resource, where nothing was written since it was requested. */
  readonly listed: () => readonly Evidence[];
  /** That list, where no replica lagged behind when it was requested. */
  readonly settledList: () => readonly Evidence[];
  /** Whether nothing was written for so long that no replica lags behind. */
  readonly isQuiet: () => boolean;
  /** Whether what follows from several exchanges can be judged by this one at all. */
  readonly mayJudge: () => boolean;
  /** Takes in what was judged. */
  observe(evidence: Evidence, settled: boolean): void;
  /**
   * The response has come, or none has. To be called last.
   * @param judged false: what the exchange has done was not taken in
   */
  end(status: number | undefined, endedAt: number | undefined, judged: boolean): void;
}

/** What the traffic to one site has shown of records. Everything is forgotten that another request may have changed. */
export interface WatchedRecords {
  begin(request: WatchedRequest): Watching;
  /** Nothing is known any more. */
  forgetAll(): void;
}
