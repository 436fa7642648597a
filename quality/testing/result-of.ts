/** Runs a generator to its end, and returns its result. */
export async function resultOf<Result>(events: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
  }
}
