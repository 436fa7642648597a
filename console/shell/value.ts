import { useEffect, useState } from 'preact/hooks';
import { createValue, type Value } from './create-value.ts';

export { createValue, type Value };

/** The value, for as long as the component is shown. */
export function useValue<T>(value: Value<T>): T {
  const [state, setState] = useState(() => value.get());
  useEffect(() => {
    const update = () => setState(() => value.get());
    // It may have changed since the component was rendered.
    update();
    return value.subscribe(update);
  }, [value]);
  return state;
}

/** What one component alone shows and loads. */
export function useLoaded<T>(first: T): readonly [state: T, load: Value<T>['load']] {
  const [value] = useState(() => createValue(first));
  return [useValue(value), value.load];
}

/** What is asked for whenever one of the inputs changes; `first` until it is known, and where it cannot be. */
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
