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
 * @param unsafeMost so many unsafe ones are at work at most while safe ones are waiting
 * @throws what the first job threw that failed, when those under way are over
 */
export async function runSideBySide<T extends Job>(
  jobs: readonly T[],
  most: number,
  run: (job: T) => Promise<void>,
  unsafeMost = most,
): Promise<void> {
  const waiting = phasesOf(jobs);
  const atWork = new Set<T>();
  let failure: { readonly error: unknown } | undefined;
  const { promise: over, resolve } = Promise.withResolvers<void>();

  function next(): T | undefined {
    while (waiting[0] && isOver(waiting[0])) waiting.shift();
    const [phase] = waiting;
    if (!phase || [...atWork].some((job) => (job.phase ?? 0) < phase.number)) return undefined;
    const isQuiet = [...atWork].some(({ quiet }) => quiet);
    const writing = [...atWork].filter(({ unsafe }) => unsafe).length;
    const mayWrite = phase.unsafe.at(-1)?.job.quiet ? writing === 0 : !isQuiet;
    const [unsafe, safe] = [mayWrite ? phase.unsafe.at(-1) : undefined, phase.safe.at(-1)];
    const isUnsafeFirst =
      unsafe !== undefined && !(safe && (safe.order < unsafe.order || writing >= unsafeMost));
    return (isUnsafeFirst ? phase.unsafe : phase.safe).pop()?.job;
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

/** The jobs of one phase that have not begun, the first ones last: there may be tens of thousands. */
interface Phase<T> {
  readonly number: number;
  readonly unsafe: Waiting<T>[];
  readonly safe: Waiting<T>[];
}

interface Waiting<T> {
  readonly job: T;
  readonly order: number;
}

function phasesOf<T extends Job>(jobs: readonly T[]): Phase<T>[] {
  const waiting = jobs.map((job, order) => ({ job, order })).reverse();
  return [...Map.groupBy(waiting, ({ job }) => job.phase ?? 0)]
    .sort(([left], [right]) => left - right)
    .map(([number, own]) => ({
      number,
      unsafe: own.filter(({ job }) => job.unsafe),
      safe: own.filter(({ job }) => !job.unsafe),
    }));
}

function isOver({ unsafe, safe }: Phase<unknown>): boolean {
  return unsafe.length === 0 && safe.length === 0;
}
