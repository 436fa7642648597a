import { useEffect, useState } from 'preact/hooks';

/** A value outside of the components that several of them show. */
export interface Value<T> {
  get(): T;
  set(next: T): void;
  subscribe(listener: () => void): () => void;
}

export function createValue<T>(first: T): Value<T> {
  const listeners = new Set<() => void>();
  let current = first;
  return {
    get: () => current,
    set(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value, for as long as the component is shown. */
export function useValue<T>(value: Value<T>): T {
  const [shown, show] = useState(() => value.get());
  useEffect(() => {
    const update = () => show(() => value.get());
    // It may have changed since the component was rendered.
    update();
    return value.subscribe(update);
  }, [value]);
  return shown;
}
