/**
 * Several sources as one, by a time that grows within each of them: traffic that was recorded in several files at the same
 * time is seen as it happened. What has no time comes at once. A source is read only as far as it is needed.
 */
export async function* mergeInOrder<T>(
  sources: readonly AsyncIterable<T>[],
  timeOf: (item: T) => number | undefined,
): AsyncGenerator<T, void> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
  for (;;) {
    let first = -1;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [index, head] of heads.entries()) {
      if (head.done) continue;
      const time = timeOf(head.value) ?? Number.NEGATIVE_INFINITY;
      if (first >= 0 && time >= earliest) continue;
      first = index;
      earliest = time;
    }
    const head = heads[first];
    const iterator = iterators[first];
    if (!head || head.done || !iterator) return;
    yield head.value;
    heads[first] = await iterator.next();
  }
}
