import type { Step } from './steps.ts';

/**
 * Makes a failing sequence smaller while it still fails: without the steps of a whole record, without single steps, and
 * with plainer steps. What fails is tried again at its end only: later steps are cut off.
 * @param attempt plays steps from nothing; the failing ones up to the failure, or undefined: they do not fail
 * @returns the smallest found, or undefined if the sequence does not fail again
 */
export async function shrink(
  failing: readonly Step[],
  attempt: (steps: readonly Step[]) => Promise<readonly Step[] | undefined>,
): Promise<readonly Step[] | undefined> {
  let smallest = await attempt(failing);
  if (!smallest) return undefined;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of candidates(smallest)) {
      const failed = await attempt(candidate);
      if (!failed) continue;
      smallest = failed;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** The greatest savings first; the failing step stays. */
function* candidates(steps: readonly Step[]): Generator<readonly Step[]> {
  const failing = steps.at(-1);
  const records = new Set(steps.filter(({ record }) => record >= 0).map(({ record }) => record));
  for (const record of records)
    if (record !== failing?.record) yield steps.filter((step) => step.record !== record);
  for (const [index, step] of steps.entries())
    if (step !== failing && !makesRecord(step)) yield steps.toSpliced(index, 1);
  for (const [index, step] of steps.entries())
    if (step.salt > 0) yield steps.with(index, { ...step, salt: 0 });
}

function makesRecord({ action, how }: Step): boolean {
  return action === 'create' && how === 'ordinary';
}
