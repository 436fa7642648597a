import { expect, onTestFinished, test } from 'vitest';
import { createMock as createBrowserMock } from '../browser/index.ts';
import { ask, documentOf, fixture, SHIPPED, serve, serveText } from '../testing/serve.ts';
import type { CodeContext, OperationsCode, SeedCode } from './code.ts';

const PET = { name: 'Ernesto', categoryId: 7, status: 'available' };
const mockOf = (operations: OperationsCode, others: object = {}) => serve(SHIPPED, { operations, ...others });

test('code gets the validated request, and what it returns is the body', async () => {
  const seen: unknown[] = [];
  const mock = await mockOf({
    listPets: ({ request, session, now, seed }) => {
      seen.push(request.query, session, now instanceof Date, seed);
      return [];
    },
  });
  const { status, body } = await ask(mock, 'GET /pets?limit=2');
  expect([status, body]).toEqual([200, []]);
  expect(seen).toEqual([expect.objectContaining({ limit: 2 }), { name: '' }, true, 1]);
  expect((await ask(mock, 'GET /pets?limit=0')).status).toBe(400);
  expect(seen).toHaveLength(4);
});

test('next is the ordinary answer, and may be changed', async () => {
  const mock = await mockOf({
    'GET /pets/{petId}': async ({ next }) => {
      const answer = await next();
      if (answer.status !== 200) return answer;
      return { ...answer, body: { ...(answer.body as object), name: 'Somebody' } };
    },
  });
  const plain = await serve(SHIPPED);
  const [own, ordinary] = [await ask(mock, 'GET /pets/1'), await ask(plain, 'GET /pets/1')];
  expect(own.body).toEqual({ ...ordinary.body, name: 'Somebody' });
  expect(await ask(mock, 'GET /pets/999999')).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('what code gives back unchanged, or not at all, is the same to the byte', async () => {
  const [plain, same, none] = [
    await serve(SHIPPED),
    await mockOf({ getPet: ({ next }) => next() }),
    await mockOf({ getPet: () => undefined }),
  ];
  for (const line of ['GET /pets/1', 'GET /pets/999999']) {
    const wanted = await ask(plain, line);
    for (const mock of [same, none]) {
      const got = await ask(mock, line);
      expect([got.status, got.text]).toEqual([wanted.status, wanted.text]);
      expect(got.headers.get('etag')).toBe(wanted.headers.get('etag'));
    }
  }
});

test('a create is done once, however often the ordinary answer is asked for', async () => {
  const mock = await mockOf({
    createPet: async ({ next }) => {
      await next();
      await next();
      return undefined;
    },
  });
  const before = (await mock.records('/pets')).length;
  expect((await ask(mock, 'POST /pets', PET)).status).toBe(201);
  expect(await mock.records('/pets')).toHaveLength(before + 1);
});

test('what breaks the document is sent, and shown', async () => {
  const mock = await mockOf({ getPet: () => ({ id: 'one' }) });
  const { status, headers, body } = await ask(mock, 'GET /pets/1');
  expect([status, body]).toEqual([200, { id: 'one' }]);
  expect(headers.get('x-paddock-violation')).toContain('body.id must be');
});

test('a status alone is the documented response of it, which speaks of no code', async () => {
  const mock = await mockOf({ getPet: () => ({ status: 404, headers: { 'X-Why': 'closed' } }) });
  const { status, headers, body } = await ask(mock, 'GET /pets/1');
  expect([status, body.code, headers.get('x-why')]).toEqual([404, 'not_found', 'closed']);
  const taken = await ask(await mockOf({ getPet: () => ({ status: 409 }) }), 'GET /pets/1');
  expect(taken).toMatchObject({ status: 409, body: { code: 'conflict', message: 'Conflict', status: 409 } });
  const schema = { type: 'object', properties: { message: { type: 'string' } } };
  const responses = {
    200: { description: 'Done' },
    409: { description: 'The name is taken.\n\nTry again.', content: { 'application/json': { schema } } },
  };
  const document = documentOf({ '/things': { get: { operationId: 'things', responses } } });
  let given = 409;
  const own = await serveText(document, { operations: { things: () => ({ status: given }) } });
  expect((await ask(own, 'GET /things')).body).toEqual({ message: 'The name is taken.' });
  // An undocumented status is answered as for a rule.
  given = 418;
  const coded = await ask(own, 'GET /things');
  own.addRule({ status: given });
  expect(coded).toMatchObject({ status: given, text: (await ask(own, 'GET /things')).text });
});

test('records are found, added, changed and removed, in the session of the request', async () => {
  const mock = await mockOf({
    listPets: async ({ records }) => {
      const added = (await records.add('/pets', PET)) as { id: number };
      const changed = await records.change('/pets', added.id, { name: 'Rex' });
      const found = await records.find('/pets', added.id);
      const none = await records.change('/pets', 999999, { name: 'Rex' });
      const removed = [await records.remove('/pets', 1), await records.remove('/pets', 1)];
      expect([found, none, removed]).toEqual([changed, undefined, [true, false]]);
      await expect(records.add('/pets', { name: 7 })).rejects.toThrow('name must be');
      await expect(records.add('/pets', { ...PET, id: added.id })).rejects.toThrow('another record');
      await expect(records.change('/pets', added.id, { status: 'lost' })).rejects.toThrow('status must be');
      await expect(records.list('/cats')).rejects.toThrow('no collection at "/cats"');
      return [found];
    },
  });
  const own = mock.session('own');
  const { body } = await ask(own as typeof mock, 'GET /pets');
  expect(body).toEqual([expect.objectContaining({ ...PET, name: 'Rex' })]);
  expect(await own.records('/pets')).toContainEqual(body[0]);
  expect(await mock.records('/pets')).not.toContainEqual(body[0]);
});

test('what belongs to a record that code removes goes with it, and what holds it is named', async () => {
  const outcomes: unknown[] = [];
  const mock = await serve(fixture('quarries.yaml'), {
    count: 3,
    operations: {
      'GET /quarries': async ({ records }: CodeContext) => {
        const [{ id }] = (await records.list('/quarries')) as [{ id: number }];
        const removed = records.remove('/quarries', id);
        outcomes.push(await removed.catch((error: Error) => error.message));
        for (const crew of (await records.list('/crews')) as { id: number; quarryId: number }[])
          if (crew.quarryId === id) await records.remove('/crews', crew.id);
        outcomes.push(id, await records.remove('/quarries', id), await records.remove('/quarries', id));
        return [];
      },
    },
  });
  const below = async (id: unknown) =>
    Object.keys((await mock.state()).records).filter((path) => path.startsWith(`/quarries/${id}/`));
  const before = await below(1);
  expect(before.length).toBeGreaterThan(0);
  await ask(mock, 'GET /quarries');
  expect(outcomes).toEqual([
    'there are records of /crews that belong to it: remove them first',
    1,
    true,
    false,
  ]);
  expect(await below(1)).toEqual([]);
});

test('code that throws is a 500, and its error is reported with its cause', async () => {
  const bugs: unknown[] = [];
  const operations = {
    getPet() {
      throw new TypeError('no such luck');
    },
    listPets: () => ({ status: 42 }),
  };
  const mock = await mockOf(operations, { onBug: (error: unknown) => bugs.push(error) });
  expect((await ask(mock, 'GET /pets/1')).status).toBe(500);
  expect((await ask(mock, 'GET /pets')).status).toBe(500);
  const [first, second] = bugs as Error[];
  expect([first?.name, first?.message]).toEqual([
    'CodeError',
    'the code for getPet failed at GET /v1/pets/1',
  ]);
  expect((first?.cause as Error | undefined)?.stack).toContain('code.test.ts');
  expect((second?.cause as Error | undefined)?.message).toContain('a status is from 200 to 599, not 42');
});

test('a name that the document does not have is an error at the start', async () => {
  await expect(mockOf({ listPet: () => [] })).rejects.toThrow(
    'the document has no operation "listPet": did you mean "listPets"?',
  );
  await expect(mockOf({ 'GET /pet/{petId}': () => [] })).rejects.toThrow('did you mean "GET /pets/{petId}"?');
});

test('a rule wins over code', async () => {
  const mock = await mockOf({ listPets: () => [] });
  mock.addRule({ operation: 'listPets', status: 503 });
  expect((await ask(mock, 'GET /pets')).status).toBe(503);
});

test('a seed in code gives records, which have to fit', async () => {
  const seed: SeedCode = ({ collection, records, faker }) =>
    collection === '/pets'
      ? records.slice(0, 2).map((pet) => ({ ...(pet as object), name: faker.animal.petName() }))
      : undefined;
  const [one, other] = [await serve(SHIPPED, { seed }), await serve(SHIPPED, { seed })];
  const pets = await one.records('/pets');
  expect(pets).toHaveLength(2);
  expect(await other.records('/pets')).toEqual(pets);
  await expect(serve(SHIPPED, { seed: () => [{ id: 1 }] })).rejects.toThrow('is required');
  await expect(
    serve(SHIPPED, {
      seed: () => {
        throw new Error('no');
      },
    }),
  ).rejects.toThrow('the seed of');
});

test('records below others are given by the path of their collection', async () => {
  const books = [{ title: 'Emma' }, { title: 'Persuasion' }];
  const mock = await serveText(LIBRARY, {
    seed: ({ collection, records }) => {
      if (collection === '/shelves') return [{ id: 3, name: 'Novels' }];
      expect(records.length).toBeGreaterThan(0);
      return { '/shelves/3/books': books };
    },
    operations: {
      listShelves: async ({ records }) => {
        const added = (await records.add('/shelves/3/books', { title: 'Lady Susan' })) as { id: number };
        await expect(records.add('/shelves/{shelf}/books', { title: 'No shelf' })).rejects.toThrow('parents');
        return [{ id: 3, name: String((await records.list('/shelves/3/books')).length + added.id) }];
      },
    },
  });
  expect(await mock.records('/shelves/3/books')).toMatchObject(books);
  expect((await ask(mock, 'GET /shelves')).body).toEqual([{ id: 3, name: '6' }]);
});

test('bodies that are no JSON, and headers, are sent as they are', async () => {
  const mock = await serveText(LIBRARY, {
    operations: {
      exportShelves: ({ request }) =>
        request.query.raw
          ? { headers: { 'Content-Type': 'application/zip' }, body: new Uint8Array([80, 75, 3, 4]) }
          : 'id,name\n',
      nameShelf: () => 'Novels',
      listShelves: () => ({ headers: { 'x-pages': 7, link: '</shelves?page=2>; rel="next"' } }),
    },
  });
  const csv = await ask(mock, 'GET /export');
  expect([csv.headers.get('content-type'), csv.text]).toEqual(['text/csv', 'id,name\n']);
  const zip = await ask(mock, 'GET /export?raw=true');
  expect([zip.text.slice(0, 2), zip.headers.get('x-paddock-violation')]).toEqual([
    'PK',
    expect.stringContaining('documents no application/zip'),
  ]);
  const name = await ask(mock, 'GET /name');
  expect([name.text, name.headers.get('x-paddock-violation')]).toEqual(['"Novels"', null]);
  const shelves = await ask(mock, 'GET /shelves');
  expect(shelves.body.length).toBeGreaterThan(0);
  expect([shelves.headers.get('x-pages'), shelves.headers.get('link')]).toEqual([
    '7',
    '</shelves?page=2>; rel="next"',
  ]);
});

test('in a browser it is the same', async () => {
  const mock = await createBrowserMock({ document: LIBRARY, operations: { listShelves: () => [] } });
  onTestFinished(() => mock.close());
  expect(await (await mock.fetch('/shelves')).json()).toEqual([]);
});

const json = (schema: object) => ({ description: 'Done', content: { 'application/json': { schema } } });
const listOf = (name: string) => ({
  type: 'array',
  items: {
    type: 'object',
    required: ['id', name],
    properties: { id: { type: 'integer', readOnly: true }, [name]: { type: 'string' } },
  },
});
const shelf = { name: 'shelf', in: 'path', required: true, schema: { type: 'integer' } };
const LIBRARY = documentOf({
  '/shelves': { get: { operationId: 'listShelves', responses: { 200: json(listOf('name')) } } },
  '/shelves/{shelf}': { get: { parameters: [shelf], responses: { 200: json(listOf('name').items) } } },
  '/shelves/{shelf}/books': {
    parameters: [shelf],
    get: { responses: { 200: json(listOf('title')) } },
    post: {
      requestBody: json(listOf('title').items),
      responses: { 201: json(listOf('title').items) },
    },
  },
  '/shelves/{shelf}/books/{book}': {
    get: {
      parameters: [shelf, { ...shelf, name: 'book' }],
      responses: { 200: json(listOf('title').items) },
    },
  },
  '/export': {
    get: {
      operationId: 'exportShelves',
      parameters: [{ name: 'raw', in: 'query', schema: { type: 'boolean' } }],
      responses: { 200: { description: 'All', content: { 'text/csv': { schema: { type: 'string' } } } } },
    },
  },
  '/name': { get: { operationId: 'nameShelf', responses: { 200: json({ type: 'string' }) } } },
});
