/** Bytes; what is smaller costs more to keep than it is long, and holds on to the packet in which it came. */
const SMALL = 1024;
/** Small parts that are kept one by one. */
const MOST_SMALL = 256;

/** Content that is kept as it comes: a message in chunks of one byte takes the memory of its bytes, all the same. */
export class Content {
  readonly #parts: Buffer[] = [];
  /** The last ones of the parts. */
  #small = 0;

  add(part: Buffer): void {
    this.#parts.push(part);
    this.#small = part.length < SMALL ? this.#small + 1 : 0;
    if (this.#small < MOST_SMALL) return;
    this.#parts.push(Buffer.concat(this.#parts.splice(-MOST_SMALL)));
    this.#small = 0;
  }

  whole(): Buffer {
    return this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
  }
}
