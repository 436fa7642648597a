/** A value, or a promise of it: what is in memory need not wait. */
export type Awaitable<T> = T | Promise<T>;

/** Continues with a value, synchronously where it is no promise: awaiting each step would cost more than the step. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
