import { expect, expectTypeOf, test } from 'vitest';
import { createMock, type Mock } from '../../index.ts';
import { ask, fixture, SHIPPED, serve } from '../../testing/serve.ts';

test('the records of a collection, as clients have made them', async () => {
  const mock = await serve(SHIPPED, { count: 2 });
  await ask(mock, 'POST /pets', { name: 'Rex', categoryId: 9_007_199_254_740_993n });
  const records = await mock.records('/pets');
  expect(records).toHaveLength(3);
  expect(records[2]).toEqual({ id: 3, name: 'Rex', categoryId: 9_007_199_254_740_993n });
  expect(await mock.session('other').records('/pets')).toHaveLength(2);
});

test('of a nested collection those of one parent, or of all', async () => {
  const mock = await serve(fixture('libraries.yaml'), { apiKeys: 'any' });
  const { records } = await mock.state();
  const nested = Object.keys(records).filter((path) => /^\/[^/]+\/[^/]+\/[^/]+$/.test(path));
  const [path = ''] = nested;
  expect(await mock.records(path)).toEqual(records[path]);
  const template = mock.contract.resources.find((resource) => resource.parents.length === 1)?.path ?? '';
  const own = nested.filter((one) => one.split('/')[3] === template.split('/')[3]);
  expect(await mock.records(template)).toHaveLength(own.flatMap((one) => records[one] ?? []).length);
});

test('a path without a collection is named, and those that there are', async () => {
  const mock = await serve(SHIPPED);
  const message = 'the document has no collection at "/toys"; there are /pets';
  await expect(mock.records('/toys')).rejects.toThrow(new RangeError(message));
});

interface Response<T> {
  responses: { 200: { headers: object; content: { 'application/json': T } } };
}
interface Shelf {
  id: number;
}
interface Book {
  title: string;
}

/** In the form that openapi-typescript generates. */
interface Paths {
  '/shelves': { get: Response<{ data: Shelf[] }>; post: Response<Shelf> };
  '/shelves/{shelfId}': { get: Response<Shelf> };
  '/shelves/{shelfId}/books/{bookId}': { parameters: object; get: Response<Book>; put?: never };
  '/settings': { get: Response<{ dark: boolean }> };
}

test('the paths that openapi-typescript generates give the types of records', async () => {
  const typed = () => createMock<Paths>({ document: SHIPPED });
  type Typed = Awaited<ReturnType<typeof typed>>;
  type State = Awaited<ReturnType<Typed['state']>>;
  expectTypeOf<State['records']['/shelves'][number]>().toEqualTypeOf<Shelf>();
  expectTypeOf<State['records']['/shelves/3/books'][number]>().toEqualTypeOf<Book>();
  expectTypeOf<State['records']['/settings'][number]>().toEqualTypeOf<unknown>();
  type Session = ReturnType<Typed['session']>;
  const recordsOf = (mock: Session) => ({
    shelves: () => mock.records('/shelves'),
    books: () => mock.records('/shelves/3/books'),
    settings: () => mock.records('/settings'),
    restored: () => mock.restore({ records: { '/shelves': [{ id: 1 }] } }),
  });
  type Records = ReturnType<typeof recordsOf>;
  expectTypeOf<Awaited<ReturnType<Records['shelves']>>>().toEqualTypeOf<readonly Shelf[]>();
  expectTypeOf<Awaited<ReturnType<Records['books']>>>().toEqualTypeOf<readonly Book[]>();
  expectTypeOf<Awaited<ReturnType<Records['settings']>>>().toEqualTypeOf<readonly unknown[]>();
  const mock = await serve(SHIPPED);
  expectTypeOf(await mock.records('/pets')).toEqualTypeOf<readonly unknown[]>();
  // A function that accepts any mock accepts a typed one.
  expectTypeOf((one: Typed): Mock => one).returns.toEqualTypeOf<Mock>();
});
