import { basename } from 'node:path';
import { readHar } from '../har/read-har.ts';
import {
  createTally,
  type HarProblem,
  observedOf,
  type RecordedExchange,
  type Tally,
} from '../har/recorded-exchange.ts';
import type { Observer } from '../observe/observed.ts';
import { createReplay } from '../observe/replay.ts';

/** The content of one file. */
export interface JudgedFile {
  readonly name: string;
  readonly tally: Tally;
  /** The first premature end or unreadable place; everything before it is judged. */
  readonly broken: HarProblem | undefined;
}

/** Standard input. */
const STDIN = '-';

/**
 * Passes all exchanges of HAR files to the observers, in the order in which they were sent.
 * @throws HarError if a file is no HAR, or cannot be read
 */
export async function judgeFiles(
  paths: readonly string[],
  observers: readonly Observer[],
  signal?: AbortSignal,
): Promise<readonly JudgedFile[]> {
  const tallies = paths.map(() => createTally());
  const broken = new Map<number, HarProblem>();
  const replays = observers.map((observer) => createReplay(observer));
  for await (const { file, entry } of mergeInOrder(paths.map(exchangesOf))) {
    tallies[file]?.add(entry);
    if ('problem' in entry) {
      if (BROKEN.has(entry.problem) && !broken.has(file)) broken.set(file, entry);
    } else if (!entry.remarks.some((remark) => remark === 'from-cache' || remark === 'service-worker'))
      for (const { add } of replays) add(observedOf(entry).sent, observedOf(entry).received, entry.ms);
    if (signal?.aborted) break;
  }
  for (const { finish } of replays) finish();
  return paths.map((path, index) => ({
    name: path === STDIN ? 'standard input' : basename(path),
    tally: tallies[index] as Tally,
    broken: broken.get(index),
  }));
}

const BROKEN: ReadonlySet<HarProblem['problem']> = new Set([
  'broken-entry',
  'broken-json',
  'cut-off',
  'too-large',
]);

/** An entry of one of the files. */
interface Item {
  readonly file: number;
  readonly entry: RecordedExchange | HarProblem;
}

async function* exchangesOf(path: string, file: number): AsyncGenerator<Item> {
  for await (const entry of readHar(path === STDIN ? process.stdin : path)) yield { file, entry };
}

/**
 * Merges sources by their increasing times: traffic that was recorded in several files concurrently is observed as it
 * happened. An item without a time comes at once. Sources are read lazily.
 */
async function* mergeInOrder(sources: readonly AsyncGenerator<Item>[]): AsyncGenerator<Item, void> {
  const heads = await Promise.all(sources.map((source) => source.next()));
  for (;;) {
    let first: number | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [index, head] of heads.entries()) {
      if (head.done) continue;
      const { entry } = head.value;
      const time = ('problem' in entry ? undefined : entry.startedAt) ?? Number.NEGATIVE_INFINITY;
      if (first !== undefined && time >= earliest) continue;
      first = index;
      earliest = time;
    }
    if (first === undefined) return;
    yield heads[first]?.value as Item;
    heads[first] = (await sources[first]?.next()) as IteratorResult<Item>;
  }
}
