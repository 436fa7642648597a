import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMock as createBrowserMock } from '../browser/index.ts';
import type { Parts } from '../engine/parts.ts';
import { openMemoryStore } from '../store/memory.ts';
import { ask, documentOf, serve, serveText } from '../testing/serve.ts';

const MEANING = 'http://localhost/__admin/meaning';

const text = { type: 'string' };
const shelf = { type: 'object', required: ['id', 'tag'], properties: { id: { type: 'integer' }, tag: text } };
const response = (schema: object) => ({ description: 'Done', content: { 'application/json': { schema } } });

/** Nothing in this document tells what `find` does. */
const DOCUMENT = documentOf(
  {
    '/shelves': {
      get: {
        operationId: 'listShelves',
        parameters: [{ name: 'find', in: 'query', schema: text }],
        responses: { 200: response({ type: 'array', items: { $ref: '#/components/schemas/Shelf' } }) },
      },
      post: {
        operationId: 'addShelf',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Shelf' } } } },
        responses: { 201: response({ $ref: '#/components/schemas/Shelf' }) },
      },
    },
  },
  { components: { schemas: { Shelf: shelf } } },
);

const OVERLAY = `# mine
overlay: 1.0.0
info: { title: Meaning, version: '1' }
actions:
  - target: $.info
    update: { title: Shelves } # a better name
`;

async function withOverlay(options: Parameters<typeof serve>[1] = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'meaning-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [document, file] = [join(folder, 'openapi.json'), join(folder, 'mine.yaml')];
  await writeFile(document, JSON.stringify(DOCUMENT));
  await writeFile(file, OVERLAY);
  const mock = await serve(document, { overlays: [file], ...options });
  const found = async () => (await ask(mock, 'GET /shelves?find=left')).body as { tag: string }[];
  const say = (body: object) => ask(mock, `PATCH ${MEANING}`, body);
  return { mock, file, found, say, saved: () => readFile(file, 'utf8') };
}

test('facts are shown with their bases, and what is said takes effect at once and is written to the overlay', async () => {
  const { mock, file, found, say, saved } = await withOverlay();
  await ask(mock, 'POST /shelves', { id: 700, tag: 'left' });
  expect(await found()).toHaveLength(51);
  const { body } = await ask(mock, `GET ${MEANING}?operation=listShelves`);
  expect(body).toMatchObject({
    file,
    parts: [
      {
        kind: 'operation',
        name: 'GET /shelves',
        facts: [
          { path: ['does'], value: 'list', certainty: 'promised', signs: ['path', 'schema'] },
          { path: ['of'], value: '/shelves' },
        ],
        unknown: [['query', 'find']],
      },
      { kind: 'collection', name: '/shelves' },
    ],
    choices: { query: expect.arrayContaining(['tag', '>= id', '$search']), names: ['/shelves'] },
  });
  const changed = await say({ operation: 'listShelves', facts: { query: { find: 'tag' } } });
  expect(changed.body.parts[0].facts).toContainEqual({
    ...{ path: ['query', 'find'], value: 'tag', certainty: 'promised', signs: ['said'] },
    because: [expect.stringMatching(/mine\.yaml:\d+$/)],
  });
  // Records of clients stay.
  expect(await found()).toEqual([{ id: 700, tag: 'left' }]);
  const [{ facts }] = (await ask(mock, `GET ${MEANING}?operation=listShelves`)).body.parts;
  expect(facts).toContainEqual(expect.objectContaining({ path: ['query', 'find'], signs: ['said'] }));
  expect(await saved()).toBe(`${OVERLAY}  - target: $.paths['/shelves'].get
    update:
      x-paddock:
        query:
          find: tag
`);
  await say({ operation: 'GET /shelves', facts: { query: { find: null } } });
  expect([await saved(), (await found()).length]).toEqual([OVERLAY, 51]);
  await say({ collection: '/shelves', facts: { id: 'tag' } });
  expect(mock.contract.resources[0]?.id?.property).toBe('tag');
});

test('what cannot be said is refused with what is wrong, and nothing is written', async () => {
  const { say, saved } = await withOverlay({ watch: true });
  const refused = async (body: object) => {
    const { status, body: answer } = await say(body);
    return [status, answer.message];
  };
  const operation = 'listShelves';
  expect(await refused({ operation, facts: { query: { find: 'tug' } } })).toEqual([
    400,
    'Nothing is written: x-paddock: the record has no member "tug"; did you mean "tag"?',
  ]);
  expect(await refused({ operation, facts: { qery: { find: 'tag' } } })).toEqual([
    400,
    expect.stringContaining('"query"'),
  ]);
  expect(await refused({ operation, facts: { list: true, login: true } })).toEqual([
    400,
    expect.stringContaining('says two things at once'),
  ]);
  expect(await refused({ target: '$.paths.*.put', facts: { none: true } })).toEqual([
    400,
    expect.stringContaining('matches nothing'),
  ]);
  expect(await refused({ operation: 'nobody', facts: { none: true } })).toEqual([404, expect.any(String)]);
  expect(await refused({ collection: '/nothing', facts: { id: 'a' } })).toEqual([404, expect.any(String)]);
  for (const body of [
    {},
    { operation },
    { operation, facts: {} },
    { operation, target: '$', facts: { a: 1 } },
  ])
    expect(await refused(body)).toEqual([400, expect.any(String)]);
  expect(await saved()).toBe(OVERLAY);
});

test('choices at the same time are all written, and a file that cannot be written is reported', async () => {
  const { mock, file, say, saved } = await withOverlay();
  const facts = [{ query: { find: 'tag' } }, { conditional: ['tag'] }, { list: '/shelves' }];
  const all = await Promise.all(facts.map((one) => say({ operation: 'listShelves', facts: one })));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await saved()).toMatch(/find: tag[\s\S]*conditional:[\s\S]*list: \/shelves/);
  await rm(file);
  const { status, body } = await say({ operation: 'listShelves', facts: { query: { find: 'id' } } });
  expect([status, body.message]).toEqual([409, `Nothing is written to ${file}: ENOENT`]);
  expect((await ask(mock, 'GET /shelves?find=left')).status).toBe(200);
});

test('without a local overlay the lines are there to be copied, in a browser, too', async () => {
  const mocks = [await serveText(DOCUMENT), await createBrowserMock({ document: DOCUMENT })];
  for (const mock of mocks) {
    expect((await ask(mock, `GET ${MEANING}`)).body.file).toBe(null);
    const body = { operation: 'listShelves', facts: { query: { find: 'tag' } } };
    const refused = await ask(mock, `PATCH ${MEANING}`, body);
    expect(refused.status).toBe(409);
    expect(refused.body.details).toEqual([
      {
        where: 'actions',
        message: `  - { target: "$.paths['/shelves'].get", update: { x-paddock: { query: { find: tag } } } }`,
      },
    ]);
  }
});

test('of several documents each has its own facts, and the token is asked for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meaning-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'a.json');
  await writeFile(file, JSON.stringify(DOCUMENT));
  const documents = [file, { document: file, at: '/other' }];
  const mock = await serve(undefined, { documents, adminToken: 'secret-of-mine' });
  expect((await ask(mock, `PATCH ${MEANING}`, { operation: 'x', facts: { a: 1 } })).status).toBe(401);
  const { body } = await ask(mock, `GET ${MEANING}`, undefined, { authorization: 'Bearer secret-of-mine' });
  const lists = body.parts.filter(({ name }: { name: string }) => name === 'GET /shelves');
  expect(lists.map(({ document }: { document: string }) => document)).toEqual(['a', 'other']);
});

test('seeds are made for what clients have changed alone, however many collections there are', async () => {
  const seeded: string[] = [];
  const counting: Parts['store'] = (collections) =>
    openMemoryStore(
      collections.map((one) => ({
        ...one,
        seeds() {
          seeded.push(one.name);
          return one.seeds();
        },
      })),
    );
  const { found, say } = await withOverlay({ parts: { store: counting } });
  await say({ operation: 'listShelves', facts: { query: { find: 'tag' } } });
  expect(seeded).not.toContain('/shelves');
  await found();
  expect(seeded).toContain('/shelves');
});
