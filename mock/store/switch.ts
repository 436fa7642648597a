import type { Store } from './port.ts';

/** A store that can be replaced while others hold it. */
export interface SwitchedStore extends Store {
  switchTo(next: Store): void;
}

export function createSwitch(first: Store): SwitchedStore {
  const store = { ...first, switchTo: (next: Store) => void Object.assign(store, next) };
  return store;
}
