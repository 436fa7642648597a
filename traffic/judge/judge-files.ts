import { basename } from 'node:path';
import { type Contract, isHttp } from '#spec';
import { compileReadEntry, scanHar } from '../har/read-har.ts';
import { createTally, type HarProblem, type RecordedExchange, type Tally } from '../har/recorded-exchange.ts';
import type { ScannedEntry } from '../har/scan-entries.ts';
import type { HelpedObserver } from '../observe/observer.ts';
import { createTimeline, type Timeline } from '../observe/replay.ts';
import type { GlimpsedEntry, GlimpsedTarget } from './glimpse-messages.ts';
import { type GlimpsePool, startGlimpsePool } from './glimpse-pool.ts';
import { sentOf, shownOf } from './observed-exchange.ts';

/** One service that the traffic goes to. */
export interface JudgedTarget extends GlimpsedTarget {
  readonly contract: Contract;
  readonly observer: HelpedObserver;
}

/** What was read of one file. */
export interface JudgedFile {
  readonly name: string;
  readonly tally: Tally;
  /** It ends too early, or has places that cannot be read: what was read is judged. */
  readonly isBroken: boolean;
}

export interface JudgeFilesOptions {
  /** Threads beside this one. */
  readonly workers: number;
  /** Bytes of a file that are judged before workers are started. Default: about what takes as long as to start them. */
  readonly alone?: number;
  readonly signal?: AbortSignal;
}

/** Standard input. */
const STDIN = '-';

/** An entry, and what is known of it without reading it here. */
interface Item {
  readonly file: number;
  readonly position: string;
  readonly line: number;
  readonly startedAt: number | undefined;
  readonly glimpsed: GlimpsedEntry | undefined;
  readonly read: () => RecordedExchange | HarProblem;
}

/**
 * Shows the observers all exchanges of HAR files, in the order in which they were sent. Workers judge exchanges by
 * themselves, ahead of the observers, which keep what follows from several: the report is the same for any number of workers.
 * @throws HarError when a file is no HAR, or cannot be read; GlimpseError when a worker fails
 */
export async function judgeFiles(
  paths: readonly string[],
  targets: readonly JudgedTarget[],
  { workers, alone = ALONE, signal }: JudgeFilesOptions,
): Promise<readonly JudgedFile[]> {
  const tallies = paths.map(() => createTally());
  const broken = new Set<number>();
  const lines = targets.map(({ observer }) => ({ observer, timeline: createTimeline() }));
  const pool = openPool(targets, workers);
  try {
    const sources = paths.map((path, file) => itemsOf(path, file, targets, pool, alone));
    for await (const item of mergeInOrder(sources, ({ startedAt }) => startedAt)) {
      const { file, position, line, glimpsed } = item;
      const found = glimpsed ? { ...glimpsed, position, line } : item.read();
      tallies[file]?.add(found);
      if ('problem' in found) {
        if (BROKEN.has(found.problem)) broken.add(file);
      } else if (!found.remarks.some((remark) => remark === 'from-cache' || remark === 'service-worker'))
        for (const [index, one] of lines.entries()) replay(one, index, item, found);
      if (signal?.aborted) break;
    }
    for (const { timeline } of lines) timeline.finish();
  } finally {
    await pool.close();
  }
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

/** @param found what is known of the exchange: a glimpse, or all of it */
function replay(
  { observer, timeline }: { readonly observer: HelpedObserver; readonly timeline: Timeline },
  target: number,
  { read }: Item,
  found: GlimpsedEntry | RecordedExchange,
): void {
  const glimpse = 'glimpses' in found ? found.glimpses[target] : undefined;
  const { ms } = found;
  const begunAt = ms === undefined ? undefined : found.startedAt;
  if (glimpse) {
    const isAnswered = 'why' in glimpse || glimpse.status !== undefined;
    timeline.enter(begunAt, ms ?? 0, (startedAt) =>
      observer.beginGlimpsed(glimpse, startedAt, isAnswered ? (ms ?? 0) : 0, () => {
        const { sent, shown } = wholeOf(read());
        if (!shown) throw new Error('the response has gone since another thread has read it');
        return { request: { ...sent, startedAt }, response: shown };
      }),
    );
    return;
  }
  const { sent, shown } = wholeOf('glimpses' in found ? read() : found);
  timeline.enter(begunAt, ms ?? 0, (startedAt) => {
    const pending = observer.begin({ ...sent, startedAt });
    return () => void pending.end(shown);
  });
}

function wholeOf(found: RecordedExchange | HarProblem) {
  if ('problem' in found) throw new Error(`${found.position} cannot be read again: ${found.message}`);
  return { sent: sentOf(found), shown: shownOf(found) };
}

const ALONE = 8 * 2 ** 20;
/** Bytes, and entries, that a worker is given at once. */
const BATCH = 2 ** 18;
const MOST_ENTRIES = 500;
/** Batches under way for each worker, so that it need not wait. */
const AHEAD = 3;

/** Starts the workers when they are needed. */
interface LazyPool {
  get(): GlimpsePool | undefined;
  close(): Promise<void>;
}

function openPool(targets: readonly JudgedTarget[], workers: number): LazyPool {
  let pool: GlimpsePool | undefined;
  // A worker would have to fetch the document again.
  const isLocal = targets.every(({ document, load }) =>
    [document, ...(load.overlays ?? [])].every((place) => !isHttp(place)),
  );
  return {
    get() {
      if (workers === 0 || !isLocal) return undefined;
      const given = targets.map(({ document, load, options }) => ({ document, load, options }));
      pool ??= startGlimpsePool(
        workers,
        given,
        targets.map(({ contract }) => contract),
      );
      return pool;
    },
    close: async () => pool?.close(),
  };
}

async function* itemsOf(
  path: string,
  file: number,
  targets: readonly JudgedTarget[],
  pool: LazyPool,
  alone: number,
): AsyncGenerator<Item> {
  const source = path === STDIN ? process.stdin : path;
  const readEntry = compileReadEntry(source);
  const underWay: Promise<readonly Item[]>[] = [];
  let batch: Whole[] = [];
  let size = 0;
  let total = 0;

  function readHere(entry: ScannedEntry): Item {
    const found = readEntry(entry);
    const startedAt = 'problem' in found ? undefined : found.startedAt;
    const { position, line } = found;
    return { file, position, line, startedAt, glimpsed: undefined, read: () => found };
  }

  async function judge(entries: readonly Whole[], by: GlimpsePool): Promise<readonly Item[]> {
    const bytes = Buffer.concat(entries.map((one) => one.bytes));
    const sites = targets.map(({ observer }) => observer.knownSites);
    const lengths = entries.map(({ index, line, bytes: { length } }) => ({ index, line, length }));
    const seen = await by.glimpse({
      path: path === STDIN ? undefined : path,
      bytes,
      entries: lengths,
      sites,
    });
    return entries.map((entry, index): Item => {
      const glimpsed = seen[index];
      if (!glimpsed) return readHere(entry);
      const { line } = entry;
      const position = `entry ${entry.index}`;
      return {
        ...{ file, position, line, startedAt: glimpsed.startedAt, glimpsed },
        read: () => readEntry(entry),
      };
    });
  }

  function send(by: GlimpsePool): void {
    if (batch.length === 0) return;
    const judged = judge(batch, by);
    // It is awaited when its turn comes.
    judged.catch(() => undefined);
    underWay.push(judged);
    batch = [];
    size = 0;
  }

  for await (const entry of scanHar(source)) {
    const by = total > alone ? pool.get() : undefined;
    total += 'problem' in entry ? 0 : (entry.bytes?.length ?? 0);
    if (by && isWhole(entry)) {
      batch.push(entry);
      size += entry.bytes.length;
      if (size < BATCH && batch.length < MOST_ENTRIES) continue;
      send(by);
      while (underWay.length > AHEAD * by.size) yield* (await underWay.shift()) ?? [];
      continue;
    }
    if (by) send(by);
    while (underWay.length > 0) yield* (await underWay.shift()) ?? [];
    if (!('problem' in entry)) yield readHere(entry);
    else {
      const { position, line } = entry;
      yield { file, position, line, startedAt: undefined, glimpsed: undefined, read: () => entry };
    }
  }
  const by = batch.length > 0 ? pool.get() : undefined;
  if (by) send(by);
  while (underWay.length > 0) yield* (await underWay.shift()) ?? [];
}

/** An entry that a worker can be given. */
type Whole = ScannedEntry & { readonly bytes: Buffer };

function isWhole(entry: ScannedEntry | HarProblem): entry is Whole {
  return !('problem' in entry) && entry.bytes !== undefined && !entry.isCut;
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
