import { basename } from 'node:path';
import type { HarProblem, RecordedExchange, Tally } from '#har';
import type { ObservedRequest, Replay } from '#observe';

/** What was read of one file. */
export interface ReadFile {
  readonly name: string;
  readonly tally: Tally;
  /** It ends too early, or has places that cannot be read: what was read is judged. */
  readonly isBroken: boolean;
}

/** Standard input. */
const STDIN = '-';

type Item = { readonly file: number; readonly item: RecordedExchange | HarProblem };

/**
 * Replays all exchanges of HAR files, in the order in which they were sent.
 * @throws HarError when a file is no HAR, or cannot be read
 */
export async function judgeFiles(
  paths: readonly string[],
  replay: Replay,
  { readHar, createTally }: typeof import('#har'),
  signal: AbortSignal,
): Promise<ReadFile[]> {
  const tallies = paths.map(() => createTally());
  const broken = new Set<number>();
  const sources = paths.map((path, file) =>
    numbered(path === STDIN ? readHar(process.stdin) : readHar(path), file),
  );
  for await (const { file, item } of mergeInOrder(sources, timeOf)) {
    tallies[file]?.add(item);
    if ('problem' in item) {
      if (BROKEN.has(item.problem)) broken.add(file);
    } else if (!item.remarks.some((remark) => remark === 'from-cache' || remark === 'service-worker'))
      replayOne(item, replay);
    if (signal.aborted) break;
  }
  replay.finish();
  return paths.map((path, index) => ({
    name: path === STDIN ? 'standard input' : basename(path),
    tally: tallies[index] as Tally,
    isBroken: broken.has(index),
  }));
}

const BROKEN: ReadonlySet<HarProblem['problem']> = new Set([
  'broken-entry',
  'broken-json',
  'cut-off',
  'too-large',
]);

async function* numbered(
  items: AsyncIterable<RecordedExchange | HarProblem>,
  file: number,
): AsyncGenerator<Item> {
  for await (const item of items) yield { file, item };
}

function timeOf({ item }: Item): number | undefined {
  return 'problem' in item ? undefined : item.startedAt;
}

function replayOne({ request, response, startedAt, ms }: RecordedExchange, replay: Replay): void {
  // Without its duration it is not known what else was under way.
  const sent: ObservedRequest = { ...request, startedAt: ms === undefined ? undefined : startedAt };
  if (!response) {
    replay.add(sent, undefined, ms);
    return;
  }
  const { status, headers, body, bodyMissing } = response;
  replay.add(sent, { status, headers, body, cut: bodyMissing, ms: ms ?? 0 });
}

/**
 * Several sources as one, by a time that grows within each of them: traffic that was recorded in several files at the same
 * time is seen as it happened. What has no time comes at once. A source is read only as far as it is needed.
 */
async function* mergeInOrder<T>(
  sources: readonly AsyncIterable<T>[],
  timeOf: (item: T) => number | undefined,
): AsyncGenerator<T, void> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
  for (;;) {
    let first = -1;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [index, head] of heads.entries()) {
      if (head.done) continue;
      const time = timeOf(head.value) ?? Number.NEGATIVE_INFINITY;
      if (first >= 0 && time >= earliest) continue;
      first = index;
      earliest = time;
    }
    const head = heads[first];
    const iterator = iterators[first];
    if (!head || head.done || !iterator) return;
    yield head.value;
    heads[first] = await iterator.next();
  }
}
