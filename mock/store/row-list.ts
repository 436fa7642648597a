import type { Entry } from './port.ts';

/** An entry with its place in the order. */
export interface Row extends Entry {
  readonly ordinal: number;
}

/** As many rows move when one is put in or taken out, and as many are copied when a shared chunk is changed. */
const CHUNK = 512;

/** Rows, ascending by ordinal, in chunks. What a copy does not change it shares with its original. */
export class RowList {
  readonly #chunks: Row[][];
  /** Of each chunk, whether another list may hold it, too. */
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

  /** The ordinal is above all others. */
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

  /** Puts a row in the place of the one with the same ordinal. */
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

  /** Passes over whole chunks: a far page costs little more than a near one. */
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

/** Where a row of this ordinal stands, or would stand. */
function placeIn(rows: readonly Row[], { ordinal }: Row): number {
  return lowerBound(rows, (row) => row.ordinal < ordinal);
}

/** The first index at which an item of a sorted list is not below what is searched. */
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
