import { describe, expect, test } from 'vitest';
import { openMemoryStore } from './memory.ts';
import type { Collection } from './port.ts';
import { storeCases } from './store.cases.ts';

describe('the memory store', () => storeCases(openMemoryStore));

const pattern: Collection = {
  name: 'letters',
  keys: [],
  // Only three ids, as from a narrow pattern.
  idOf: (ordinal) => 'abc'[ordinal % 3] as string,
  complete: (id) => ({ id, text: JSON.stringify({ id }), keys: [] }),
  *seeds() {
    for (let n = 1; n <= 4; n++) yield this.complete(this.idOf(n), { id: undefined, members: {}, scope: [] });
  },
};

test('seeds with equal ids are one record', () => {
  const store = openMemoryStore([pattern]);
  expect(store.list(pattern, { where: [], offset: 0, limit: 9, counted: true })).toMatchObject({ total: 3 });
});

test('nothing is created when no id is left', () => {
  const store = openMemoryStore([pattern]);
  expect(store.create(pattern, { id: undefined, members: {}, scope: [] })).toBe('taken');
});

test('pages are right after the page cache was full', () => {
  const store = openMemoryStore([pattern]);
  for (let offset = 0; offset < 1000; offset++) {
    const page = store.list(pattern, { where: [], offset, limit: 1 });
    expect(page).toMatchObject({ count: offset < 3 ? 1 : 0 });
  }
});
