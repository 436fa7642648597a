import type { Awaitable } from '../port.ts';

/**
 * Work on a database, written once for a driver with results (SQLite) and one with promises of them (PostgreSQL): where
 * an async function has `await`, a generator has `yield* wait(...)`.
 */
export type Steps<T> = Generator<Awaitable<unknown>, T, unknown>;

export function* wait<T>(value: Awaitable<T>): Steps<T> {
  return (yield value) as T;
}

/** The result itself where no step had to wait for a promise. */
export function run<T>(steps: Steps<T>): Awaitable<T> {
  let step = steps.next();
  while (!step.done) {
    if (step.value instanceof Promise) return resume(steps, step.value);
    step = steps.next(step.value);
  }
  return step.value;
}

async function resume<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
  let value: Awaitable<unknown> = first;
  for (;;) {
    const step = await Promise.resolve(value).then(
      (result) => steps.next(result),
      (error) => steps.throw(error),
    );
    if (step.done) return step.value;
    value = step.value;
  }
}
