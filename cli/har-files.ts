import type { HarProblem, RecordedExchange, Tally } from '#har';
import type { Recording } from '#mock-server';
import { UsageError } from './usage-error.ts';

/** Recorded traffic of files, and what they lack of it. */
interface HarFiles {
  readonly recording: Recording;
  /** Of the first reading. */
  readonly tally: Tally;
}

/** The traffic of HAR files, one after the other. */
export async function openHarFiles(files: readonly string[]): Promise<HarFiles> {
  const { createTally, HarError, readHar } = await import('#har');
  const tally = createTally();
  let isFirst = true;

  async function* recording(): AsyncIterable<RecordedExchange | HarProblem> {
    const add = isFirst ? (item: RecordedExchange | HarProblem) => tally.add(item) : () => {};
    isFirst = false;
    for (const file of files) {
      try {
        for await (const read of readHar(file)) {
          const item = files.length > 1 ? { ...read, position: `${file}: ${read.position}` } : read;
          add(item);
          yield item;
        }
      } catch (error) {
        if (error instanceof HarError) throw new UsageError(`--from-har: ${error.message}`);
        throw error;
      }
    }
  }
  return { recording, tally };
}
