import { expect, test } from 'vitest';
import { flag, gives, json, list, number, object, takes, text } from '../../testing/described.ts';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const at = (name: string, schema: object = number) => ({ name, in: 'path', required: true, schema });
const asked = (name: string, schema: object = text) => ({ name, in: 'query', schema });
const gone = { responses: { 204: { description: 'Gone' } } };
const must = (schema: object) => takes(schema, true);
const serve = (paths: object, more: object = {}) => serveText(documentOf(paths, more), { count: 5 });

const status = (message: string) =>
  object({ code: { ...number, example: 200 }, message: { ...text, example: message } });

test('a body around a record is another one than that of the response, which says how it went beside it', async () => {
  const kiln = object({ id: number, name: text, heat: number, created_at: text, updated_at: text });
  const around = (schema: object, message: string) => object({ status: status(message), data: schema });
  const body = must(object({ kiln: object({ name: text, heat: number }) }));
  const mock = await serve({
    '/kilns': {
      get: gives(around(list(kiln), 'All kilns')),
      post: { ...body, ...gives(around(kiln, 'Built'), 201) },
    },
    '/kilns/{id}': {
      parameters: [at('id')],
      get: gives(around(kiln, 'One kiln')),
      put: { ...body, ...gives(around(kiln, 'Changed')) },
    },
  });
  const made = (await ask(mock, 'POST /kilns', { kiln: { name: 'East', heat: 900 } })).body;
  expect(made).toMatchObject({ status: { code: 201, message: 'Built' }, data: { name: 'East', heat: 900 } });
  await ask(mock, `PUT /kilns/${made.data.id}`, { kiln: { heat: 950 } });
  expect((await ask(mock, `GET /kilns/${made.data.id}`)).body.data).toMatchObject({
    name: 'East',
    heat: 950,
  });
  expect((await ask(mock, 'GET /kilns')).body.status).toEqual({ code: 200, message: 'All kilns' });
});

test('segments of several verbs, and details that stand for an item, name no records of their own', async () => {
  const shard = object({ pk: { ...number, readOnly: true }, name: text, weight: number });
  const item = { parameters: [at('id')] };
  const change = { ...must(shard), ...gives(shard) };
  const mock = await serve({
    '/shards/list-create/': { get: gives(list(shard)), post: { ...must(shard), ...gives(shard, 201) } },
    '/shards/{id}/update-delete/': { ...item, get: gives(shard), patch: change, delete: gone },
    '/casts/list/': { get: gives(list(shard)) },
    '/casts/create/': { post: { ...must(shard), ...gives(shard, 201) } },
    '/casts/{id}/detail/': { ...item, get: gives(shard), patch: change, delete: gone },
  });
  for (const [all, made, one] of [
    ['/shards/list-create/', '/shards/list-create/', (id: number) => `/shards/${id}/update-delete/`],
    ['/casts/list/', '/casts/create/', (id: number) => `/casts/${id}/detail/`],
  ] as const) {
    const { pk } = (await ask(mock, `POST ${made}`, { name: 'Rim', weight: 3 })).body;
    await ask(mock, `PATCH ${one(pk)}`, { weight: 4 });
    expect((await ask(mock, `GET ${one(pk)}`)).body).toEqual({ pk, name: 'Rim', weight: 4 });
    expect((await ask(mock, `GET ${all}`)).body).toContainEqual({ pk, name: 'Rim', weight: 4 });
    await ask(mock, `DELETE ${one(pk)}`);
    expect((await ask(mock, `GET ${one(pk)}`)).status).toBe(404);
  }
});

test('an id of 0 is none; pages have names of other languages; a list of what names its record is of that', async () => {
  const leg = object({ id: number, ruta_id: number, name: text }, ['id', 'ruta_id', 'name']);
  const schemas = {
    Leg: leg,
    Ruta: object({ id: number, name: text, conexiones: list({ $ref: '#/components/schemas/Leg' }) }, ['id']),
  };
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const pagination = object({ page_index: number, total_items: number }, ['page_index', 'total_items']);
  const error = { ...number, enum: [0, 1, 2, 3] };
  const result = (schema: object) => object({ result: schema, error_code: error }, ['error_code']);
  const pages = { parameters: [asked('Pagina', number), asked('RecordsPorPagina', number)] };
  const mock = await serve(
    {
      '/rutas': {
        get: {
          ...pages,
          ...gives(object({ result: list(ref('Ruta')), pagination, error_code: error }, ['error_code'])),
        },
        post: { ...must(object({ id: number, name: text })), ...gives(result(ref('Ruta')), 201) },
      },
      '/rutas/{id}': { parameters: [at('id')], get: gives(result(ref('Ruta'))) },
      '/legs': { get: gives(list(ref('Leg'))), post: { ...must(ref('Leg')), ...gives(ref('Leg'), 201) } },
      '/legs/{id}': { parameters: [at('id')], get: gives(ref('Leg')) },
    },
    { components: { schemas } },
  );
  const make = async () => (await ask(mock, 'POST /rutas', { id: 0, name: 'North' })).body;
  const [one, other] = [await make(), await make()];
  expect([one.error_code, one.result.id, other.result.id]).toEqual([0, 6, 7]);
  const { body: page } = await ask(mock, 'GET /rutas?Pagina=2&RecordsPorPagina=2');
  expect(page.result).toHaveLength(2);
  expect(page.pagination).toEqual({ page_index: 2, total_items: 7 });
  const made = (await ask(mock, 'POST /legs', { id: 0, ruta_id: 7, name: 'First' })).body;
  expect((await ask(mock, 'GET /rutas/7')).body.result.conexiones).toEqual([made]);
});

test('objects that requests name by an id alone are those records, and so is the one that a path names', async () => {
  const role = object({ id: number, name: text }, ['id', 'name']);
  const member = object({ id: number, name: text, roles: list(role) }, ['id', 'roles']);
  const sent = object({ name: text, roles: list(object({ id: number })) });
  const visit = object({ id: number, role });
  const loose = object({ id: number, note: text, member: object({ id: number, name: text }) });
  const mock = await serve({
    '/roles': { get: gives(list(role)), post: { ...must(object({ name: text })), ...gives(role, 201) } },
    '/roles/{id}': { parameters: [at('id')], get: gives(role) },
    '/members': { get: gives(list(member)), post: { ...must(sent), ...gives(member, 201) } },
    '/members/{id}': { parameters: [at('id')], get: gives(member) },
    '/members/{id}/visits': {
      parameters: [at('id')],
      get: gives(list(loose)),
      post: { ...must(loose), ...gives(loose, 201) },
    },
    '/visits': { get: gives(list(visit)) },
  });
  const { id } = (await ask(mock, 'POST /roles', { name: 'Keeper' })).body;
  const { body: made } = await ask(mock, 'POST /members', { name: 'Ann', roles: [{ id }] });
  expect(made.roles).toEqual([{ id, name: 'Keeper' }]);
  const { body } = await ask(mock, `POST /members/${made.id}/visits`, { note: 'Late' });
  expect(body.member).toEqual({ id: made.id, name: 'Ann' });
});

test('other paths show the records of a collection: in public, as a whole, without ids, by a state or a flag', async () => {
  const berth = object({ id: number, name: text, length: number, enabled: flag });
  const state = { ...text, enum: ['open', 'closed'] };
  const schemas = { Berth: berth, Order: object({ id: number, name: text, status: state }) };
  const [ref, order] = ['Berth', 'Order'].map((name) => ({ $ref: `#/components/schemas/${name}` })) as [
    object,
    object,
  ];
  const mock = await serve(
    {
      '/berths': { get: gives(list(ref)), post: { ...must(ref), ...gives(ref, 201) } },
      '/berths/{id}': { parameters: [at('id')], get: gives(ref) },
      '/berths/active': { get: gives(list(ref)) },
      '/berths/overview': { get: gives(list(object({ ...berth.properties, guests: number }))) },
      '/berths/brief': { get: gives(list(object({ name: text, length: number, enabled: flag }))) },
      '/public-berths': { get: gives(list(ref)) },
      '/public-berths/{id}': { parameters: [at('id')], get: gives(ref) },
      '/orders': {
        get: { parameters: [asked('ids', list(number))], ...gives(list(order)) },
        post: { ...must(order), ...gives(order, 201) },
      },
      '/orders/{id}': { parameters: [at('id')], get: gives(order) },
      '/orders/closed': { get: gives(list(order)) },
    },
    { components: { schemas } },
  );
  const { body: on } = await ask(mock, 'POST /berths', { name: 'On', length: 9, enabled: true });
  const { body: off } = await ask(mock, 'POST /berths', { name: 'Off', length: 8, enabled: false });
  const names = async (path: string) =>
    (await ask(mock, `GET ${path}`)).body.map(({ name }: { name: string }) => name);
  expect(await names('/berths/active')).toContain('On');
  expect(await names('/berths/active')).not.toContain('Off');
  for (const path of ['/berths/overview', '/berths/brief', '/public-berths'])
    expect(await names(path)).toEqual(await names('/berths'));
  expect((await ask(mock, `GET /public-berths/${on.id}`)).body).toEqual(on);
  expect((await ask(mock, `GET /public-berths/${off.id}`)).body).toEqual(off);
  await ask(mock, 'POST /orders', { name: 'Rope', status: 'closed' });
  expect(
    new Set((await ask(mock, 'GET /orders/closed')).body.map((one: { status: string }) => one.status)),
  ).toEqual(new Set(['closed']));
  expect((await ask(mock, 'GET /orders?ids=2&ids=6')).body.map((one: { id: number }) => one.id)).toEqual([
    2, 6,
  ]);
});

test('accounts are shown within envelopes, and are whom records name where they register', async () => {
  const sent = object({ email: text, password: text }, ['email', 'password']);
  const user = object({ id: number, email: text, name: text }, ['id', 'email']);
  const bearer = { security: [{ bearer: [] }] };
  const booking = object({ id: number, customer_id: number, seats: number });
  const type = { ...text, default: 'bearer' };
  const mock = await serve(
    {
      '/customers': {
        post: {
          ...must(object({ ...sent.properties, name: text })),
          ...gives(object({ data: object({ user }) })),
        },
      },
      '/customers/login': {
        post: { ...must(sent), ...gives(object({ token: text, token_type: type, data: object({ user }) })) },
      },
      '/me}': { get: { ...bearer, ...gives(user) } },
      '/refresh-token': { get: { ...bearer, ...gives({ type: 'object' }) } },
      '/bookings': {
        get: { ...bearer, ...gives(list(booking)) },
        post: { ...bearer, ...must(object({ seats: number })), ...gives(booking, 201) },
      },
      '/bookings/{id}': { parameters: [at('id')], get: { ...bearer, ...gives(booking) } },
    },
    { components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } } },
  );
  const [email, password] = ['ann@example.com', 'secret-1'];
  const { user: ann } = (await ask(mock, 'POST /customers', { email, password, name: 'Ann' })).body.data;
  const { body } = await ask(mock, 'POST /customers/login', { email, password });
  expect(body.data.user).toEqual(ann);
  expect(body.token_type).toBe('bearer');
  const headers = { authorization: `Bearer ${body.token}` };
  expect((await ask(mock, 'GET /me%7D', undefined, headers)).body).toMatchObject({ email, id: ann.id });
  const { body: made } = await ask(mock, 'POST /bookings', { seats: 2 }, headers);
  expect(made).toMatchObject({ seats: 2, customer_id: ann.id });
  const { token } = (await ask(mock, 'GET /refresh-token', undefined, headers)).body;
  expect((await ask(mock, 'GET /bookings', undefined, { authorization: `Bearer ${token}` })).status).toBe(
    200,
  );
});

test('what an error says as a whole is no map of members, whatever the type of its message', async () => {
  const detail = object(
    {
      statusCode: { type: 'number', example: 409 },
      message: { type: 'object' },
      path: text,
      timestamp: text,
    },
    ['statusCode', 'message', 'path', 'timestamp'],
  );
  const thing = object({ id: number });
  const refused = object({ success: flag, error: detail }, ['success', 'error']);
  const responses = {
    200: { description: 'One', ...json(thing) },
    404: { description: 'None', ...json(refused) },
  };
  const mock = await serve({
    '/things': { get: gives(list(thing)) },
    '/things/{id}': { parameters: [at('id')], get: { responses } },
  });
  const { body } = await ask(mock, 'GET /things/99');
  expect(body).toMatchObject({ success: false, error: { statusCode: 404, path: '/things/99' } });
});

test('whoever asks sees what is its own; keys see all; a feed lists what is posted; flags say what is done', async () => {
  const sent = object({ email: text, password: text, role: { ...text, default: 'client' } }, [
    'email',
    'password',
  ]);
  const me = object({ id: number, email: text, bio: text, role: text }, ['id', 'email', 'bio', 'role']);
  const wallet = object({ id: number, name: text, user_id: number });
  const post = object({ id: number, body: text, likes: number, created_at: text });
  const bearer = { security: [{ bearer: [] }] };
  const done = gives(object({ data: object({ following: flag, user_id: number }, ['following']) }));
  const mock = await serve(
    {
      '/register': { post: { ...must(sent), ...gives(me, 201) } },
      '/login': { post: { ...must(sent), ...gives(object({ token: text })) } },
      '/me': {
        get: { ...bearer, ...gives(me) },
        patch: {
          ...bearer,
          ...must(object({ user: object({ bio: text }) })),
          responses: { 200: { description: 'Done' } },
        },
      },
      '/wallets': {
        get: { ...bearer, summary: 'All wallets of the authenticated user', ...gives(list(wallet)) },
        post: { ...bearer, ...must(object({ name: text })), ...gives(wallet, 201) },
      },
      '/wallets/{id}': { parameters: [at('id')], get: { ...bearer, ...gives(wallet) } },
      '/posts': { post: { ...must(object({ body: text })), ...gives(post, 201) } },
      '/posts/{id}': { parameters: [at('id')], get: gives(post) },
      '/feed': { get: gives(list(object(post.properties))) },
      '/users/{name}/follow': { parameters: [at('name', text)], post: done, delete: done },
    },
    { components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } } },
  );
  const [email, password] = ['ann@example.com', 'secret-1'];
  const { body: ann } = await ask(mock, 'POST /register', { email, password });
  expect(ann.role).toBe('client');
  const { token } = (await ask(mock, 'POST /login', { email, password })).body;
  const headers = { authorization: `Bearer ${token}` };
  expect((await ask(mock, 'GET /wallets', undefined, headers)).body).toEqual([]);
  const { body: made } = await ask(mock, 'POST /wallets', { name: 'Trip' }, headers);
  expect((await ask(mock, 'GET /wallets', undefined, headers)).body).toEqual([made]);
  expect((await ask(mock, 'GET /wallets')).body).toHaveLength(6);
  await ask(mock, 'PATCH /me', { user: { bio: 'Hello' } }, headers);
  expect((await ask(mock, 'GET /me', undefined, headers)).body).toMatchObject({ email, bio: 'Hello' });
  const { body: written } = await ask(mock, 'POST /posts', { body: 'New' });
  expect((await ask(mock, 'GET /feed')).body).toContainEqual(written);
  const following = async (method: string) =>
    (await ask(mock, `${method} /users/bob/follow`)).body.data.following;
  expect([await following('POST'), await following('DELETE')]).toEqual([true, false]);
});

test('all records are marked at once; what is made below others is removed by its id alone', async () => {
  const note = object({ id: number, title: text, read: flag }, ['id', 'read']);
  const reply = object({ id: number, body: text });
  const mock = await serve({
    '/notes': { get: gives(list(note)) },
    '/notes/{id}': { parameters: [at('id')], get: gives(note) },
    '/notes/read-all': { post: { responses: { 200: { description: 'Done' } } } },
    '/notes/{note_id}/replies': {
      parameters: [at('note_id')],
      get: gives(list(reply)),
      post: { ...must(object({ body: text })), ...gives(reply, 201) },
    },
    '/replies/{id}': { parameters: [at('id')], delete: gone },
  });
  await ask(mock, 'POST /notes/read-all');
  const { body } = await ask(mock, 'GET /notes');
  expect(body.map(({ read }: { read: boolean }) => read)).toEqual([true, true, true, true, true]);
  const { body: made } = await ask(mock, 'POST /notes/2/replies', { body: 'Yes' });
  expect((await ask(mock, 'GET /notes/2/replies')).body).toContainEqual(made);
  expect((await ask(mock, `DELETE /replies/${made.id}`)).status).toBe(204);
  expect((await ask(mock, 'GET /notes/2/replies')).body).not.toContainEqual(made);
});

test('one record is found by what its path or its query says, others by a part of a name or a span of time', async () => {
  const guest = { $ref: '#/components/schemas/Guest' };
  const stay = object({
    id: number,
    guest_id: number,
    guest,
    starts_at: { type: 'string', format: 'date-time' },
  });
  const Guest = object({ id: number, first_name: text, last_name: text, phone_number: text, tg_id: number });
  const span = { parameters: [asked('startDate'), asked('endDate')] };
  const mock = await serve(
    {
      '/guests': { get: gives(list(guest)), post: { ...must(guest), ...gives(guest, 201) } },
      '/guests/{id}': { parameters: [at('id')], get: gives(guest) },
      '/guests/search': { get: { parameters: [asked('phone')], ...gives(guest) } },
      '/guests/filter': { get: { parameters: [asked('name')], ...gives(list(guest)) } },
      '/guests/telegram/{tg_id}': { parameters: [at('tg_id')], get: gives(guest) },
      '/stays': { get: { ...span, ...gives(list(stay)) }, post: { ...must(stay), ...gives(stay, 201) } },
    },
    { components: { schemas: { Guest } } },
  );
  const sent = { first_name: 'Vera', last_name: 'Orlova', tg_id: 55, phone_number: '441' };
  const { body: vera } = await ask(mock, 'POST /guests', sent);
  for (const path of ['search?phone=441', 'telegram/55'])
    expect((await ask(mock, `GET /guests/${path}`)).body).toEqual(vera);
  expect((await ask(mock, 'GET /guests/search?phone=442')).status).toBe(404);
  expect((await ask(mock, 'GET /guests/filter?name=orl')).body).toEqual([vera]);
  await ask(mock, 'POST /stays', { guest_id: vera.id, starts_at: '2031-05-02T10:00:00Z' });
  const { body } = await ask(mock, 'GET /stays?startDate=2031-05-01&endDate=2031-06-01');
  expect(body).toMatchObject([{ guest: vera }]);
  expect((await ask(mock, 'GET /stays?startDate=2031-06-01&endDate=2031-07-01')).body).toEqual([]);
});

test('what is made below a record, or uploaded, is kept where examples or requests alone describe it', async () => {
  const empty = { responses: { 200: { description: '' }, 404: { description: '' } } };
  const mock = await serve({
    '/notes': { get: empty, post: { ...must(object({ title: text })), ...empty } },
    '/notes/{id}': { parameters: [at('id')], get: empty },
    '/notes/{noteId}/replies': {
      parameters: [at('noteId')],
      post: { ...must(object({ body: text })), ...empty },
    },
    '/replies/{id}': { parameters: [at('id')], delete: empty },
    '/tests/upload': {
      post: { ...must(object({ name: text })), ...gives({ example: { id: 'abc', name: 'Test' } }, 201) },
    },
    '/tests/{id}': { parameters: [at('id', text)], delete: empty },
  });
  const tries = async (path: string) =>
    [await ask(mock, `DELETE ${path}`), await ask(mock, `DELETE ${path}`)].map((one) => one.status);
  const { body: reply } = await ask(mock, 'POST /notes/1/replies', { body: 'Yes' });
  expect([reply.body, await tries(`/replies/${reply.id}`)]).toEqual(['Yes', [200, 404]]);
  const { body: made } = await ask(mock, 'POST /tests/upload', { name: 'Algebra' });
  expect([made.name, await tries(`/tests/${made.id}`)]).toEqual(['Algebra', [200, 404]]);
});
