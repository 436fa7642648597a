import type { JudgeName } from '../check-options.ts';
import type { Recorded } from '../run/traffic.ts';

/** What a judge says of one exchange of the run. */
export interface Remark {
  readonly entry: Recorded;
  /** Empty: the answer is right in its eyes. */
  readonly objections: readonly string[];
}

/** All that a judge has said. */
export interface Hearing {
  readonly judge: JudgeName;
  readonly version: string;
  readonly remarks: readonly Remark[];
  /** What it cannot see or was not asked, in words; its silence there says nothing. */
  readonly notes: readonly string[];
}

/** A judge that could not be heard, or no longer. */
export class Unheard extends Error {
  override name = 'Unheard';
}
