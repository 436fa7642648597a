import fc from 'fast-check';

/** Samples of one batch are generated at once; all of them would be some hundred megabytes. */
const BATCH = 1000;

/**
 * Tries many samples, several at a time.
 * @param samples how many, and the seed: the same one makes the same samples
 * @param attempt rejects where something is wrong
 * @param shown what reproduces a sample
 * @returns what was wrong, with what reproduces it
 */
export async function attemptEach<Sample>(
  arbitrary: fc.Arbitrary<Sample>,
  { count, seed, workers = 1 }: { readonly count: number; readonly seed: number; readonly workers?: number },
  attempt: (sample: Sample, at: number) => Promise<void>,
  shown: (sample: Sample) => string,
): Promise<string[]> {
  const faults: string[] = [];
  for (let begun = 0; begun < count; begun += BATCH) {
    const numRuns = Math.min(BATCH, count - begun);
    const queue = fc.sample(arbitrary, { numRuns, seed: seed + begun }).entries();
    const work = async () => {
      for (const [at, sample] of queue)
        await attempt(sample, begun + at).catch((error: Error) => {
          faults.push(`${error.message}: ${shown(sample)}`);
        });
    };
    await Promise.all(Array.from({ length: workers }, work));
  }
  return faults;
}

/** A text with a few of its characters changed: some are cut, and some of these are put there. */
export function broken(
  text: string,
  cut: fc.Arbitrary<number>,
  put: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(text.length), cut, put });
  return fc
    .array(change, { minLength: 1, maxLength: 4 })
    .map((changes) =>
      changes.reduce((all, { at, cut, put }) => all.slice(0, at) + put + all.slice(at + cut), text),
    );
}
