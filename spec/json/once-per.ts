/**
 * Remembers what a function finds of an object, which never changes. Further arguments say how it is found, and are the same
 * for an object each time.
 */
export function oncePer<Of extends object, More extends readonly unknown[], Found>(
  find: (of: Of, ...more: More) => Found,
): (of: Of, ...more: More) => Found {
  const known = new WeakMap<Of, { readonly found: Found }>();
  return (of, ...more) => {
    let kept = known.get(of);
    if (!kept) {
      kept = { found: find(of, ...more) };
      known.set(of, kept);
    }
    return kept.found;
  };
}
