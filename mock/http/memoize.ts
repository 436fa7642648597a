import { oncePer } from '#spec';

/** Memoizes a function with few different keys, such as an operation's statuses. */
export function memoizeFew<K, V>(compute: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>();
  return (key) => {
    if (!results.has(key)) results.set(key, compute(key));
    return results.get(key) as V;
  };
}

const reused = new WeakSet<object>();

/** Marks an object as one of several responses, such as the page of a list until the next write. */
export function reusable<T extends object>(value: T): T {
  reused.add(value);
  return value;
}

/**
 * Memoizes a step of making a response for {@link reusable} objects only, and marks its result as reusable: memoizing
 * single-use objects costs more than it saves. Saves an eighth of the CPU time of lists and 401s (`npm run lab -- bench
 * servers`).
 */
export function memoizeReusable<K extends object, V extends object>(compute: (key: K) => V): (key: K) => V {
  const memoized = oncePer((key: K) => reusable(compute(key)));
  return (key) => (reused.has(key) ? memoized(key) : compute(key));
}

/** Limits memory, in case each request has a new text. */
interface Bounds {
  readonly most: number;
  /** In characters. */
  readonly longest: number;
}

const OF_NAMES: Bounds = { most: 500, longest: 256 };

/** Memoizes a function of recurring texts, such as header names. */
export function memoizeText<V extends object | boolean | string>(
  compute: (text: string) => V,
  { most, longest }: Bounds = OF_NAMES,
): (text: string) => V {
  const results = new Map<string, V>();
  return (text) => {
    const cached = results.get(text);
    if (cached !== undefined) return cached;
    const result = compute(text);
    if (results.size >= most) results.clear();
    if (text.length <= longest) results.set(text, result);
    return result;
  };
}

/** Compiles a function on its first call, since most runs use few operations of a large document. */
export function onFirstCall<Args extends unknown[], Result>(
  compile: () => (...args: Args) => Result,
): (...args: Args) => Result {
  let compiled: ((...args: Args) => Result) | undefined;
  return (...args) => {
    compiled ??= compile();
    return compiled(...args);
  };
}
