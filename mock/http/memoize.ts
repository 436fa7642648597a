import { oncePer } from '#spec';

/** Memoizes a function of few keys, such as the statuses of an operation. */
export function memoizeFew<K, V>(compute: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>();
  return (key) => {
    if (!results.has(key)) results.set(key, compute(key));
    return results.get(key) as V;
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
 * what is used once would cost more than it saves. Takes an eighth off the CPU time of lists and 401s (`npm run lab -- bench servers`).
 */
export function memoizeReusable<K extends object, V extends object>(compute: (key: K) => V): (key: K) => V {
  const memoized = oncePer((key: K) => reusable(compute(key)));
  return (key) => (reused.has(key) ? memoized(key) : compute(key));
}

/** Whoever sends a new text with each request must not fill the memory. */
interface Bounds {
  readonly most: number;
  /** In characters. */
  readonly longest: number;
}

const OF_NAMES: Bounds = { most: 500, longest: 256 };

/** Memoizes a function of a text that comes again and again, such as the name of a header. */
export function memoizeText<V extends object | boolean | string>(
  compute: (text: string) => V,
  { most, longest }: Bounds = OF_NAMES,
): (text: string) => V {
  const results = new Map<string, V>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (results.size >= most) results.clear();
    if (text.length <= longest) results.set(text, result);
    return result;
  };
}

/** Makes a value when it is first wanted. */
export function once<T>(make: () => T): () => T {
  return onFirstCall(() => {
    const made = make();
    return () => made;
  });
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
