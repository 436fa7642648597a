import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../contract.ts';

const list = { type: 'array', items: { $ref: '#/components/schemas/Book' } };
const answer = { description: 'ok', content: { 'application/json': { schema: list } } };

async function warned(operation: object, { item = {}, record = {} } = {}): Promise<string[]> {
  const parameters = [{ name: 'genre', in: 'query', schema: { type: 'string' } }];
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

test.each([
  [{ list: '/bookz' }, '"/bookz" is no collection of the document; did you mean "/books"?'],
  [{ page: { count: 'total' } }, 'the response has no member "count"; it has id, genre, a.b'],
  [{ where: { genre: '{shelf}' } }, '"shelf" is no path parameter of it; there is none'],
  [{ where: { genre: '$acount' } }, '"$acount" is no word; did you mean "$account"?'],
  [{ refuses: { gone: 'parent' } }, `"gone" is no status; write one such as '422'`],
  [{ idempotencyKey: 'X-Key' }, '"x-key" is no header of its requests; there is none'],
  [{ changes: ['gender'] }, 'the record has no member "gender"; did you mean "genre"?'],
  [{ results: 'all' }, 'the response has no member "all"; it has id, genre, a.b'],
  [{ singleton: true }, '"singleton" shows one record, and the response is a list; say "list" or "view"'],
  [
    { login: true },
    '"login" is no role of a GET, which may be list, view, read, action, singleton, values, refresh, logout, current, none',
  ],
  [{ values: '/books' }, 'it lists the values of a member; say which: in: { values: MEMBER }'],
])('names what %j says and the document does not have', async (operation, message) => {
  expect(await warned(operation)).toEqual([`x-paddock: ${message}`]);
});

test('what the document has is no contradiction: a name with dots, and of a path what one of its operations has', async () => {
  const record = { members: { 'a.b': { holds: 'state' } } };
  const item = { query: { genre: 'genre' } };
  expect(await warned({ where: { genre: '$account' } }, { item, record })).toEqual([]);
  expect(await warned({}, { item: { query: { gene: 'genre' } } })).toEqual([
    'x-paddock: "gene" is no query parameter of it; did you mean "genre"?',
  ]);
});

test('refuses that records keep one which names none, and names a path parameter that is none', async () => {
  expect(await warned({}, { record: { keptBy: ['/books'], parents: { shelf: { owned: true } } } })).toEqual([
    'x-paddock: "shelf" is no path parameter of its collection; there is none',
    'x-paddock: nothing says which record of /books one of /books belongs to; say it there: members: { MEMBER: { names: /books } }',
  ]);
});
