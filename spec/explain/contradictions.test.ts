import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../contract.ts';

const list = { type: 'array', items: { $ref: '#/components/schemas/Book' } };
const answer = { description: 'ok', content: { 'application/json': { schema: list } } };

async function warned(operation: object, { item = {}, record = {} } = {}): Promise<string[]> {
  const parameters = ['genre', 'filter[genre]', 'q'].map((name) => ({
    ...{ name, in: 'query', schema: { type: 'string' } },
  }));
  const properties = { id: { type: 'integer' }, genre: { type: 'string' }, 'a.b': { type: 'string' } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Books', version: '1.0.0' },
    paths: {
      '/books': {
        ...(Object.keys(item).length > 0 && { 'x-paddock': item }),
        get: { parameters, responses: { 200: answer }, 'x-paddock': operation },
        delete: { responses: { 204: { description: 'gone' } } },
      },
    },
    components: { schemas: { Book: { type: 'object', properties, 'x-paddock': record } } },
  };
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const { warnings } = await loadContract(file);
  return warnings.map(({ message }) => message).filter((one) => one.startsWith('x-paddock'));
}

const UNUSED = 'is said; nothing is done with it here:';

test.each([
  [{ list: '/bookz' }, '"/bookz" is no collection of the document; did you mean "/books"?'],
  [{ page: { count: 'total' } }, 'the response has no member "count"; it has id, genre, a.b'],
  [{ where: { genre: '{shelf}' } }, '"shelf" is no path parameter of it; there is none'],
  [{ where: { genre: '$acount' } }, '"$acount" is no word; did you mean "$account"?'],
  [{ refuses: { gone: 'parent' } }, `"gone" is no status; write one such as '422'`],
  [{ idempotencyKey: 'X-Key' }, '"x-key" is no header of its requests; there is none'],
  [{ changes: ['gender'] }, 'the record has no member "gender"; did you mean "genre"?'],
  [{ singleton: true }, '"singleton" shows one record, and the response is a list; say "list" or "view"'],
  [
    { login: true },
    '"login" is no role of a GET, which may be list, view, read, action, singleton, values, refresh, logout, current, none',
  ],
  [
    { where: { genre: '< {shelf}' } },
    '"< {shelf}" is taken as a text; a parameter stands alone, and query parameters alone can be bounds',
  ],
  [
    { query: { 'filter[a]': 'genre' } },
    '"filter" is no query parameter of it; there are genre, filter[genre], q',
  ],
  [
    { where: { shelf: 1 } },
    'the record has no member "shelf"; it has id, genre, a.b. Where records have it all the same, add it to the actions of an overlay: { target: "$.components.schemas.Book", update: { properties: { shelf: { type: string } } } }',
  ],
  [{ sets: { genre: 'x' } }, `"sets" ${UNUSED} this is list, and it counts for action`],
  [
    { refuses: { 401: 'credentials' } },
    `"credentials" ${UNUSED} this is list, and it counts for login, grant, refresh, current`,
  ],
  [
    { may: { everybody: false } },
    `"everybody" ${UNUSED} the document has no security for it that can be checked`,
  ],
  [
    { query: { genre: '$search', q: '$search' } },
    `"$search" ${UNUSED} it counts once, and is said of q, too`,
  ],
  [
    { members: { genre: { first: 'x' } } },
    `"members" ${UNUSED} it counts at the schema of the records, $.components.schemas.Book`,
  ],
  [
    { none: true, parents: {} },
    `"parents" ${UNUSED} it counts at what lists, makes, shows, changes or removes these records, or at their schema`,
  ],
  [{ values: '/books' }, 'it lists the values of a member; say which: in: { values: MEMBER }'],
])('names what %j says and the document does not have', async (operation, message) => {
  expect(await warned(operation)).toEqual([`x-paddock: ${message}`]);
});

test('what the document has is no contradiction: a name with dots, and of a path what one of its operations has', async () => {
  const record = { members: { 'a.b': { holds: 'state' } } };
  const item = { query: { genre: 'genre', 'filter[genre]': 'genre' } };
  expect(await warned({ where: { genre: '$account' } }, { item, record })).toEqual([]);
  expect(await warned({ where: { $maker: '$account' } })).toEqual([]);
  expect(await warned({}, { item: { query: { gene: 'genre' } } })).toEqual([
    'x-paddock: "gene" is no query parameter of it; did you mean "genre"?',
  ]);
});

test('refuses to show records that do not say to which one they belong', async () => {
  expect(await warned({}, { record: { members: { genre: { shows: '/books' } } } })).toEqual([
    'x-paddock: nothing says which record of /books one of /books belongs to; say it there: members: { MEMBER: { names: /books } }',
  ]);
});

test('refuses that records keep one which names none, and names a path parameter that is none', async () => {
  expect(await warned({}, { record: { keptBy: ['/books'], parents: { shelf: { owned: true } } } })).toEqual([
    'x-paddock: "shelf" is no path parameter of its collection; there is none',
    'x-paddock: nothing says which record of /books one of /books belongs to; say it there: members: { MEMBER: { names: /books } }',
  ]);
});

test('the examples of the guide say nothing that is odd', async () => {
  const [text, number] = [{ type: 'string' }, { type: 'number' }];
  const schemas = {
    Book: { type: 'object', properties: { id: text, title: text, hidden: { type: 'boolean' } } },
    Order: {
      type: 'object',
      properties: { id: text, buyer: text, state: text, reason: text, total: number },
    },
  };
  const of = (schema: object) => ({ content: { 'application/json': { schema } } });
  const ok = (schema: object) => ({ responses: { 200: { description: 'ok', ...of(schema) } } });
  const [book, order] = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const object = (properties: object) => ({ type: 'object', properties });
  const secret = object({ name: text, password: text });
  const paths = {
    '/books': { get: ok({}), post: { requestBody: of(book ?? {}), ...ok(book ?? {}) } },
    '/shop/books': { get: ok({ type: 'array', items: book }) },
    '/shop/books/{bookId}': { get: ok(book ?? {}) },
    '/orders': {
      get: ok({ type: 'array', items: order }),
      post: { requestBody: of(object({ order })), ...ok(order ?? {}) },
    },
    '/orders/{orderId}': { get: ok(order ?? {}) },
    '/orders/{orderId}/cancel': { post: { requestBody: of(object({ reason: text })), ...ok(order ?? {}) } },
    '/login': { post: { requestBody: of(secret), ...ok(object({ token: text })) } },
    '/gate': {
      post: {
        requestBody: of(object({ user: text, pin: text })),
        ...ok(object({ session: object({ key: text }) })),
      },
    },
    '/dashboard': { get: ok(object({ open: number, revenue: number })) },
  };
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const [document, overlay] = [join(folder, 'openapi.json'), join(folder, 'overlay.yaml')];
  const info = { title: 'Shop', version: '1.0.0' };
  await writeFile(document, JSON.stringify({ openapi: '3.1.0', info, paths, components: { schemas } }));
  const guide = await readFile(new URL('../../docs/meaning.md', import.meta.url), 'utf8');
  const [, actions] = /### Examples by task\n+```yaml\n(.*?)```/s.exec(guide) ?? [];
  await writeFile(overlay, `overlay: 1.0.0\ninfo: { title: Shop, version: 1.0.0 }\nactions:\n${actions}`);
  const { warnings, resources } = await loadContract(document, {
    overlays: [overlay],
    presumeResponses: true,
  });
  const added = warnings.filter(({ uri, message }) => uri === overlay || message.startsWith('x-paddock'));
  expect(added.map(({ message }) => message)).toEqual([]);
  expect(resources.map(({ path }) => path).toSorted()).toEqual(['/books', '/orders']);
});
