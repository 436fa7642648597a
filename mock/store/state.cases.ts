import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { all, boxes, given, only } from '../testing/boxes.ts';
import type { Id, OpenStore, Query, Store } from './port.ts';

/** The shared tests for whole states: contents, restore, and isolation of sessions. */
export function stateCases(open: OpenStore): void {
  const things = boxes('things', 10);
  const others = boxes('others', 3);
  let store: Store;
  beforeEach(async () => {
    store = await open([things, others]);
  });
  afterEach(async () => store.close());

  const idsOf = async (query: Partial<Query> = {}, collection = things) => {
    const { text } = await store.list(collection, { ...all, ...query });
    return (JSON.parse(text) as { id: Id }[]).map(({ id }) => id);
  };

  describe('contents and restore', () => {
    test('all that a collection holds, in the order of a list, and how many ids it has made', async () => {
      await store.remove(things, 3, []);
      await store.create(things, given({ colour: 'green' }));
      const { entries, numbered } = await store.contents(things);
      expect(entries.map(({ id }) => id)).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
      expect(numbered).toBe(11);
    });

    test('with its keys, which need not stand in the record', async () => {
      await store.create(things, given({ colour: 'red', tags: ['x', 2n ** 60n] }));
      const { entries } = await store.contents(things);
      const keys = entries.at(-1)?.keys.map((value) => value ?? []);
      expect(keys).toEqual(['red', [], ['x', 2n ** 60n], 1]);
    });

    test('brings back what was there: lists, filters, reads and the next id', async () => {
      await store.remove(things, 3, []);
      await store.create(things, given({ colour: 'green', size: 9 }));
      const contents = await store.contents(things);
      await store.reset();
      await store.restore(new Map([[things, contents]]));
      const { entries, numbered } = await store.contents(things);
      expect(entries.map(({ text }) => text)).toEqual(contents.entries.map(({ text }) => text));
      expect(numbered).toBe(contents.numbered);
      expect(await idsOf({ where: [only('colour', 'green')] })).toEqual([11]);
      expect(await store.read(things, 3, [])).toBeUndefined();
      expect(await store.create(things, given({}))).toMatchObject({ id: 12 });
    });

    test('collections that are not named go back to their seeds', async () => {
      await store.create(others, given({}));
      await store.restore(new Map([[things, { entries: [], numbered: 70 }]]));
      expect(await idsOf()).toEqual([]);
      expect(await idsOf({}, others)).toEqual([1, 2, 3]);
      expect(await store.create(things, given({}))).toMatchObject({ id: 71 });
    });
  });

  describe('fork', () => {
    test('begins with the seeds, and is isolated from all other sessions', async () => {
      await store.remove(things, 1, []);
      const one = store.fork('one');
      const two = store.fork('two');
      expect(await one.read(things, 1, [])).toBeDefined();
      await one.create(things, given({ colour: 'green' }));
      await one.change(things, 2, [], () => given({ colour: 'green' }, 2));
      await one.remove(things, 3, []);
      const count = async (of: Store) =>
        (await of.list(things, { ...all, where: [only('colour', 'green')] })).total;
      expect([await count(one), await count(two), await count(store)]).toEqual([2, 0, 0]);
      expect(await two.read(things, 3, [])).toBeDefined();
      expect(await idsOf()).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    });

    test('has its own sequence of ids, and resets alone', async () => {
      const one = store.fork('one');
      expect(await store.create(things, given({}))).toMatchObject({ id: 11 });
      expect(await one.create(things, given({}))).toMatchObject({ id: 11 });
      await one.reset();
      expect(await one.read(things, 11, [])).toBeUndefined();
      expect(await store.read(things, 11, [])).toBeDefined();
      await store.reset();
      expect(await one.create(things, given({}))).toMatchObject({ id: 11 });
    });

    test('is deleted when it is closed', async () => {
      const one = store.fork('one');
      await one.create(things, given({}));
      await one.close();
      expect(await store.fork('one').read(things, 11, [])).toBeUndefined();
    });
  });
}
