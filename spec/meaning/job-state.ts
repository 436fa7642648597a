import { foldedName, setOf } from './names.ts';

/** What the states of a job say, folded, as far as documents have words for them. */
const STATES = {
  done: setOf('succeeded success successful complete completed done finished ok ready imported'),
  failed: setOf('failed failure error errored cancelled canceled aborted rejected timedout expired'),
  'under way': setOf('pending queued running waiting accepted started scheduled submitted inprogress'),
} as const;

export type JobState = keyof typeof STATES;

/** Undefined: nothing that is known. */
export function jobState(text: string): JobState | undefined {
  const name = foldedName(text);
  const states = Object.entries(STATES) as [JobState, ReadonlySet<string>][];
  return states.find(([, names]) => names.has(name))?.[0] ?? (name.endsWith('ing') ? 'under way' : undefined);
}
