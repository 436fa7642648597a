import type { HarProblem, RecordedExchange, Tally } from '#har';
import type { Recording, RunningMock } from '#mock-server';
import { printable } from './terminal.ts';
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

/** Lines for standard error: what did not fit, and what the files lack. */
export function tellMisfits({ recorded }: RunningMock, { tally }: HarFiles): void {
  if (!recorded) return;
  const say = (text: string) => console.error(printable(text));
  for (const line of tally.lines()) say(`notice: --from-har: ${line}`);
  for (const { count, meaning, first } of recorded.misfits) {
    say(`notice: --from-har: ${meaning}: ${count}`);
    for (const place of first) say(`  ${place}`);
    if (count > first.length) say(`  and ${count - first.length} more`);
  }
  if (recorded.used === 0)
    say('warning: --from-har: no exchange shows a record of this document; all collections are seeded');
}

/** A line for each collection that traffic has shown: `/pets  12 records`. */
export function recordedLines({ recorded }: RunningMock): readonly string[] {
  return (recorded?.collections ?? []).map(({ path, records, madeUp }) => {
    const more = madeUp > 0 ? `, ${madeUp} of them made up: only their ids are known` : '';
    return `${path}  ${records} ${records === 1 ? 'record' : 'records'}${more}`;
  });
}
