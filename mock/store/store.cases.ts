import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { all, boxes, given, inBox, labelledBoxes, only } from '../testing/boxes.ts';
import type { Collection, Condition, Entry, Given, Id, OpenStore, Query, Scalar, Store } from './port.ts';
import { stateCases } from './state.cases.ts';

/** The shared tests of stores, which each adapter runs in its own test file. */
export function storeCases(open: OpenStore): void {
  const things = boxes('things', 10);
  const others = boxes('others', 3);
  const labelled = labelledBoxes('labelled', 3);
  let store: Store;
  beforeEach(async () => {
    store = await open([things, others, labelled]);
  });
  afterEach(async () => store.close());

  const idsOf = async (query: Partial<Query> = {}, collection = things) => {
    const { text } = await store.list(collection, { ...all, ...query });
    return (JSON.parse(text) as { id: Id }[]).map(({ id }) => id);
  };

  describe('list', () => {
    test.each<[string, { given: Partial<Query>; want: number[]; total: number }]>([
      ['all, in the order of their ids', { given: {}, want: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], total: 10 }],
      ['the first ones', { given: { limit: 3 }, want: [1, 2, 3], total: 10 }],
      ['the ones after', { given: { limit: 3, offset: 3 }, want: [4, 5, 6], total: 10 }],
      ['a last page that is not full', { given: { limit: 4, offset: 8 }, want: [9, 10], total: 10 }],
      ['a page behind the last', { given: { limit: 4, offset: 99 }, want: [], total: 10 }],
      ['none', { given: { limit: 0 }, want: [], total: 10 }],
      ['one condition', { given: { where: [only('colour', 'red')] }, want: [2, 4, 6, 8, 10], total: 5 }],
      [
        'a condition and a page',
        { given: { where: [only('colour', 'red')], offset: 1, limit: 2 }, want: [4, 6], total: 5 },
      ],
      ['a number is not its text', { given: { where: [only('size', '1')] }, want: [], total: 0 }],
      [
        'two conditions',
        { given: { where: [only('colour', 'red'), only('size', 1)] }, want: [4, 10], total: 2 },
      ],
      ['several values', { given: { where: [only('size', 0, 1)] }, want: [1, 3, 4, 6, 7, 9, 10], total: 7 }],
      ['a value that nobody has', { given: { where: [only('colour', 'green')] }, want: [], total: 0 }],
      ['no value at all', { given: { where: [only('colour')] }, want: [], total: 0 }],
      ['a parent', { given: { where: inBox(1) }, want: [1, 3, 5, 7, 9], total: 5 }],
    ])('%s', async (_, { given: query, want, total }) => {
      expect(await idsOf(query)).toEqual(want);
      expect(await store.list(things, { ...all, ...query })).toMatchObject({ count: want.length, total });
    });

    test('records of one collection are not in another', async () => {
      expect(await idsOf({}, others)).toEqual([1, 2, 3]);
    });

    test('a list is up to date after each write', async () => {
      const red = { where: [only('colour', 'red')] };
      expect(await idsOf(red, others)).toEqual([2]);
      await store.create(others, given({ colour: 'red' }));
      expect(await idsOf(red, others)).toEqual([2, 4]);
      await store.change(others, 2, [], () => given({ colour: 'blue' }));
      expect(await idsOf(red, others)).toEqual([4]);
      await store.remove(others, 4, []);
      expect(await idsOf(red, others)).toEqual([]);
    });

    test('values that are equal as text are different conditions', async () => {
      for (const colour of ['a b', 'a', 'b', '1', '"']) await store.create(others, given({ colour }));
      const matching = async (...conditions: Condition[]) =>
        (await idsOf({ where: conditions }, others)).length;
      expect(await matching(only('colour', 'a b'))).toBe(1);
      expect(await matching(only('colour', 'a', 'b'))).toBe(2);
      expect(await matching(only('colour', '1'))).toBe(1);
      expect(await matching(only('colour', 1))).toBe(0);
      expect(await matching(only('colour', '"'))).toBe(1);
    });

    test('a list of values counts with each of them, and the record is found once', async () => {
      const entry = (await store.create(things, given({ tags: ['x', 'y', 'x'] }))) as Entry;
      expect(await idsOf({ where: [only('tags', 'x')] })).toEqual([entry.id]);
      expect(await idsOf({ where: [only('tags', 'x', 'y')] })).toEqual([entry.id]);
      await store.remove(things, entry.id, []);
      expect(await idsOf({ where: [only('tags', 'x', 'y')] })).toEqual([]);
    });

    test('null and integers beyond doubles are values like others', async () => {
      const colours = [null, 2n ** 63n - 1n, 2n ** 63n - 2n];
      for (const colour of colours) await store.create(others, given({ colour }));
      for (const [index, colour] of colours.entries())
        expect(await idsOf({ where: [only('colour', colour)] }, others)).toEqual([4 + index]);
    });
  });

  describe('read', () => {
    test('one record by its id', async () => {
      expect(JSON.parse((await store.read(things, 4, [])) ?? '')).toEqual({ id: 4, colour: 'red', size: 1 });
    });

    test.each<[string, Id]>([
      ['an id that was never given', 11],
      ['the text of one', '4'],
      ['zero', 0],
      ['an integer beyond doubles', 2n ** 63n - 1n],
    ])('nothing for %s', async (_, id) => {
      expect(await store.read(things, id, [])).toBeUndefined();
    });

    test('nothing where a condition does not hold', async () => {
      expect(await store.read(things, 4, inBox(0))).toBeDefined();
      expect(await store.read(things, 4, inBox(1))).toBeUndefined();
    });
  });

  describe('create', () => {
    test('gives ids that follow each other, and the record can be read and listed', async () => {
      const first = (await store.create(things, given({ colour: 'red', size: 7 }))) as Entry;
      const second = (await store.create(things, given({}))) as Entry;
      expect([first.id, second.id]).toEqual([11, 12]);
      expect(await store.read(things, 11, [])).toBe(first.text);
      expect(await idsOf({ where: [only('size', 7)] })).toEqual([11]);
      expect((await idsOf()).slice(-2)).toEqual([11, 12]);
    });

    test('keeps an id that the client chose, and never gives it again', async () => {
      expect(await store.create(things, given({}, 11))).toMatchObject({ id: 11 });
      expect(await store.create(things, given({}))).toMatchObject({ id: 12 });
    });

    test('refuses an id that is taken, and keeps the old record', async () => {
      const before = await store.read(things, 4, []);
      expect(await store.create(things, given({ colour: 'green' }, 4))).toBe('taken');
      expect(await store.read(things, 4, [])).toBe(before);
      expect(await idsOf()).toHaveLength(10);
    });

    test('does not give the id of a removed record again', async () => {
      await store.remove(things, 10, []);
      expect(await store.create(things, given({}))).toMatchObject({ id: 11 });
    });

    test('many at once get ids of their own', async () => {
      const made = await Promise.all(
        Array.from({ length: 100 }, async () => store.create(things, given({}))),
      );
      expect(new Set(made.map((entry) => (entry as Entry).id)).size).toBe(100);
    });
  });

  describe('change', () => {
    test('replaces a record where it stands, in lists as well', async () => {
      const edit = (text: string) => given({ ...JSON.parse(text), colour: 'green', size: 0 });
      expect(JSON.parse((await store.change(things, 4, [], edit)) || '')).toMatchObject({
        id: 4,
        colour: 'green',
      });
      expect(await idsOf()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(await idsOf({ where: [only('colour', 'red')] })).toEqual([2, 6, 8, 10]);
      expect(await idsOf({ where: [only('colour', 'green')] })).toEqual([4]);
      expect(await idsOf({ where: [only('size', 0)] })).toEqual([3, 4, 6, 9]);
    });

    test('keeps the parent of a record where the change does not say it', async () => {
      await store.change(things, 4, [], () => ({ ...given({ colour: 'green' }), scope: [] }));
      expect(await idsOf({ where: inBox(0) })).toEqual([2, 4, 6, 8, 10]);
    });

    test('does nothing for an id or a parent that is not there', async () => {
      const edit = () => given({});
      expect(await store.change(things, 11, [], edit)).toBeUndefined();
      expect(await store.change(things, 4, inBox(1), edit)).toBeUndefined();
      expect(JSON.parse((await store.read(things, 4, [])) ?? '')).toMatchObject({ colour: 'red' });
    });

    test('leaves a record as it was that may not be changed, and asks of the text that it replaces', async () => {
      const seen: string[] = [];
      const isRed = (text: string) => {
        seen.push(text);
        return JSON.parse(text).colour === 'red';
      };
      const paint = (id: Id) => store.change(things, id, [], () => given({ colour: 'green' }), isRed);
      const before = await store.read(things, 3, []);
      expect(await paint(3)).toBe(false);
      expect(await store.read(things, 3, [])).toBe(before);
      expect(seen).toEqual([before]);
      const changes = await Promise.all([1, 2, 3].map(async () => paint(4)));
      expect(changes.filter((text) => text !== false)).toHaveLength(1);
      expect(await store.change(things, 11, [], () => given({}), isRed)).toBeUndefined();
    });

    test('leaves everything as it was when the edit fails', async () => {
      const edit = () => {
        throw new Error('no');
      };
      await expect((async () => store.change(things, 4, [], edit))()).rejects.toThrow('no');
      expect(await idsOf({ where: [only('colour', 'red')] })).toEqual([2, 4, 6, 8, 10]);
    });
  });

  describe('a unique key', () => {
    const label = (text: string | null) => given({ label: text });

    test.each<[string, () => unknown, unknown]>([
      ['refuses the value of a seed', () => store.create(labelled, label('label 2')), 'taken'],
      ['takes a value of its own', () => store.create(labelled, label('label 4')), { id: 4 }],
      ['knows null as no value', () => store.create(labelled, label(null)), { id: 4 }],
      [
        'takes the same value below another parent',
        () => store.create(labelled, { ...label('label 2'), scope: inBox(0) }),
        { id: 4 },
      ],
    ])('%s', async (_, create, want) => {
      await store.create(labelled, { ...label(null), id: 99 });
      const created = await create();
      if (typeof want === 'string') expect(created).toBe(want);
      else expect(created).toMatchObject(want as object);
    });

    test('refuses a change to the value of another record, and takes its own again', async () => {
      const to = (text: string) => store.change(labelled, 1, [], () => label(text));
      expect(await to('label 2')).toBe(false);
      expect(JSON.parse(String(await store.read(labelled, 1, [])))).toMatchObject({ label: 'label 1' });
      expect(JSON.parse(String(await to('label 1')))).toMatchObject({ label: 'label 1' });
      expect(JSON.parse(String(await to('other')))).toMatchObject({ label: 'other' });
      expect(await store.create(labelled, label('label 1'))).not.toBe('taken');
    });

    test('has a value again when its record is removed', async () => {
      await store.remove(labelled, 2, []);
      expect(await store.create(labelled, label('label 2'))).not.toBe('taken');
      expect(await store.create(labelled, label('label 2'))).toBe('taken');
    });

    test('of many creates at once with one value one succeeds, and of changes to it one', async () => {
      const creates = await Promise.all(
        Array.from({ length: 20 }, async () => store.create(labelled, label('the one'))),
      );
      expect(creates.filter((entry) => entry !== 'taken')).toHaveLength(1);
      const changes = await Promise.all(
        [1, 2, 3].map(async (id) => store.change(labelled, id, [], () => label('the other'))),
      );
      expect(changes.filter((text) => text !== false)).toHaveLength(1);
    });
  });

  describe('remove', () => {
    test('takes a record out of reads and lists, once', async () => {
      expect(await store.remove(things, 4, [])).toBe(true);
      expect(await store.remove(things, 4, [])).toBe(false);
      expect(await store.read(things, 4, [])).toBeUndefined();
      expect(await idsOf()).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10]);
      expect(await idsOf({ where: [only('colour', 'red')] })).toEqual([2, 6, 8, 10]);
    });

    test('leaves a record that may not be removed, and one that was changed meanwhile', async () => {
      const isRed = (text: string) => JSON.parse(text).colour === 'red';
      expect(await store.remove(things, 3, [], isRed)).toBe(false);
      const results = await Promise.all([
        (async () => store.change(things, 4, [], () => given({ colour: 'green' }), isRed))(),
        (async () => store.remove(things, 4, [], isRed))(),
      ]);
      expect(results.filter(Boolean)).toHaveLength(1);
      expect((await store.read(things, 4, [])) === undefined).toBe(results[1]);
      expect(await store.remove(things, 2, [], isRed)).toBe(true);
    });

    test('leaves a record of another parent', async () => {
      expect(await store.remove(things, 4, inBox(1))).toBe(false);
      expect(await idsOf()).toHaveLength(10);
    });
  });

  describe('createAll', () => {
    test('stores all of them in their order, with ids that follow each other', async () => {
      const sizes = Array.from({ length: 1500 }, (_, size) => given({ colour: 'green', size }));
      const made = (await store.createAll(things, sizes)) as readonly Entry[];
      expect(made.map(({ id }) => id)).toEqual(sizes.map((_, at) => 11 + at));
      const { text } = await store.list(things, { ...all, where: [only('colour', 'green')] });
      expect(text).toBe(`[${made.map((entry) => entry.text).join()}]`);
      expect(await store.create(things, given({}))).toMatchObject({ id: 1511 });
      expect(await store.createAll(things, [])).toEqual([]);
    });

    test.each<[string, Collection, readonly Given[]]>([
      ['an id that is taken', things, [given({}), given({}, 4), given({})]],
      ['one id twice', things, [given({}), given({}, 70), given({}), given({}, 70)]],
      ['a unique value that is taken', labelled, [given({ label: 'x' }), given({ label: 'label 2' })]],
      ['one unique value twice', labelled, [given({ label: 'x' }), given({}), given({ label: 'x' })]],
    ])('stores none of them with %s, and says which it was', async (_, collection, list) => {
      const before = await store.contents(collection);
      const index = list.findLastIndex(({ id, members }) => id !== undefined || 'label' in members);
      expect(await store.createAll(collection, list)).toEqual({ taken: index });
      expect(await store.contents(collection)).toEqual(before);
    });

    test('gives no id that a client has chosen', async () => {
      await store.create(things, given({}, 12));
      const list = [given({}), given({ colour: 'late' }), given({}), given({}, 14), given({}, 13)];
      const made = (await store.createAll(things, list)) as readonly Entry[];
      const ids = new Set(made.map(({ id }) => id));
      expect([ids.size, ids.has(12), made[3]?.id, made[4]?.id]).toEqual([5, false, 14, 13]);
      expect(await idsOf({ where: [only('colour', 'late')] })).toEqual([made[1]?.id]);
      expect(await idsOf()).toHaveLength(16);
    });

    test('several at once, beside creates, give each its own ids', async () => {
      const lists = Array.from({ length: 4 }, async () =>
        store.createAll(
          things,
          Array.from({ length: 50 }, () => given({})),
        ),
      );
      const singles = Array.from({ length: 50 }, async () => store.create(things, given({})));
      const made = [...(await Promise.all(lists)), await Promise.all(singles)].flat() as Entry[];
      expect(new Set(made.map(({ id }) => id)).size).toBe(250);
      expect(await idsOf()).toHaveLength(260);
    });
  });

  describe('removeAll', () => {
    test('removes those that are there and may be removed, and gives them as they were', async () => {
      const isRed = (text: string) => JSON.parse(text).colour === 'red';
      const texts = await Promise.all([4, 6].map(async (id) => store.read(things, id, [])));
      const removed = await store.removeAll(things, [4, 3, 99, 6, 4], [], isRed);
      expect(removed.map(({ id, text }) => [id, text])).toEqual([
        [4, texts[0]],
        [6, texts[1]],
      ]);
      expect(await idsOf()).toEqual([1, 2, 3, 5, 7, 8, 9, 10]);
      expect(await idsOf({ where: [only('colour', 'red')] })).toEqual([2, 8, 10]);
      expect(await store.removeAll(things, [1, 2], inBox(1))).toMatchObject([{ id: 1 }]);
    });

    test('of two at once each record is removed by one', async () => {
      const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
      const both = [ids, ids.toReversed()].map(async (order) => store.removeAll(things, order, []));
      expect((await Promise.all(both)).flat()).toHaveLength(10);
      expect(await idsOf()).toEqual([]);
    });
  });

  describe('fill', () => {
    test('seeds what was never used, and leaves the rest', async () => {
      await store.remove(things, 3, []);
      await store.fill([things, others]);
      await store.fill([things, others]);
      expect(await idsOf()).toHaveLength(9);
      expect(await idsOf({}, others)).toEqual([1, 2, 3]);
    });
  });

  describe('ids and values of every form', () => {
    const long = 'x'.repeat(5000);
    const forms: Scalar[] = [
      '',
      '1',
      1,
      1.5,
      2n ** 63n - 1n,
      -(2n ** 63n),
      'Zoë',
      'a\0b',
      'a\0c',
      long,
      `${long}y`,
    ];
    const halves = ['\ud83d', '\udc3e', '\ufffd'];

    test('each value is found by itself alone', async () => {
      const colours = [...forms, ...halves, true, false, null, 'true', 'null'];
      for (const colour of colours) await store.create(others, given({ colour }));
      for (const [index, colour] of colours.entries())
        expect(await idsOf({ where: [only('colour', colour)] }, others)).toEqual([4 + index]);
    });

    test('each id is that of one record', async () => {
      const ids = [...forms.filter((form) => form !== 1), ...halves] as Id[];
      for (const id of ids) {
        expect(await store.create(others, given({ tags: [] }, id))).toMatchObject({ id });
        expect(await store.create(others, given({}, id))).toBe('taken');
      }
      const texts = await Promise.all(ids.map(async (id) => store.read(others, id, [])));
      expect(new Set(texts).size).toBe(ids.length);
      const { entries } = await store.contents(others);
      expect(entries.slice(3).map(({ id }) => id)).toEqual(ids);
    });

    test('a long text comes back as it was', async () => {
      const name = `\0"\\\u2028 ${'🐾é'.repeat(200_000)}`;
      const entry = (await store.create(others, given({ name }))) as Entry;
      expect(JSON.parse((await store.read(others, entry.id, [])) ?? '')).toMatchObject({ name });
    });
  });

  test('reset brings the seeds back, and the count of ids with them', async () => {
    const seeds = await store.list(things, all);
    await store.create(things, given({}));
    await store.remove(things, 1, []);
    await store.reset();
    expect(await store.list(things, all)).toEqual(seeds);
    expect(await store.create(things, given({}))).toMatchObject({ id: 11 });
  });

  stateCases(open);
}
