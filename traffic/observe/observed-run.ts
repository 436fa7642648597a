import type { Run } from '../../contract-tests/run/run.ts';

/** What the parts of an observer share: there is no run that sends anything. */
export type ObservedRun = Pick<Run, 'contract' | 'settings'>;
