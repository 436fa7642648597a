import { expect, test } from 'vitest';
import { openMemoryStore } from './memory.ts';
import type { Collection } from './port.ts';
import { createRecordEvents, createSwitch, type RecordEvent } from './record-events.ts';

const THINGS: Collection = {
  name: '/things',
  keys: [],
  idOf: (ordinal) => ordinal,
  complete: (id, { members }) => ({ id, text: JSON.stringify({ id, ...members }), keys: [] }),
  *seeds() {
    yield { id: 1, text: '{"id":1}', keys: [] };
  },
};
const given = (members = {}) => ({ id: undefined, members, scope: [] });

function listenTo() {
  const store = createSwitch(openMemoryStore([THINGS]));
  const events = createRecordEvents(store, () => 7);
  const seen: unknown[] = [];
  const stop = events.subscribe({
    happened: ({ number, at, kind, collection, id, text, before }: RecordEvent) =>
      seen.push([number, at, kind, collection.name, id, text, ...(before === undefined ? [] : [before])]),
    replaced: () => seen.push('replaced'),
    closed: () => seen.push('closed'),
  });
  return { store, events, seen, stop };
}

test('a session reports each write to its records, in order and with what was there before', async () => {
  const { store, seen } = listenTo();
  await store.create(THINGS, given({ a: 1 }));
  await store.change(THINGS, 2, [], () => given({ a: 2 }));
  await store.remove(THINGS, 1, []);
  expect(seen).toEqual([
    [1, 7, 'created', '/things', 2, '{"id":2,"a":1}'],
    [2, 7, 'changed', '/things', 2, '{"id":2,"a":2}', '{"id":2,"a":1}'],
    [3, 7, 'removed', '/things', 1, '{"id":1}'],
  ]);
});

test('what is not written is not reported', async () => {
  const { store, seen } = listenTo();
  await store.create(THINGS, { ...given(), id: 1 });
  await store.change(THINGS, 9, [], () => given());
  await store.change(
    THINGS,
    1,
    [],
    () => given(),
    () => false,
  );
  await store.remove(THINGS, 9, []);
  await store.read(THINGS, 1, []);
  expect(seen).toEqual([]);
});

test('a reset, a restored state and another store are reported as a whole', async () => {
  const { store, seen } = listenTo();
  await store.reset();
  await store.restore(new Map());
  store.switchTo(openMemoryStore([THINGS]));
  expect(seen).toEqual(['replaced', 'replaced', 'replaced']);
  await store.remove(THINGS, 1, []);
  expect(seen).toHaveLength(4);
});

test('while nobody listens, the functions of the store are called as they are', async () => {
  const memory = openMemoryStore([THINGS]);
  const store = createSwitch(memory);
  const events = createRecordEvents(store, () => 7);
  expect(store.create).toBe(memory.create);
  const stops = [events.subscribe({ happened: () => {} }), events.subscribe({ happened: () => {} })];
  expect(store.create).not.toBe(memory.create);
  for (const stop of stops) stop();
  expect(store.create).toBe(memory.create);
});

test('the end of a session reaches its listeners once, and nothing after it', async () => {
  const { store, events, seen, stop } = listenTo();
  events.close();
  events.close();
  await store.remove(THINGS, 1, []);
  stop();
  expect(seen).toEqual(['closed']);
});
