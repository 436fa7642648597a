import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const object = (properties: object) => ({ type: 'object', properties });
const many = (items: object) => ({ type: 'array', items });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object) => ({ responses: { 200: { description: 'Done', ...json(schema) } } });
const takes = (properties: object) => ({ requestBody: json(object(properties)) });
const id = [{ name: 'id', in: 'path', required: true, schema: number }];

const RACK = object({ id: number, room: text, height: number });
const BOOK = object({
  id: number,
  title: text,
  rack: object({ id: number, room: text }),
  tags: many(object({ id: number, word: text })),
});
const SENT = {
  title: text,
  rack_id: number,
  tagIds: many(number),
};
const collection = (path: string, shape: object, sent: object) => ({
  [path]: { get: answers(many(shape)), post: { ...takes(sent), ...answers(shape) } },
  [`${path}/{id}`]: {
    parameters: id,
    get: answers(shape),
    patch: { ...takes(sent), ...answers(shape) },
  },
});
const PATHS = {
  ...collection('/racks', RACK, { room: text, height: number }),
  ...collection('/tags', object({ id: number, word: text }), { word: text }),
  ...collection('/books', BOOK, SENT),
};

test('what a request names by its id is shown as the record that has it', async () => {
  const mock = await serveText(documentOf(PATHS), { count: 1 });
  const { body: rack } = await ask(mock, 'POST /racks', { room: 'attic', height: 3 });
  const { body: tag } = await ask(mock, 'POST /tags', { word: 'old' });
  const sent = { title: 'A', rack_id: rack.id, tagIds: [tag.id, 99] };
  const { body: book } = await ask(mock, 'POST /books', sent);
  const shown = {
    id: book.id,
    title: 'A',
    rack: { id: rack.id, room: 'attic' },
    tags: [tag, { id: 99 }],
  };
  expect(book).toEqual(shown);
  await ask(mock, `PATCH /racks/${rack.id}`, { room: 'cellar' });
  expect((await ask(mock, `GET /books/${book.id}`)).body.rack.room).toBe('cellar');
  expect((await ask(mock, `PATCH /books/${book.id}`, { rack_id: 1 })).body.rack.id).toBe(1);
  expect((await ask(mock, 'GET /books')).body[1]).toMatchObject({ title: 'A', rack: { id: 1 } });
});

test('a list is filtered by the id of what its records show', async () => {
  const get = {
    parameters: [
      { name: 'rackId', in: 'query', schema: number },
      { name: 'tag_id', in: 'query', schema: many(number) },
    ],
    ...answers(many(BOOK)),
  };
  const mock = await serveText(documentOf({ ...PATHS, '/books': { ...PATHS['/books'], get } }), { count: 2 });
  const { body: book } = await ask(mock, 'POST /books', { title: 'A', rack_id: 77, tagIds: [8, 9] });
  expect((await ask(mock, 'GET /books?rackId=77')).body).toEqual([book]);
  expect((await ask(mock, 'GET /books?tag_id=9')).body).toEqual([book]);
  expect((await ask(mock, 'GET /books?rackId=77&tag_id=1')).body).toEqual([]);
});

const ROOM = object({ id: number, label: text });

test('what only some are made below selects none', async () => {
  const ids = ['id', 'roomId'].map((name) => ({ name, in: 'path', required: true, schema: number }));
  const tome = { $ref: '#/components/schemas/Tome' };
  const post = { ...takes({ title: text }), ...answers(tome) };
  const paths = {
    ...collection('/racks', RACK, { room: text }),
    '/racks/{id}/rooms': { parameters: id, get: answers(many(ROOM)) },
    '/racks/{id}/rooms/{roomId}': { parameters: ids, get: answers(ROOM) },
    '/tomes/{id}': { parameters: id, get: answers(tome) },
    '/racks/{id}/tomes': { parameters: id, post },
    '/racks/{id}/rooms/{roomId}/tomes': { parameters: ids, get: answers(many(tome)) },
    '/racks/{id}/rooms/{roomId}/boxes/{box}/tomes': {
      parameters: [...ids, { name: 'box', in: 'path', required: true, schema: number }],
      post,
    },
  };
  const components = { schemas: { Tome: object({ id: number, rack_id: number, title: text }) } };
  const mock = await serveText(documentOf(paths, { components }), { count: 3 });
  const { body: here } = await ask(mock, 'POST /racks/1/tomes', { title: 'A' });
  const { body: there } = await ask(mock, 'POST /racks/2/tomes', { title: 'B' });
  const { body: found } = await ask(mock, 'GET /racks/1/rooms/1/tomes');
  expect(found).toContainEqual(here);
  expect(found).not.toContainEqual(there);
});

test('a response shows it under a name of its own as well', async () => {
  const made = object({ id: number, title: text, rackId: number });
  const post = { ...takes(SENT), ...answers(made) };
  const paths = { ...PATHS, '/books': { ...PATHS['/books'], post } };
  const mock = await serveText(documentOf(paths));
  const { body } = await ask(mock, 'POST /books', { title: 'A', rack_id: 3 });
  expect(body).toMatchObject({ rackId: 3 });
  expect((await ask(mock, `GET /books/${body.id}`)).body).toMatchObject({ rack: { id: 3 } });
});

test('seeded records show such as are there, and a path finds those that show one', async () => {
  const said = { 'x-paddock': { path: { rack: 'rack.id' } } };
  const parameters = [{ name: 'rack', in: 'path', required: true, schema: number }];
  const paths = {
    ...PATHS,
    '/books/by-rack/{rack}': { parameters, get: { ...answers(many(BOOK)), ...said } },
  };
  const components = { schemas: { Book: BOOK } };
  const ofBook = (path: object) => JSON.parse(JSON.stringify(path).replaceAll(JSON.stringify(BOOK), REF));
  const mock = await serveText(documentOf(ofBook(paths), { components }), { count: 20 });
  const { body: books } = await ask(mock, 'GET /books');
  const found = books.filter(({ rack }: { rack?: { id: number } }) => rack?.id === books[0].rack.id);
  expect((await ask(mock, `GET /racks/${books[0].rack.id}`)).body).toMatchObject(books[0].rack);
  expect((await ask(mock, `GET /books/by-rack/${books[0].rack.id}`)).body).toEqual(found);
});

const REF = JSON.stringify({ $ref: '#/components/schemas/Book' });

test('a parameter that is called after a record shown selects by what that is called', async () => {
  const person = { type: 'object', required: ['username'], properties: { username: text, bio: text } };
  const story = {
    type: 'object',
    required: ['id', 'author'],
    properties: { id: number, author: person, likedBy: many(person) },
  };
  const parameters = ['author', 'likedBy'].map((name) => ({ name, in: 'query', schema: text }));
  const stories = {
    get: { parameters, ...answers(many(story)) },
    post: { requestBody: json(story), ...answers(story) },
  };
  const mock = await serveText(documentOf({ '/stories': stories }), { count: 3 });
  const ann = { username: 'ann', bio: 'ben' };
  const { body: made } = await ask(mock, 'POST /stories', {
    id: 9,
    author: ann,
    likedBy: [{ username: 'ben' }],
  });
  expect((await ask(mock, 'GET /stories?author=ann')).body).toEqual([made]);
  expect((await ask(mock, 'GET /stories?author=ben')).body).toEqual([]);
  expect((await ask(mock, 'GET /stories?likedBy=ben')).body).toEqual([made]);
});

test('an id beside an object is that of the object, which is shown as the record that has it', async () => {
  const shelf = { ...object({ id: number, title: text }), required: ['id', 'title'] };
  const loan = { ...object({ id: number, shelf_id: number, shelf }), required: ['id', 'shelf_id', 'shelf'] };
  const paths = {
    ...collection('/shelves', shelf, { title: text }),
    ...collection('/loans', loan, { shelf_id: number }),
  };
  const mock = await serveText(documentOf(paths), { count: 3 });
  const { body: loans } = await ask(mock, 'GET /loans');
  expect(loans).toHaveLength(3);
  for (const one of loans) expect(one.shelf.id).toBe(one.shelf_id);
  const { body: made } = await ask(mock, 'POST /shelves', { title: 'Top' });
  const { body: lent } = await ask(mock, 'POST /loans', { shelf_id: made.id });
  expect(lent).toMatchObject({ shelf_id: made.id, shelf: made });
});

const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const PERSON = object({ id: number, first_name: text, last_name: text });
const LOAN = object({
  id: number,
  book_id: number,
  book: orNull(object({ id: number, title: text })),
  book_title: text,
  person_id: orNull(number),
  person_name: text,
});
const WARD = object({ id: number, name: text, parent_id: orNull(number) });
const LENDING = {
  ...collection('/books', object({ id: number, title: text }), { title: text }),
  ...collection('/people', PERSON, { first_name: text, last_name: text }),
  ...collection('/loans', LOAN, { book_id: number, person_id: number }),
  ...collection('/wards', WARD, { name: text, parent_id: number }),
  '/overview': { get: answers(object({ latest: many(LOAN) })) },
};

test('an object that may be null, its id and copies of its members are one record, also in samples', async () => {
  const mock = await serveText(documentOf(LENDING), { count: 9 });
  const { body: books } = await ask(mock, 'GET /books');
  const { body: people } = await ask(mock, 'GET /people');
  const { body: loans } = await ask(mock, 'GET /loans');
  const { body: overview } = await ask(mock, 'GET /overview');
  const { body: made } = await ask(mock, 'POST /loans', { book_id: 2, person_id: 3 });
  for (const loan of [...loans, ...overview.latest, made]) {
    const book = books.find((one: { id: number }) => one.id === loan.book_id);
    const person = people.find((one: { id: number }) => one.id === loan.person_id);
    if (loan.book) expect(loan.book).toEqual(book);
    if (loan.book_title && book) expect(loan.book_title).toBe(book.title);
    if (loan.person_name && person) expect(loan.person_name).toBe(`${person.first_name} ${person.last_name}`);
  }
  expect(loans.filter((one: { book: object }) => one.book).length).toBeGreaterThan(2);
});

test('the first records of a tree have no parent, and others one that is there before them', async () => {
  const mock = await serveText(documentOf(LENDING), { count: 9 });
  const { body: wards } = await ask(mock, 'GET /wards');
  const parents = wards.flatMap((one: { id: number; parent_id?: number }) =>
    typeof one.parent_id === 'number' ? [[one.id, one.parent_id]] : [],
  );
  expect(parents.length).toBeGreaterThan(2);
  expect(parents.every(([id, parent]: [number, number]) => parent >= 1 && parent < id)).toBe(true);
  expect(wards[0].parent_id ?? null).toBe(null);
});
