import type { Awaitable } from './exchange.ts';

/** Goes on with a value, at once where it is there: a promise for each step would cost more than the step. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
