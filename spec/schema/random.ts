/** A pseudo-random sequence: the same key gives the same one on every machine and run. Not for secrets. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer in [low, high], both safe. */
  integer(low: number, high: number): number;
  /** One of the items, of which there must be at least one. */
  pick<T>(items: readonly T[]): T;
}

/** The state of hashing a key: the key of a part continues from the state of the whole. */
export type Seed = readonly [a: number, b: number, c: number, counter: number];

/** A new sequence for a key. */
export function randomOf(key: string): Random {
  return randomFrom(seedOf(key));
}

/** The same sequence as `randomOf` for the hashed key. */
export function randomFrom(seed: Seed): Random {
  return new Sequence(seed);
}

const EMPTY: Seed = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35];

/**
 * FNV-1a over UTF-16 code units, four lanes with different offsets.
 * @param whole the seed that `key` continues; default: none
 */
export function seedOf(key: string, whole: Seed = EMPTY): Seed {
  let [a, b, c, d] = whole;
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index);
    a = Math.imul(a ^ code, PRIME);
    b = Math.imul(b ^ (code + 1), PRIME);
    c = Math.imul(c ^ (code + 2), PRIME);
    d = Math.imul(d ^ (code + 3), PRIME);
  }
  return [a, b, c, d];
}

const PRIME = 0x01000193;

/** Chris Doty-Humphrey's Small Fast Counter generator (sfc32), 32 bits, warmed up over its seed. */
class Sequence implements Random {
  private a: number;
  private b: number;
  private c: number;
  private counter: number;
  /** Many values need no random number, and the warm-up is the main cost of a sequence. */
  private isWarm = false;

  constructor([a, b, c, counter]: Seed) {
    this.a = a | 0;
    this.b = b | 0;
    this.c = c | 0;
    this.counter = counter | 0;
  }

  next(): number {
    if (!this.isWarm) {
      this.isWarm = true;
      for (let round = 0; round < 12; round++) this.step();
    }
    return (this.step() >>> 0) / 2 ** 32;
  }

  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)] as T;
  }

  private step(): number {
    const { a, b, c } = this;
    const sum = (((a + b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = b ^ (b >>> 9);
    this.b = (c + (c << 3)) | 0;
    this.c = ((c << 21) | (c >>> 11)) + sum;
    return sum;
  }
}
