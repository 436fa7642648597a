/** A value outside of components, which several of them show. */
export interface Value<T> {
  get(): T;
  set(next: T): void;
  /**
   * Sets the result of a request, unless a later request or value has been set already, since responses may arrive out of
   * order.
   * @returns the result
   * @throws the request's error
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
