import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { UsedOperation } from '#consumer';
import { readContract } from '#spec';
import { changesOf } from './changes/changes-of.ts';
import { compileTouches } from './consumers.ts';
import { compat } from './index.ts';
import { addressOf, pairOperations } from './pair.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const book = () => ({
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    shelf: { type: 'string', enum: ['a', 'b'] } as object,
    owner: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  } as Record<string, object>,
});

const kinds = (...names: string[]): object => ({
  type: 'array',
  items: { type: 'string', enum: names },
});

/** The same document each time, for an edit to change. */
function document() {
  return {
    openapi: '3.1.0',
    info: { title: 'Books', version: '1.0.0' },
    paths: {
      '/books': {
        get: {
          operationId: 'listBooks',
          parameters: [
            {
              name: 'limit',
              in: 'query',
              required: false,
              schema: { type: 'integer', maximum: 100 } as object,
            },
            { name: 'kinds', in: 'query', required: false, schema: kinds('c', 'd') },
          ],
          responses: {
            200: {
              description: '',
              headers: { ETag: { required: true, schema: { type: 'string' } } } as Record<string, object>,
              ...json({ type: 'array', items: book() }),
            },
          },
        },
        post: {
          operationId: 'addBook',
          requestBody: { required: false, ...json(book()) },
          responses: { 201: { description: '', ...json(book()) } },
        },
      } as Record<string, unknown>,
    },
  };
}

type Document = ReturnType<typeof document>;
type Edit = (next: Document) => void;

type Operation = {
  parameters: { required: boolean; schema: object }[];
  requestBody: { required: boolean; content: Record<string, { schema: ReturnType<typeof book> }> };
  responses: Record<
    number,
    {
      headers: Record<string, object>;
      content: Record<string, { schema: ReturnType<typeof book> & { items: ReturnType<typeof book> } }>;
    }
  >;
};
const get = ({ paths }: Document) => paths['/books'].get as Operation;
const post = ({ paths }: Document) => paths['/books'].post as Operation;
const sent = (next: Document) =>
  post(next).requestBody.content['application/json']?.schema as ReturnType<typeof book>;
const listed = (next: Document) =>
  get(next).responses[200]?.content['application/json']?.schema.items as ReturnType<typeof book>;

const tighter: Edit = (next) => Object.assign(get(next).parameters[0]?.schema ?? {}, { maximum: 50 });
const fewerKinds: Edit = (next) => Object.assign(get(next).parameters[1] ?? {}, { schema: kinds('c') });
const fewerShelves: Edit = (next) => Object.assign(sent(next).properties.shelf ?? {}, { enum: ['a'] });
const withoutOwnerName: Edit = (next) =>
  delete (listed(next).properties.owner as { required?: object }).required;
const gone: Edit = (next) => delete next.paths['/books'].post;

async function touchesOf(edit: Edit, used: Readonly<Record<string, UsedOperation>>) {
  const next = document();
  edit(next);
  const contracts = {
    old: await readContract(document(), 'old.yaml'),
    new: await readContract(next, 'new.yaml'),
  };
  const address = addressOf(contracts.old, contracts.new);
  const pairs = pairOperations(contracts.old, contracts.new, address);
  const operations = new Map(
    contracts.old.operations.flatMap((one) => {
      const own = used[`${one.method} ${one.path}`];
      return own ? [[one, own] as const] : [];
    }),
  );
  const { ofChange } = compileTouches([{ consumer: 'web', operations }], contracts);
  const changes = changesOf(contracts, pairs, { deprecationDays: 0 });
  const ofInterest = changes.filter((one) => one.class === 'breaking' || one.class === 'warning');
  expect(ofInterest.length).toBeGreaterThan(0);
  const found = ofInterest.flatMap((change) => ofChange(change));
  return found.map(({ touched, why }) => `${touched}: ${why}`);
}

const listing = (more: Partial<UsedOperation>): Record<string, UsedOperation> => ({
  'GET /books': { statuses: [200], ...more },
});
const adding = (more: Partial<UsedOperation>): Record<string, UsedOperation> => ({
  'POST /books': { statuses: [201], ...more },
});
const body = (members: NonNullable<UsedOperation['body']>) =>
  adding({ types: ['application/json'], body: { '': { others: ['object'] }, ...members } });

const ROWS: readonly (readonly [string, Edit, Record<string, UsedOperation>, string | undefined])[] = [
  ['an operation that is gone, and called', gone, adding({}), 'yes: it calls the operation'],
  ['an operation that is gone, and not called', gone, listing({}), undefined],
  [
    'a limit below what is sent',
    tighter,
    listing({ query: { limit: { values: [10, 75] } } }),
    'yes: it sends 75',
  ],
  ['a limit above what is sent', tighter, listing({ query: { limit: { values: [10] } } }), undefined],
  [
    'a limit, and a value that OLD refuses, too',
    tighter,
    listing({ query: { limit: { values: [500] } } }),
    undefined,
  ],
  [
    'a limit, and values that are not listed',
    tighter,
    listing({ query: { limit: { values: [1], others: ['integer'] } } }),
    'maybe: it sends values (integer) that are not listed',
  ],
  ['a limit of what is never sent', tighter, listing({}), undefined],
  [
    'a value less for the items of a parameter, which is sent',
    fewerKinds,
    listing({ query: { kinds: { others: ['array'] }, 'kinds/-': { values: ['c', 'd'] } } }),
    'yes: it sends "d"',
  ],
  [
    'a value less for the items of a parameter, and others are sent',
    fewerKinds,
    listing({ query: { kinds: { others: ['array'] }, 'kinds/-': { values: ['c'] } } }),
    undefined,
  ],
  ['a value less, which is sent', fewerShelves, body({ '/shelf': { values: ['b'] } }), 'yes: it sends "b"'],
  ['a value less, and another one is sent', fewerShelves, body({ '/shelf': { values: ['a'] } }), undefined],
  [
    'a value less, and bodies that nobody knows',
    fewerShelves,
    adding({ unseenBodies: true }),
    'maybe: its bodies are not all known',
  ],
  [
    'a type less, and such values',
    (next) => Object.assign(sent(next).properties, { owner: { type: 'string' } }),
    body({ '/owner': { others: ['object'] } }),
    'yes: it sends values of type object',
  ],
  [
    'a parameter that is required, and left out at times',
    (next) => Object.assign(get(next).parameters[0] ?? {}, { required: true }),
    listing({ query: { limit: { values: [1], sometimes: true } } }),
    'yes: it sends requests without limit',
  ],
  [
    'a parameter that is required, and always sent',
    (next) => Object.assign(get(next).parameters[0] ?? {}, { required: true }),
    listing({ query: { limit: { values: [1] } } }),
    undefined,
  ],
  [
    'a new parameter that is required',
    (next) =>
      get(next).parameters.push({
        name: 'of',
        in: 'query',
        required: true,
        schema: { type: 'string' },
      } as never),
    listing({}),
    'yes: it sends requests without of',
  ],
  [
    'a new parameter that is required, and sent although OLD does not name it',
    (next) => get(next).parameters.push({ name: 'of', in: 'query', required: true, schema: {} } as never),
    listing({ unnamed: ['query of'] }),
    'maybe: it sends of, which OLD does not name',
  ],
  [
    'a member that is required, and left out at times',
    (next) => sent(next).required.push('shelf'),
    body({ '/shelf': { values: ['a'], sometimes: true } }),
    'yes: it sends bodies without shelf',
  ],
  [
    'a member that is required, and always sent',
    (next) => sent(next).required.push('shelf'),
    body({ '/shelf': { values: ['a'] } }),
    undefined,
  ],
  [
    'a new member that is required, which may be among those without a name',
    (next) => Object.assign(sent(next), { required: ['isbn'], properties: { isbn: { type: 'string' } } }),
    body({ '/*': { values: ['x'] } }),
    'maybe: it sends members that OLD does not name',
  ],
  [
    'a body that is required',
    (next) => Object.assign(post(next).requestBody, { required: true }),
    adding({ body: { '': { others: ['object'], sometimes: true } } }),
    'yes: it sends no body',
  ],
  [
    'a member that a closed schema lacks',
    (next) => {
      delete sent(next).properties.shelf;
      Object.assign(sent(next), { additionalProperties: false });
    },
    body({ '/shelf': { values: ['a'] } }),
    'yes: it sends it',
  ],
  [
    'a member of a response that is gone, and nobody knows what is read',
    (next) => delete listed(next).properties.shelf,
    listing({}),
    'maybe: it receives the 200',
  ],
  ['a response that the client has never got', withoutOwnerName, listing({ statuses: [404] }), undefined],
  [
    'a media type that is gone',
    (next) =>
      Object.assign(post(next).requestBody, {
        content: { 'application/xml': { schema: { type: 'string' } } },
      }),
    body({}),
    'yes: it sends application/json',
  ],
];

test.for(ROWS)('%s', async ([, edit, used, want]) => {
  const [touch] = await touchesOf(edit, used);
  expect(touch).toBe(want);
});

const HEADERS = [{ name: 'content-type', value: 'application/json' }];
const exchange = (method: string, path: string, status: number, text?: string) => ({
  startedDateTime: '2026-01-01T00:00:00Z',
  time: 1,
  request: {
    ...{ method, url: `https://books.example${path}`, httpVersion: 'HTTP/1.1', headers: HEADERS },
    ...(text !== undefined && { postData: { mimeType: 'application/json', text } }),
  },
  response: {
    ...{ status, statusText: '', httpVersion: 'HTTP/1.1', headers: HEADERS },
    content: { mimeType: 'application/json', text: method === 'GET' ? '[]' : '{"id":1,"title":"Emma"}' },
  },
});

test('recorded traffic ranks the breaks: what touches a client comes first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-consumers-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = async (name: string, value: object) => {
    await writeFile(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  const next = document();
  for (const edit of [withoutOwnerName, tighter, gone]) edit(next);
  const [old, after] = [await file('old.json', document()), await file('new.json', next)];
  const har = (name: string, ...entries: object[]) =>
    file(`${name}.har`, { log: { version: '1.2', entries } });
  const web = await har('web', exchange('GET', '/books?limit=75', 200));
  const none = await har('none', exchange('GET', '/shelves', 404));
  const cut = join(folder, 'cut.har');
  await writeFile(cut, (await readFile(web, 'utf8')).slice(0, -1));

  let warnings: readonly { uri: string; message: string }[] = [];
  const all = await compat(old, after, {
    ...{ examples: 1, consumers: [`web=${cut}`] },
    onWarnings: (told) => {
      warnings = told;
    },
  });
  expect(warnings).toMatchObject([
    { uri: cut, message: 'entry 1: the file ends after it, unfinished; web may use more' },
  ]);
  expect(all).toMatchObject({ verdict: 'broken', exitCode: 1 });
  expect(all.causes.map(({ title }) => title)).toEqual([
    expect.stringMatching(/limit.* \(touches web\)$/),
    expect.stringMatching(/owner\.name.* \(may touch web\)$/),
    expect.stringMatching(/addBook: operation removed.* \(touches no named client\)$/),
  ]);
  expect(all.changes?.[0]?.consumers).toEqual([{ consumer: 'web', touched: 'yes', why: 'it sends 75' }]);

  for (const [consumers, message] of [
    [[`web=${web}`, `web=${web}`], '--consumer: "web" is given twice'],
    [[web], /--consumer: ".*" must be NAME=FILE, such as web=traffic\.har/],
    [[`web=${none}`], /none\.har has no request to an operation of OLD/],
    [[`web=${old}`], /--consumer: .*old\.json/],
  ] as const)
    await expect(compat(old, after, { consumers })).rejects.toThrow(message);
});
