/** Makes of an object what follows from it once, and keeps it for as long as the object is there. */
export function keptWith<K extends object, V extends object>(make: (key: K) => V): (key: K) => V {
  const kept = new WeakMap<K, V>();
  return (key) => {
    let value = kept.get(key);
    if (!value) {
      value = make(key);
      kept.set(key, value);
    }
    return value;
  };
}
