import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../testing/serve.ts';

const book = { $ref: '#/components/schemas/Book' };
const content = (schema: object) => ({ 'application/json': { schema } });
const body = { content: content({ $ref: '#/components/schemas/NewBook' }) };
const id = { name: 'code', in: 'path', required: true, schema: { type: 'string' } };
const number = (name: string) => ({ name, in: 'query', schema: { type: 'integer' } });
const text = { type: 'string' };

const BOOKS = {
  openapi: '3.1.0',
  info: { title: 'Books', version: '1.0.0' },
  paths: {
    '/books': {
      get: {
        parameters: [{ ...number('part'), schema: text }, number('limit')],
        responses: { 200: { description: 'ok', content: content({ type: 'array', items: book }) } },
        'x-paddock': { query: { part: '$page' }, first: 0 },
      },
      post: { requestBody: body, responses: { 201: { description: 'ok', content: content(book) } } },
    },
    '/books/{code}': {
      parameters: [id],
      put: { requestBody: body, responses: { 200: { description: 'ok', content: content(book) } } },
    },
  },
  components: {
    schemas: {
      NewBook: { type: 'object', properties: { title: text, key: text } },
      Book: {
        type: 'object',
        properties: { code: text, title: text, key: text, shelf: text },
        'x-paddock': {
          idFrom: 'title',
          members: { shelf: { set: 'service', first: 'new' }, key: { hidden: 'always' } },
        },
      },
    },
  },
};

test('what is said of members, ids and pages is done', async () => {
  const mock = await serveText(BOOKS);
  const made = await ask(mock, 'POST /books', { title: 'Big Cat', key: 'secret' });
  expect(made.body).toEqual({ code: 'big-cat', title: 'Big Cat', shelf: 'new' });
  const replaced = await ask(mock, 'PUT /books/big-cat', { title: 'Cat', shelf: 'old' });
  expect(replaced.body).toEqual({ code: 'big-cat', title: 'Cat', shelf: 'new' });
  const [zero, one] = [
    await ask(mock, 'GET /books?part=0&limit=2'),
    await ask(mock, 'GET /books?part=1&limit=2'),
  ];
  expect(zero.body).toHaveLength(2);
  expect(one.body).not.toEqual(zero.body);
});

test('what is said of a record with variants is done where each of them has the member', async () => {
  const pet = (kind: string, more: object = {}) => ({
    type: 'object',
    required: ['kind', 'tag'],
    properties: { kind: { const: kind }, tag: text, at: { type: 'string', format: 'date-time' }, ...more },
  });
  const Pet = {
    'x-paddock': { id: 'tag', members: { at: { set: 'once', holds: 'created' }, lives: { first: 9 } } },
    oneOf: [pet('cat', { lives: { type: 'integer' } }), pet('dog', { lives: { type: 'integer' } })],
  };
  const schema = content({ $ref: '#/components/schemas/Pet' });
  const mock = await serveText({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1.0.0' },
    paths: {
      '/pets': {
        get: {
          responses: {
            200: {
              description: 'ok',
              content: content({ type: 'array', items: { $ref: '#/components/schemas/Pet' } }),
            },
          },
        },
        post: {
          requestBody: { content: schema },
          responses: { 201: { description: 'ok', content: schema } },
        },
      },
    },
    components: { schemas: { Pet } },
  });
  const sent = { kind: 'dog', tag: 'a', at: '2000-01-01T00:00:00Z' };
  const { status, body } = await ask(mock, 'POST /pets', sent);
  expect([status, body]).toEqual([201, { ...sent, at: expect.stringMatching(/^20[2-9]/), lives: 9 }]);
});

const object = (properties: object) => ({ type: 'object', properties });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answer = (status: number, schema: object) => ({
  responses: { [status]: { description: 'ok', content: content(schema) } },
});
const takes = (schema: object) => ({ requestBody: { content: content(schema) } });
const login = object({ who: text, riddle: text });

const JOBS = {
  openapi: '3.1.0',
  info: { title: 'Jobs', version: '1.0.0' },
  paths: {
    '/jobs': {
      get: {
        ...answer(
          200,
          object({ all: { type: 'array', items: ref('Job') }, info: object({ fine: { type: 'boolean' } }) }),
        ),
        'x-paddock': { says: { 'info.fine': true } },
      },
      post: {
        ...{ ...answer(201, ref('Job')), ...takes(ref('NewJob')) },
        parameters: [{ name: 'X-Again', in: 'header', schema: text }],
        'x-paddock': { idempotencyKey: 'X-Again' },
      },
    },
    '/jobs/{no}': {
      parameters: [{ ...id, name: 'no' }],
      get: answer(200, ref('Job')),
      put: {
        ...takes(ref('NewJob')),
        responses: { ...answer(200, ref('Job')).responses, 422: { description: 'no' } },
        'x-paddock': { changes: ['mood'] },
      },
    },
    '/jobs/{no}/whole': {
      parameters: [{ ...id, name: 'no' }],
      put: { ...takes(ref('NewJob')), ...answer(200, ref('Job')), 'x-paddock': { replace: '/jobs' } },
    },
    '/jobs/{no}/stop': {
      parameters: [{ ...id, name: 'no' }],
      post: { ...answer(200, ref('Job')), 'x-paddock': { action: '/jobs', sets: { mood: 'sad' } } },
    },
    '/many': {
      post: {
        ...takes({ type: 'array', items: ref('NewJob') }),
        ...answer(200, object({ each: { type: 'array', items: object({ made: ref('Job') }) } })),
        'x-paddock': { createMany: '/jobs', results: 'each' },
      },
    },
    '/folk': {
      get: answer(200, { type: 'array', items: ref('Person') }),
      post: {
        ...{ ...takes(login), ...answer(201, ref('Person')) },
        'x-paddock': { register: '/folk', account: { identity: ['who'], proof: 'riddle' } },
      },
    },
    '/enter': {
      post: {
        ...{ ...takes(login), ...answer(200, object({ pass: text, one: ref('Person') })) },
        'x-paddock': {
          login: true,
          account: { identity: ['who'], proof: 'riddle', token: 'pass', shows: 'one' },
        },
      },
    },
  },
  components: {
    schemas: {
      NewJob: object({ note: text, mood: text, own: text }),
      Job: {
        ...object({ no: text, note: text, mood: { enum: ['calm', 'glad', 'sad'] }, own: text }),
        'x-paddock': {
          members: {
            own: { hidden: 'in lists' },
            mood: { first: 'calm', transitions: { calm: ['glad'], glad: ['sad'] } },
          },
        },
      },
      Person: {
        ...object({ p: text, who: text, riddle: text }),
        'x-paddock': { id: 'p', accounts: true, members: { riddle: { hidden: 'always' } } },
      },
    },
  },
};

test('what is said of changes, states, repeated requests, lists, results and accounts is done', async () => {
  const mock = await serveText(JOBS);
  const sent = { note: 'a', own: 'x' };
  const key = { 'x-again': '1' };
  const made = (await ask(mock, 'POST /jobs', sent, key)).body;
  expect(made).toEqual({ ...sent, no: expect.any(String), mood: 'calm' });
  expect((await ask(mock, 'POST /jobs', sent, key)).body).toEqual(made);
  expect((await ask(mock, 'POST /jobs', { note: 'b' }, key)).status).toBe(422);
  const item = `/jobs/${made.no}`;
  expect((await ask(mock, `PUT ${item}`, { mood: 'sad' })).status).toBe(422);
  expect((await ask(mock, `PUT ${item}/whole`, { note: 'b' })).body).toEqual({
    ...made,
    own: undefined,
    note: 'b',
  });
  expect((await ask(mock, `PUT ${item}/whole`, sent)).body).toEqual(made);
  expect((await ask(mock, `POST ${item}/stop`)).status).toBe(409);
  const glad = await ask(mock, `PUT ${item}`, { mood: 'glad', note: 'other' });
  expect(glad.body).toEqual({ ...made, mood: 'glad' });
  expect((await ask(mock, `POST ${item}/stop`)).body.mood).toBe('sad');
  expect((await ask(mock, `PUT ${item}`, { mood: 'calm' })).status).toBe(422);
  const listed = (await ask(mock, 'GET /jobs')).body;
  expect(listed.info).toEqual({ fine: true });
  expect(listed.all.find(({ no }: { no: string }) => no === made.no)).toEqual({
    no: made.no,
    note: 'a',
    mood: 'sad',
  });
  const many = (await ask(mock, 'POST /many', [{ note: 'c' }, { note: 'd' }])).body.each;
  expect(many.map((one: { made: { note: string } }) => one.made.note)).toEqual(['c', 'd']);
  const ann = { who: 'ann', riddle: 'of the sphinx' };
  const { body: person } = await ask(mock, 'POST /folk', ann);
  expect((await ask(mock, 'POST /enter', ann)).body.one).toEqual({ who: 'ann', p: person.p });
});

test('what is said of states and changes holds for one record alone, and for a POST that replaces one', async () => {
  const state = { mood: { first: 'calm', transitions: { calm: ['glad'], glad: ['sad'] } } };
  const only = object({ mood: { enum: ['calm', 'glad', 'sad'], default: 'calm' }, note: text });
  const Settings = { ...only, required: ['mood'], 'x-paddock': { members: state } };
  const Boat = { ...object({ id: text, mood: text, note: text }), required: ['id'] };
  const mock = await serveText(
    documentOf(
      {
        '/settings': {
          get: answer(200, ref('Settings')),
          put: { ...takes(ref('Settings')), ...answer(200, ref('Settings')) },
          patch: {
            ...{ ...takes(ref('Settings')), ...answer(200, ref('Settings')) },
            'x-paddock': { changes: ['mood'] },
          },
        },
        '/boats': {
          get: answer(200, { type: 'array', items: ref('Boat') }),
          post: { ...takes(ref('Boat')), ...answer(200, ref('Boat')), 'x-paddock': { upsert: true } },
        },
        '/boats/{id}': { parameters: [{ ...id, name: 'id' }], get: answer(200, ref('Boat')) },
      },
      { components: { schemas: { Settings, Boat: { ...Boat, 'x-paddock': { members: state } } } } },
    ),
  );
  const settings = (await ask(mock, 'GET /settings')).body;
  expect((await ask(mock, 'PUT /settings', { mood: 'sad' })).status).toBe(409);
  const changed = await ask(mock, 'PATCH /settings', { mood: 'glad', note: 'another' });
  expect(changed.body).toEqual({ ...settings, mood: 'glad' });
  const boat = { id: 'ada', note: 'a' };
  expect((await ask(mock, 'POST /boats', boat)).body).toEqual({ ...boat, mood: 'calm' });
  expect((await ask(mock, 'POST /boats', { ...boat, mood: 'sad' })).status).toBe(409);
  expect((await ask(mock, 'POST /boats', { ...boat, mood: 'glad' })).body.mood).toBe('glad');
  expect((await ask(mock, 'POST /boats', { id: 'ada' })).body).toEqual({ id: 'ada', mood: 'glad' });
});

test('a list that clients send, too, shows the records that belong to it where that is said', async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const number = { type: 'integer' };
  const collection = (name: string, sent: string) => ({
    get: { responses: { 200: { description: 'ok', content: content({ type: 'array', items: ref(name) }) } } },
    post: {
      requestBody: { content: content(ref(sent)) },
      responses: { 201: { description: 'ok', content: content(ref(name)) } },
    },
  });
  const tool = { id: number, name: text, price: { type: 'number' }, kind: ref('Kind') };
  const schemas = {
    Kind: {
      type: 'object',
      properties: { id: number, title: text, tools: { type: 'array', items: ref('Tool') } },
      'x-paddock': { members: { tools: { shows: '/tools' } } },
    },
    Tool: { type: 'object', properties: tool },
    LinkedTool: { type: 'object', properties: { ...tool, links: { type: 'object' } } },
  };
  const paths = { '/kinds': collection('Kind', 'Kind'), '/tools': collection('LinkedTool', 'Tool') };
  const mock = await serveText(documentOf(paths, { components: { schemas } }), { count: 2 });
  const { body: made } = await ask(mock, 'POST /tools', { name: 'Saw', price: 3, kind: { id: 2 } });
  const { body: kinds } = await ask(mock, 'GET /kinds');
  expect(kinds).toMatchObject([{ id: 1 }, { id: 2, tools: expect.anything() }]);
  const shown = (kinds as { tools: { id: number }[] }[])[1]?.tools.map(({ id: one }) => one);
  expect(shown).toContain((made as { id: number }).id);
});
