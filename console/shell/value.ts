import { useEffect, useState } from 'preact/hooks';
import { createValue, type Value } from './create-value.ts';

export { createValue, type Value };

/** The current value, while the component is mounted. */
export function useValue<T>(value: Value<T>): T {
  const [state, setState] = useState(() => value.get());
  useEffect(() => {
    const update = () => setState(() => value.get());
    // It may have changed since the rendering.
    update();
    return value.subscribe(update);
  }, [value]);
  return state;
}

/** State that only one component loads and shows. */
export function useLoaded<T>(first: T): readonly [state: T, load: Value<T>['load']] {
  const [value] = useState(() => createValue(first));
  return [useValue(value), value.load];
}

/** Loads a value whenever one of the inputs changes; `first` until it is loaded, or if it fails. */
export function useAsked<T>(first: T, ask: () => Promise<T>, inputs: readonly unknown[]): T {
  const [result, setResult] = useState(first);
  useEffect(() => {
    let isShown = true;
    setResult(() => first);
    ask().then(
      (answer) => isShown && setResult(() => answer),
      () => {},
    );
    return () => {
      isShown = false;
    };
  }, inputs);
  return result;
}
