/** Runs a generator to its end, and gives what it returns. */
export async function resultOf<Result>(events: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
  }
}
