/**
 * A map on top of another one that it leaves as it is: a session begins with what all share, and holds only what it
 * has changed, however much there is below.
 */
export class LayeredMap<K, V extends object> {
  readonly #below: LayeredMap<K, V> | undefined;
  /** Null: there is none, whatever is below. */
  readonly #own = new Map<K, V | null>();

  constructor(below?: LayeredMap<K, V>) {
    this.#below = below;
  }

  get(key: K): V | undefined {
    const own = this.#own.get(key);
    return own === undefined ? this.#below?.get(key) : (own ?? undefined);
  }

  /** Undefined: the value, if there is one, is that of the map below, and not to be changed. */
  getOwn(key: K): V | undefined {
    return this.#own.get(key) ?? undefined;
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  set(key: K, value: V): void {
    this.#own.set(key, value);
  }

  delete(key: K): void {
    if (this.#below?.has(key)) this.#own.set(key, null);
    else this.#own.delete(key);
  }
}
