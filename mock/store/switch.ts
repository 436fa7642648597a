import type { Store } from './port.ts';

/** A store that another one can take the place of, under the hands of those who use it. */
export interface SwitchedStore extends Store {
  switchTo(next: Store): void;
}

export function createSwitch(first: Store): SwitchedStore {
  let store = first;
  return {
    list: (collection, query) => store.list(collection, query),
    read: (collection, id, where) => store.read(collection, id, where),
    create: (collection, given) => store.create(collection, given),
    change: (collection, id, where, edit) => store.change(collection, id, where, edit),
    remove: (collection, id, where) => store.remove(collection, id, where),
    contents: (collection) => store.contents(collection),
    restore: (contents) => store.restore(contents),
    reset: () => store.reset(),
    fork: (session) => store.fork(session),
    close: () => store.close(),
    switchTo(next) {
      store = next;
    },
  };
}
