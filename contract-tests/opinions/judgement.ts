import type { Contract } from '#spec';
import type { CaseResult } from '../cases/case.ts';
import type { Recorded, Traffic } from '../run/traffic.ts';
import type { Settings } from '../settings/settings.ts';
import type { Installed } from './find-judge.ts';

/** A run of the suite, as far as judges get to see it. */
export interface RecordedRun {
  readonly contract: Contract;
  readonly settings: Pick<Settings, 'base'>;
  readonly traffic: Traffic | undefined;
  readonly results: readonly CaseResult[];
}

/** What a judge says of one exchange of the run. */
export interface Judgement {
  readonly exchange: Recorded;
  /** Empty: the judge accepts the response. */
  readonly violations: readonly string[];
}

/** What a judge says of one run. */
export interface JudgeResult {
  readonly judgements: readonly Judgement[];
  /** What the judge cannot see or was not asked; its silence there says nothing. */
  readonly notes: readonly string[];
  /** Why the judge could not be asked at all. */
  readonly failure: string | undefined;
}

/** Plays runs of one contract back to a judge, which is started once for all of them. */
export type Judge = (
  contract: Contract,
  runs: readonly RecordedRun[],
  installed: Installed,
) => Promise<JudgeResult[]>;

/** A judge that does not start or breaks off. */
export class JudgeFailure extends Error {
  override name = 'JudgeFailure';
}

export function failed(failure: string): JudgeResult {
  return { judgements: [], notes: [], failure };
}
