/** Makes a value on first use. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Caches the result of a function for each object, which must not change. Further arguments must be the same in each
 * call with the same object.
 */
export function oncePer<Of extends object, More extends readonly unknown[], Result>(
  find: (of: Of, ...more: More) => Result,
): (of: Of, ...more: More) => Result {
  const cache = new WeakMap<Of, { readonly result: Result }>();
  return (of, ...more) => {
    let entry = cache.get(of);
    if (!entry) {
      entry = { result: find(of, ...more) };
      cache.set(of, entry);
    }
    return entry.result;
  };
}
