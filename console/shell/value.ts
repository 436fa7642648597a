import { useEffect, useState } from 'preact/hooks';
import { createValue, type Value } from './create-value.ts';

export { createValue, type Value };

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

/** What one component alone shows and loads. */
export function useLoaded<T>(first: T): readonly [shown: T, load: Value<T>['load']] {
  const [value] = useState(() => createValue(first));
  return [useValue(value), value.load];
}
