/** A pseudo-random sequence: the same key gives the same one on every machine and run. Not for secrets. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer in [low, high], both safe. */
  integer(low: number, high: number): number;
  /** One of the items, of which there must be at least one. */
  pick<T>(items: readonly T[]): T;
}

/** A new sequence from the start of its key. */
export function randomOf(key: string): Random {
  const next = sfc32(hash(key));
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return { next, integer, pick: (items) => items[integer(0, items.length - 1)] as never };
}

/** FNV-1a over UTF-16 code units, four lanes with different offsets. */
function hash(key: string): [number, number, number, number] {
  const lanes: [number, number, number, number] = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35];
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index);
    for (let lane = 0; lane < 4; lane++)
      lanes[lane] = Math.imul((lanes[lane] as number) ^ (code + lane), 0x01000193);
  }
  return lanes;
}

/** Chris Doty-Humphrey's Small Fast Counter generator, 32 bits, warmed up over its seed. */
function sfc32([seedA, seedB, seedC, seedD]: [number, number, number, number]): () => number {
  let [a, b, c, counter] = [seedA | 0, seedB | 0, seedC | 0, seedD | 0];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}
