/** A value outside of the components that several of them show. */
export interface Value<T> {
  get(): T;
  set(next: T): void;
  /**
   * Sets what a request resolves to, unless what was asked for later, or set meanwhile, is there already: responses can come
   * out of order.
   * @returns what it resolves to
   * @throws what it rejects with
   */
  load(asked: Promise<T>): Promise<T>;
  subscribe(listener: () => void): () => void;
}

export function createValue<T>(first: T): Value<T> {
  const listeners = new Set<() => void>();
  let current = first;
  let turns = 0;
  let lastTurn = 0;
  function show(next: T, turn: number): void {
    lastTurn = turn;
    if (Object.is(next, current)) return;
    current = next;
    for (const listener of listeners) listener();
  }
  return {
    get: () => current,
    set: (next) => show(next, ++turns),
    async load(asked) {
      const turn = ++turns;
      const next = await asked;
      if (turn > lastTurn) show(next, turn);
      return next;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
