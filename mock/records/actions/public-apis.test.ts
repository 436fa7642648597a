import { expect, test } from 'vitest';
import { flag, gives, list, number, object, takes, text } from '../../testing/described.ts';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const at = (name: string, schema: object = text) => ({ name, in: 'path', required: true, schema });
const asked = (name: string, schema: object = text) => ({ name, in: 'query', schema });
const none = { responses: { 204: { description: 'Done' } } };
const must = (schema: object) => takes(schema, true);
const serve = (paths: object, count = 5, more: object = {}) => serveText(documentOf(paths, more), { count });

test('a page in a member of the name of the path lists the records of what the path names', async () => {
  const entry = object({ id: text, title: text });
  const mock = await serve({
    '/jottings/{diaryId}': {
      parameters: [at('diaryId')],
      get: gives(object({ jottings: list(entry), total: number })),
      post: { ...must(object({ title: text })), ...gives(object({ location: text }), 201) },
    },
    '/jottings/{diaryId}/{id}': { parameters: [at('diaryId'), at('id')], get: gives(entry), delete: none },
  });
  await ask(mock, 'POST /jottings/a7', { title: 'Rain' });
  const { body } = await ask(mock, 'GET /jottings/a7');
  expect(body).toMatchObject({ jottings: [{ title: 'Rain' }], total: 1 });
  expect((await ask(mock, `GET /jottings/a7/${body.jottings[0].id}`)).body.title).toBe('Rain');
  expect((await ask(mock, 'GET /jottings/b8')).body.jottings).toEqual([]);
});

test('what ends a flag sets it to false, and the word for a record is no id of it where it can be changed', async () => {
  const remark = object({ id: text, remark: text, disabled: flag, score: number });
  const sent = must(object({ remark: text }, ['remark']));
  const item = { parameters: [at('remark')] };
  const mock = await serve({
    '/remarks': { get: gives(list(remark)), post: { ...sent, ...gives(remark, 201) } },
    '/remarks/{remark}': { ...item, get: gives(remark), put: { ...sent, ...gives(remark) } },
    '/remarks/{remark}/_disable': { ...item, post: none },
    '/remarks/{remark}/_enable': { ...item, post: none },
  });
  const { id } = (await ask(mock, 'POST /remarks', { remark: 'Nice' })).body;
  await ask(mock, `PUT /remarks/${id}`, { remark: 'Nicer' });
  for (const [action, disabled] of [
    ['_disable', true],
    ['_enable', false],
  ] as const) {
    await ask(mock, `POST /remarks/${id}/${action}`);
    expect((await ask(mock, `GET /remarks/${id}`)).body).toMatchObject({ id, remark: 'Nicer', disabled });
  }
});

test('a number in a path is the only number that is called as its record at the end, not the text called id', async () => {
  const parcel = object({ Id: text, BoltParcelId: number, ParentParcelId: number, Label: text });
  const item = { parameters: [at('id', number)] };
  const mock = await serve({
    '/parcels': { get: gives(list(parcel)), post: { ...must(parcel), ...gives(parcel, 201) } },
    '/parcels/{id}': { ...item, get: gives(parcel) },
  });
  const { body } = await ask(mock, 'POST /parcels', { Id: 'ext-7', Label: 'Books' });
  expect(body).toEqual({ Id: 'ext-7', BoltParcelId: 6, Label: 'Books' });
  expect((await ask(mock, 'GET /parcels/6')).body).toEqual(body);
});

test('filters find attributes of JSON:API before what is around them, and what several relationships name', async () => {
  const linkage = object({ id: text, type: text });
  const visit = object({
    id: text,
    type: text,
    attributes: object({ type: { ...text, enum: ['call', 'video'] }, name: text }),
    relationships: object({ groups: object({ data: list(linkage) }), host: object({ data: linkage }) }),
  });
  const parameters = ['filter[type]', 'filter[name]', 'filter[groups]', 'filter[hosts]'].map((name) =>
    asked(name),
  );
  const data = object({ data: visit });
  const mock = await serve({
    '/visits': {
      get: { parameters, ...gives(object({ data: list(visit) })) },
      post: { ...must(data), ...gives(data, 201) },
    },
    '/visits/{id}': { parameters: [at('id')], get: gives(data) },
  });
  const made = {
    type: 'visit',
    attributes: { type: 'video', name: 'Zora' },
    relationships: {
      groups: {
        data: [
          { id: 'g1', type: 'group' },
          { id: 'g2', type: 'group' },
        ],
      },
      host: { data: { id: 'h1', type: 'host' } },
    },
  };
  await ask(mock, 'POST /visits', { data: made });
  for (const query of [
    'filter[name]=Zora',
    'filter[hosts]=h1',
    'filter[groups]=g2',
    'filter[type]=video&filter[groups]=g1',
  ])
    expect((await ask(mock, `GET /visits?${query}`)).body.data).toMatchObject([made]);
  expect((await ask(mock, 'GET /visits?filter[type]=call&filter[groups]=g1')).body.data).toEqual([]);
});

test('what is not so is left out', async () => {
  const port = object({ id: number, state: { ...text, enum: ['up', 'down'] } });
  const mock = await serve(
    {
      '/ports': { get: { parameters: [asked('state__is_not')], ...gives(list(port)) } },
      '/ports/{id}': { parameters: [at('id', number)], get: gives(port) },
    },
    20,
  );
  const { body } = await ask(mock, 'GET /ports?state__is_not=up');
  expect(body.length).toBeGreaterThan(0);
  expect(body.every(({ state }: { state: string }) => state === 'down' || state === undefined)).toBe(true);
});

test('members without a type, and those that an example shows as null, are as they are called', async () => {
  const page = object({
    id: {},
    title: {},
    statusCode: {},
    metadata: {},
    seen_at: { ...text, format: 'dateTime' },
  });
  const tool = { id: 't1', name: null, length: null, tags: [] };
  const shown = { 'application/json': { example: [tool, { ...tool, name: 'Saw' }] } };
  const mock = await serve({
    '/pages': {
      get: gives(list({ ...page, required: ['id', 'title', 'statusCode', 'metadata', 'seen_at'] })),
    },
    '/pages/{id}': { parameters: [at('id')], get: gives(page) },
    '/tools': { get: { responses: { 200: { description: 'Tools', content: shown } } } },
  });
  const { body: pages } = await ask(mock, 'GET /pages');
  expect(new Set(pages.map(({ id }: { id: string }) => id)).size).toBe(5);
  for (const { id, title, statusCode, metadata, seen_at } of pages) {
    expect([typeof id, typeof title, typeof statusCode, metadata]).toEqual([
      'string',
      'string',
      'number',
      {},
    ]);
    expect(Date.parse(seen_at)).toBeGreaterThan(0);
  }
  const { body: tools } = await ask(mock, 'GET /tools');
  for (const { name, tags } of tools) {
    expect(typeof name).toBe('string');
    for (const tag of tags) expect(typeof tag).toBe('string');
  }
});

test('several in a member of the name of the path are made, found by another member, read in detail, and last', async () => {
  const crate = object({
    crate_id: text,
    label_ref: text,
    total_weight: number,
    items: list(object({ sku: text })),
  });
  const ref = { $ref: '#/components/schemas/Crate' };
  const sent = object({ crates: list(ref) }, ['crates']);
  const made = object({ has_errors: flag, crates: list(ref) });
  const one = { allOf: [ref], title: 'another one' };
  const item = { parameters: [at('crate_id')] };
  const mock = await serveText(
    documentOf(
      {
        '/crates': { get: gives(made), post: { ...must(sent), ...gives(made) } },
        '/crates/{crate_id}': { ...item, get: gives(ref) },
        '/crates/{crate_id}/details': { ...item, get: gives(ref) },
        '/crates/label_ref/{label_ref}': { parameters: [at('label_ref')], get: gives(one) },
        '/crates/last': { get: gives(one) },
        '/crates/{crate_id}/limits': {
          ...item,
          put: { ...must(object({ total_weight: number })), ...none },
        },
      },
      { components: { schemas: { Crate: crate } } },
    ),
    { count: 3 },
  );
  const { body } = await ask(mock, 'POST /crates', { crates: [{ label_ref: 'a-1' }, { label_ref: 'b-2' }] });
  expect(body.crates).toMatchObject([{ label_ref: 'a-1' }, { label_ref: 'b-2' }]);
  const [{ crate_id }, last] = body.crates;
  expect((await ask(mock, 'GET /crates')).body.crates).toHaveLength(5);
  expect((await ask(mock, 'GET /crates/label_ref/a-1')).body.crate_id).toBe(crate_id);
  expect((await ask(mock, 'GET /crates/last')).body.crate_id).toBe(last.crate_id);
  expect((await ask(mock, `PUT /crates/${crate_id}/limits`, { total_weight: 70 })).status).toBe(204);
  expect((await ask(mock, `GET /crates/${crate_id}/details`)).body).toMatchObject({
    crate_id,
    total_weight: 70,
  });
});

test('records are made in a batch of what one of them is made of, below a key that the client chooses', async () => {
  const entry = object({ id: text, value: text, created_at: text, ele: number });
  const bin = object({ id: number, name: text });
  const sent = object({ value: text, ele: text });
  const below = { parameters: [at('bin_key')] };
  const mock = await serve({
    '/bins': {
      get: gives(list(bin)),
      post: { ...must(object({ name: text, key: text })), ...gives(bin, 201) },
    },
    '/bins/{bin_key}': { ...below, get: gives(bin) },
    '/bins/{bin_key}/entries': {
      ...below,
      get: gives(list(entry)),
      post: { ...must(sent), ...gives(entry) },
    },
    '/bins/{bin_key}/entries/{id}': { parameters: [...below.parameters, at('id')], get: gives(entry) },
    '/bins/{bin_key}/entries/batch': {
      ...below,
      post: { ...must(list({ ...sent })), ...gives(list(entry)) },
    },
  });
  expect((await ask(mock, 'POST /bins', { name: 'Garden', key: 'garden' })).status).toBe(201);
  expect((await ask(mock, 'GET /bins/garden')).body.name).toBe('Garden');
  expect(
    (await ask(mock, 'POST /bins/garden/entries/batch', [{ value: 'x' }, { value: 'y' }])).body,
  ).toHaveLength(2);
  expect((await ask(mock, 'GET /bins/garden/entries')).body).toMatchObject([{ value: 'x' }, { value: 'y' }]);
});

test('a discriminator decides between branches that a value fits, and a login of keys needs no key', async () => {
  const branch = (kind: string) => ({ ...object({ kind: text, most: number }, ['kind']), title: kind });
  const refs = ['Allow', 'Deny'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const rule = {
    oneOf: refs,
    discriminator: {
      propertyName: 'kind',
      mapping: { allow: '#/components/schemas/Allow', deny: '#/components/schemas/Deny' },
    },
  };
  const keys = object({ api_key: text, api_secret: text });
  const tokens = object({ access_token: text, refresh_token: text }, ['access_token']);
  const mock = await serveText(
    documentOf(
      {
        '/auth/token': { post: { ...must(keys), ...gives(tokens, 201), security: [] } },
        '/rules': { get: gives(list(rule)), post: { ...must(rule), ...gives(rule, 201) } },
      },
      {
        security: [{ jwt: [] }],
        components: {
          securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } },
          schemas: { Allow: branch('allow'), Deny: branch('deny') },
        },
      },
    ),
    { count: 1 },
  );
  const login = await ask(mock, 'POST /auth/token', { api_key: 'k', api_secret: 's' }, { authorization: '' });
  const as = { authorization: `Bearer ${login.body.access_token}` };
  expect((await ask(mock, 'POST /rules', { kind: 'deny', most: 3 }, as)).body).toMatchObject({
    kind: 'deny',
    most: 3,
  });
  expect((await ask(mock, 'POST /rules', { kind: 'deny', most: 'x' }, as)).status).toBe(400);
});

test('what stores a password and a token of the client is no login, and an error of JSON without a schema is JSON', async () => {
  const secret = object({ id: text, name: text, password: text, token: text }, ['name']);
  const missing = { 404: { description: 'None', content: { 'application/json': {} } } };
  const mock = await serve({
    '/secrets': { get: gives(list(secret)), post: { ...must(secret), ...gives(secret, 201) } },
    '/secrets/{id}': {
      parameters: [at('id')],
      get: { responses: { ...gives(secret).responses, ...missing } },
    },
  });
  const sent = { name: 'Gate', password: 'x', token: 'y' };
  const [one, other] = [await ask(mock, 'POST /secrets', sent), await ask(mock, 'POST /secrets', sent)];
  expect(one.body.token).toBe('y');
  expect(other.body.id).not.toBe(one.body.id);
  expect((await ask(mock, 'GET /secrets/none')).body).toMatchObject({ status: 404 });
});

test('a body without attributes sets those of JSON:API, of which one names the record, below whatever team', async () => {
  const attributes = object({ slug: text, name: text, title: text }, ['slug']);
  const player = object({ id: text, type: text, attributes });
  const sent = object({ name: text, title: text });
  const item = { parameters: [at('team'), at('player_slug')] };
  const mock = await serve({
    '/{team}/players': {
      parameters: [at('team')],
      get: gives(object({ data: list(player) })),
      post: {
        ...must(object({ player: sent, invitation: object({ note: text }) })),
        ...gives(object({ data: player }), 201),
      },
    },
    '/{team}/players/{player_slug}': {
      ...item,
      get: gives(object({ data: player })),
      put: { ...must(sent), ...none },
    },
  });
  const { data } = (await ask(mock, 'POST /reds/players', { player: { name: 'Ada' }, invitation: {} })).body;
  expect(data.attributes.name).toBe('Ada');
  const path = `/reds/players/${data.attributes.slug}`;
  await ask(mock, `PUT ${path}`, { title: 'Keeper' });
  expect((await ask(mock, `GET ${path}`)).body.data.attributes).toEqual({
    ...data.attributes,
    title: 'Keeper',
  });
  expect((await ask(mock, 'GET /reds/players')).body.data).toHaveLength(6);
  expect((await ask(mock, 'GET /blues/players')).body.data).toHaveLength(5);
});

test('values are of the kinds that standards and names say, and of an example that another one refers to', async () => {
  const linkage = object({ id: text, type: text }, ['id', 'type']);
  const rider = object(
    {
      id: text,
      type: text,
      attributes: object({ birth_year: number, timezoneName: text, photo_mime: text }, [
        ...['birth_year', 'timezoneName', 'photo_mime'],
      ]),
      relationships: object({ team: object({ data: linkage }, ['data']) }, ['team']),
    },
    ['id', 'type', 'attributes', 'relationships'],
  );
  const examples = { of: { value: { $ref: '#/components/examples/Lap/value' } } };
  const mock = await serve(
    {
      '/riders': { get: gives(object({ data: list(rider) })) },
      '/riders/{id}': { parameters: [at('id')], get: gives(object({ data: rider })) },
      '/laps/best': {
        get: { responses: { 200: { description: 'Lap', content: { 'application/json': { examples } } } } },
      },
    },
    5,
    { components: { examples: { Lap: { value: { seconds: 61, by: 'Ada' } } } } },
  );
  for (const { type, attributes, relationships } of (await ask(mock, 'GET /riders')).body.data) {
    expect([type, relationships.team.data.type]).toEqual(['rider', 'team']);
    expect(attributes.birth_year).toBeLessThan(2010);
    expect(attributes.timezoneName).toMatch(/^(?:\w+\/[\w/-]+|UTC)$/);
    expect(attributes.photo_mime).toMatch(/^\w+\/[\w.+-]+$/);
  }
  expect((await ask(mock, 'GET /laps/best')).body).toEqual({ seconds: 61, by: 'Ada' });
});
