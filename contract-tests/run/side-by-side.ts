/** What may be at work at the same time as others. */
export interface Job {
  /** It begins when all of the phases before are over. */
  readonly phase?: number;
  readonly unsafe: boolean;
  /** No other unsafe job is at work meanwhile. */
  readonly quiet?: boolean;
}

/**
 * Runs jobs side by side, and ends when all are over. Unsafe ones begin in their order; safe ones may overtake them.
 * @throws what the first job threw that failed, when those under way are over
 */
export async function runSideBySide<T extends Job>(
  jobs: readonly T[],
  most: number,
  run: (job: T) => Promise<void>,
): Promise<void> {
  const left = [...jobs];
  const atWork = new Set<T>();
  let failure: { readonly error: unknown } | undefined;
  const { promise: over, resolve } = Promise.withResolvers<void>();

  function next(): T | undefined {
    const phase = Math.min(...[...atWork, ...left].map((job) => job.phase ?? 0));
    const isQuiet = [...atWork].some(({ quiet }) => quiet);
    const isWriting = [...atWork].some(({ unsafe }) => unsafe);
    const inPhase = left.filter((job) => (job.phase ?? 0) === phase);
    const firstUnsafe = inPhase.find(({ unsafe }) => unsafe);
    const mayWrite = firstUnsafe?.quiet ? !isWriting : !isQuiet;
    const chosen = inPhase.find((job) => (job === firstUnsafe && mayWrite) || !job.unsafe);
    if (chosen) left.splice(left.indexOf(chosen), 1);
    return chosen;
  }

  function begin(): void {
    while (atWork.size < most && failure === undefined) {
      const job = next();
      if (!job) break;
      atWork.add(job);
      run(job)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => {
          atWork.delete(job);
          begin();
        });
    }
    if (atWork.size === 0) resolve();
  }

  begin();
  await over;
  if (failure) throw failure.error;
}
