/** Memoizes a function of one object, for as long as that object lives. */
export function memoize<K extends object, V extends object>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>();
  return (key) => {
    let result = results.get(key);
    if (!result) {
      result = compute(key);
      results.set(key, result);
    }
    return result;
  };
}

const reused = new WeakSet<object>();

/** Marks an object as responded more than once, such as the page of a list until the next write. */
export function reusable<T extends object>(value: T): T {
  reused.add(value);
  return value;
}

/**
 * Memoizes a step of making a response for {@link reusable} objects only, and marks its result as reusable: to memoize
 * what is used once would cost more than it saves. Takes an eighth off the CPU time of lists and 401s (`npm run bench`).
 */
export function memoizeReusable<K extends object, V extends object>(compute: (key: K) => V): (key: K) => V {
  const memoized = memoize((key: K) => reusable(compute(key)));
  return (key) => (reused.has(key) ? memoized(key) : compute(key));
}

/** Compiles a function when it is first called: of a large document most runs use few operations. */
export function onFirstCall<Given extends unknown[], Result>(
  compile: () => (...given: Given) => Result,
): (...given: Given) => Result {
  let compiled: ((...given: Given) => Result) | undefined;
  return (...given) => {
    compiled ??= compile();
    return compiled(...given);
  };
}
