import { useEffect, useState } from 'preact/hooks';
import type { Value } from './create-value.ts';

export { createValue, type Value } from './create-value.ts';

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
