import type { Entry } from './port.ts';

/** An entry with its place in the order. */
export interface Row extends Entry {
  readonly ordinal: number;
}

/** The rows that move when one is inserted or removed, and that are copied when a shared chunk changes. */
const CHUNK = 512;

/** Rows, ascending by ordinal, in chunks. A copy shares the chunks that it does not change. */
export class RowList {
  readonly #chunks: Row[][];
  /** For each chunk, whether another list may share it. */
  readonly #shared: boolean[];
  #length: number;

  constructor(chunks: readonly Row[][] = [], length = 0) {
    this.#chunks = [...chunks];
    this.#shared = this.#chunks.map(() => true);
    this.#length = length;
  }

  get length(): number {
    return this.#length;
  }

  copy(): RowList {
    this.#shared.fill(true);
    return new RowList(this.#chunks, this.#length);
  }

  /** The ordinal must be above all others. */
  push(row: Row): void {
    const last = this.#chunks.length - 1;
    if (last < 0 || (this.#chunks[last] as Row[]).length >= CHUNK) this.#addChunk(last + 1, [row]);
    else this.#own(last).push(row);
    this.#length++;
  }

  insert(row: Row): void {
    const at = this.#chunkOf(row);
    if (at === this.#chunks.length) {
      this.push(row);
      return;
    }
    const chunk = this.#own(at);
    chunk.splice(placeIn(chunk, row), 0, row);
    this.#length++;
    if (chunk.length >= 2 * CHUNK) this.#addChunk(at + 1, chunk.splice(CHUNK));
  }

  /** Replaces the row with the same ordinal. */
  replace(row: Row): void {
    const chunk = this.#own(this.#chunkOf(row));
    chunk[placeIn(chunk, row)] = row;
  }

  remove(row: Row): void {
    const at = this.#chunkOf(row);
    const chunk = this.#own(at);
    chunk.splice(placeIn(chunk, row), 1);
    this.#length--;
    if (chunk.length > 0) return;
    this.#chunks.splice(at, 1);
    this.#shared.splice(at, 1);
  }

  /** Skips whole chunks: a far page costs little more than a near one. */
  slice(offset: number, limit: number): Row[] {
    const rows: Row[] = [];
    let skip = offset;
    for (const chunk of this.#chunks) {
      if (skip >= chunk.length) {
        skip -= chunk.length;
        continue;
      }
      const end = Math.min(chunk.length, skip + limit - rows.length);
      for (let at = skip; at < end; at++) rows.push(chunk[at] as Row);
      if (rows.length >= limit) break;
      skip = 0;
    }
    return rows;
  }

  *[Symbol.iterator](): Generator<Row> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  #addChunk(at: number, chunk: Row[]): void {
    this.#chunks.splice(at, 0, chunk);
    this.#shared.splice(at, 0, false);
  }

  #own(at: number): Row[] {
    const chunk = this.#chunks[at] as Row[];
    if (!this.#shared[at]) return chunk;
    const copy = [...chunk];
    this.#chunks[at] = copy;
    this.#shared[at] = false;
    return copy;
  }

  /** The first chunk that does not end below the row. */
  #chunkOf({ ordinal }: Row): number {
    return lowerBound(this.#chunks, (chunk) => (chunk.at(-1) as Row).ordinal < ordinal);
  }
}

/** The index of a row with this ordinal, or where it would be inserted. */
function placeIn(rows: readonly Row[], { ordinal }: Row): number {
  return lowerBound(rows, (row) => row.ordinal < ordinal);
}

/** The first index at which an item of a sorted list is not below the target. */
function lowerBound<T>(items: readonly T[], isBelow: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
