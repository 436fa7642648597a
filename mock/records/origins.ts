import type { Condition, Id, Store } from '../store/port.ts';

/** Where the records of a store come from, in a mock in front of a real service: those that are seeded are in neither book. */
export interface Origins {
  /** Records that the real service has shown, by collection and id; each with what paths have said of its parents. */
  readonly real: OriginBook<readonly Condition[]>;
  /** Records that the mock has made for a client: the real service does not know them. */
  readonly own: OriginBook<true>;
  /** Collections whose seeded records have left. */
  readonly unseeded: Set<string>;
  /** Records that are just being written since the real service has them, or not any more: no client has done that here. */
  readonly learning: OriginBook<true>;
}

export interface OriginBook<Value> {
  get(collection: string, id: Id): Value | undefined;
  set(collection: string, id: Id, value: Value): void;
  delete(collection: string, id: Id): void;
  ids(collection: string): ReadonlySet<string>;
}

const books = new WeakMap<Store, Origins>();

export function originsOf(store: Store): Origins {
  const known = books.get(store) ?? {
    ...{ real: createBook<readonly Condition[]>(), own: createBook<true>(), learning: createBook<true>() },
    unseeded: new Set<string>(),
  };
  books.set(store, known);
  return known;
}

/** Its records are others from now on. */
export function forgetOrigins(store: Store): void {
  books.delete(store);
}

function createBook<Value>(): OriginBook<Value> {
  const collections = new Map<string, Map<string, Value>>();
  return {
    get: (collection, id) => collections.get(collection)?.get(String(id)),
    set(collection, id, value) {
      const own = collections.get(collection) ?? new Map();
      collections.set(collection, own.set(String(id), value));
    },
    delete: (collection, id) => void collections.get(collection)?.delete(String(id)),
    ids: (collection) => new Set(collections.get(collection)?.keys()),
  };
}
