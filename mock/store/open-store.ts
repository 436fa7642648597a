import { openMemoryStore } from './memory.ts';
import type { OpenStore } from './port.ts';
import { StoreError } from './store-error.ts';

/**
 * From `memory`, `file:PATH` or `postgres://...` to a store; a database's driver is loaded when the store is opened.
 * @throws StoreError for anything else; the text is not repeated, since it may hold a password
 */
export function storeAt(address: string): OpenStore {
  if (address === 'memory') return openMemoryStore;
  const path = /^file:(.+)$/.exec(address)?.[1];
  if (path !== undefined) {
    return lazily(async () => (await import('./sqlite/sqlite.ts')).sqliteStore(path));
  }
  if (/^postgres(?:ql)?:\/\//.test(address)) {
    return lazily(async () => (await import('./postgres/postgres.ts')).postgresStore(address));
  }
  throw new StoreError('a store must be memory, file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE');
}

/** A document that changes is opened on the store that is there already. */
function lazily(load: () => Promise<OpenStore>): OpenStore {
  let loading: Promise<OpenStore> | undefined;
  return async (...context) => {
    loading ??= load();
    return (await loading)(...context);
  };
}
