import { expect, test } from 'vitest';
import { done, gives, list, number, object, ref, takes, text } from '../../testing/described.ts';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const at = (name: string, schema: object = number) => ({ name, in: 'path', required: true, schema });

const STATES = { type: 'string', enum: ['Pendiente', 'Cancelada'] };
const schemas = {
  Berth: object({
    id: number,
    name: text,
    status: text,
    fee: { type: 'number' },
    dryDock: { type: 'boolean' },
  }),
  Stay: object({ id: number, idBerth: number, estado: STATES, note: text }),
};
const berth = { parameters: [at('id')] };
const paths = {
  '/berths': {
    get: { ...takes(object({ wanted: text }), true), ...gives(list(ref('Berth'))) },
    post: { ...takes(object({ name: text })), ...gives(ref('Berth'), 201) },
  },
  '/berths/{id}': { ...berth, get: gives(ref('Berth')), put: { ...takes(object({ name: text })), ...done } },
  '/berths/{id}/archive': { ...berth, post: done },
  '/berths/{id}/unarchive': { ...berth, post: done },
  '/berths/{id}/update-name': { ...berth, patch: { ...takes(text), ...done } },
  '/berths/{id}/status/{status}': { parameters: [at('id'), at('status', text)], patch: done },
  '/berths/{id}/stays': { ...berth, get: gives(list(ref('Stay'))) },
  '/stays/mias': { get: gives(list(ref('Stay'))) },
  '/stays': { post: { ...takes(object({ idBerth: number, note: text })), ...gives(ref('Stay'), 201) } },
  '/stays/{id}/cancelar': { parameters: [at('id')], patch: gives(ref('Stay')) },
  '/crew': {
    get: gives(list(object({ id: number, name: text, berthId: number }))),
  },
  '/crew/{id}': { parameters: [at('id')], get: gives(object({ id: number, name: text, berthId: number })) },
  '/crew/{berthId}': {
    parameters: [at('berthId')],
    post: { ...takes(object({ name: text })), ...gives(object({ id: number, name: text }), 201) },
  },
  '/notify': {
    post: {
      ...takes(object({ berth_id: number })),
      ...gives(object({ ok: { type: 'boolean' }, data: object({ berth_id: number, at: text }) })),
    },
  },
};

const serve = () => serveText(documentOf(paths, { components: { schemas } }), { count: 3 });

test('a GET needs no body; a new record counts nothing; verbs set a state of free text, and a path what it names', async () => {
  const mock = await serve();
  expect((await ask(mock, 'GET /berths')).body).toHaveLength(3);
  const { body: made } = await ask(mock, 'POST /berths', { name: 'North' });
  expect(made).toEqual({ id: 4, name: 'North', fee: 0, dryDock: false });
  await ask(mock, 'POST /berths/1/archive');
  expect((await ask(mock, 'GET /berths/1')).body.status).toBe('archived');
  await ask(mock, 'POST /berths/1/unarchive');
  expect((await ask(mock, 'GET /berths/1')).body.status).toBe('active');
  await ask(mock, 'PATCH /berths/1/status/leased');
  expect((await ask(mock, 'PATCH /berths/1/update-name', '"South"')).status).toBe(200);
  expect((await ask(mock, 'GET /berths/1')).body).toMatchObject({ status: 'leased', name: 'South' });
});

test('what is made beside the list of ones own is there, of the record that its id names, and is cancelled', async () => {
  const mock = await serve();
  const { body: stay } = await ask(mock, 'POST /stays', { idBerth: 2, note: 'Late' });
  expect(stay).toMatchObject({ idBerth: 2, estado: 'Pendiente' });
  expect((await ask(mock, 'GET /stays/mias')).body).toContainEqual(stay);
  const { body: below } = await ask(mock, 'GET /berths/2/stays');
  expect(below).toContainEqual(stay);
  expect(new Set(below.map((one: { idBerth: number }) => one.idBerth))).toEqual(new Set([2]));
  const { body } = await ask(mock, `PATCH /stays/${stay.id}/cancelar`);
  expect(body).toEqual({ ...stay, estado: 'Cancelada' });
});

test('a POST below the id of another collection makes a record; an envelope shows what was sent', async () => {
  const mock = await serve();
  const { body: made } = await ask(mock, 'POST /crew/2', { name: 'Ann' });
  expect((await ask(mock, `GET /crew/${made.id}`)).body).toMatchObject({ name: 'Ann', berthId: 2 });
  const { body } = await ask(mock, 'POST /notify', { berth_id: 77 });
  expect(body.data.berth_id).toBe(77);
});

test('a record of JSON:API is merged within its attributes, and keeps its kind where classes close each their own members', async () => {
  const closed = { type: 'object', additionalProperties: false };
  const mapping = { buoys: '#/components/schemas/Buoy' };
  const inherited = {
    Base: {
      ...{
        ...closed,
        required: ['type'],
        properties: { type: { type: 'string', enum: ['buoys', 'piers'] } },
      },
      discriminator: { propertyName: 'type', mapping },
    },
    Buoy: {
      allOf: [
        ref('Base'),
        { ...closed, properties: { id: text, attributes: { ...object({ light: text, depth: number }) } } },
      ],
      additionalProperties: false,
    },
  };
  const document = object({ data: ref('Buoy') });
  const api = (schema: object) => ({ content: { 'application/vnd.api+json': { schema } } });
  const answer = (status: number) => ({ responses: { [status]: { description: 'Done', ...api(document) } } });
  const mock = await serveText(
    documentOf(
      {
        '/buoys': { post: { requestBody: api(document), ...answer(201) } },
        '/buoys/{id}': {
          parameters: [at('id', text)],
          get: answer(200),
          patch: { requestBody: api(document), ...answer(200) },
        },
      },
      { components: { schemas: inherited } },
    ),
  );
  const headers = { 'content-type': 'application/vnd.api+json' };
  const send = (line: string, attributes: object) =>
    ask(mock, line, { data: { type: 'buoys', attributes } }, headers);
  const { body: made } = await send('POST /buoys', { light: 'red', depth: 3 });
  const { body } = await send(`PATCH /buoys/${made.data.id}`, { depth: 4 });
  expect(body.data).toEqual({ ...made.data, type: 'buoys', attributes: { light: 'red', depth: 4 } });
});

test('a verb behind the noun, and one behind the id, are as those before; my jobs are some of the jobs', async () => {
  const job = object({ id: number, title: text, pay: number });
  const list = { type: 'array', items: object({ id: number, title: text }) };
  const mock = await serveText(
    documentOf({
      '/jobs': { get: gives({ type: 'array', items: job }) },
      '/jobs/{id}': { parameters: [at('id')], get: gives(job) },
      '/my-jobs': { get: gives(list) },
      '/job-create': { post: { ...takes(object({ title: text })), ...gives(job) } },
      '/jobs/{id}/edit': {
        parameters: [at('id')],
        post: { ...takes(object({ title: text })), ...gives(job) },
      },
      '/jobs/{id}/delete': { parameters: [at('id')], post: done },
    }),
    { count: 2 },
  );
  const { body: made } = await ask(mock, 'POST /job-create', { title: 'Potter' });
  expect((await ask(mock, 'GET /my-jobs')).body).toContainEqual({ id: made.id, title: 'Potter' });
  await ask(mock, `POST /jobs/${made.id}/edit`, { title: 'Turner' });
  expect((await ask(mock, `GET /jobs/${made.id}`)).body.title).toBe('Turner');
  await ask(mock, `POST /jobs/${made.id}/delete`);
  expect((await ask(mock, `GET /jobs/${made.id}`)).status).toBe(404);
});

test('a PUT of a collection changes the record that a member of its body names', async () => {
  const knot = object({ id: number, name: text });
  const mock = await serveText(
    documentOf({
      '/knots': {
        get: gives({ type: 'array', items: knot }),
        put: { ...takes(object({ knotId: number, name: text })), ...done },
      },
      '/knots/{id}': { parameters: [at('id')], get: gives(knot) },
    }),
    { count: 3 },
  );
  await ask(mock, 'PUT /knots', { knotId: 2, name: 'Bowline' });
  const { body } = await ask(mock, 'GET /knots');
  expect(body.filter((one: { name: string }) => one.name === 'Bowline')).toEqual([
    { id: 2, name: 'Bowline' },
  ]);
});

test('a create that responds with an id alone, and lists beside it that show less, are of one collection', async () => {
  const uuid = { type: 'string', format: 'uuid' };
  const members = { title: text, author: text, pages: number };
  const lists = (of: string) => gives(list(ref(of)));
  const boat = { ...at('id', uuid) };
  const mock = await serveText(
    documentOf(
      {
        '/admin/books': { get: lists('Book'), post: { ...takes(ref('NewBook')), ...gives(uuid) } },
        '/admin/books/{id}': { parameters: [boat], get: gives(ref('Book')) },
        '/books': { get: lists('ShownBook') },
        '/books/{id}': { parameters: [boat], get: gives(ref('ShownBook')) },
        '/books/author': {
          get: { parameters: [{ name: 'author', in: 'query', schema: text }], ...lists('Book') },
        },
        '/loans/author': {
          get: { parameters: [{ name: 'author', in: 'query', schema: text }], ...lists('Loan') },
        },
        '/loans': { post: { ...takes(object({ author: text })), ...gives(uuid) } },
      },
      {
        components: {
          schemas: {
            NewBook: object({ ...members, hidden: { type: 'boolean' } }),
            Book: object({ id: uuid, ...members, hidden: { type: 'boolean' } }),
            ShownBook: object({ id: uuid, ...members }),
            Loan: object({ id: uuid, author: text }),
          },
        },
      },
    ),
    { count: 3 },
  );
  const sent = { title: 'Tides', author: 'Ann', pages: 90 };
  const { body: id } = await ask(mock, 'POST /admin/books', { ...sent, hidden: false });
  expect((await ask(mock, `GET /admin/books/${id}`)).body).toEqual({ id, ...sent, hidden: false });
  expect((await ask(mock, `GET /books/${id}`)).body).toMatchObject({ id, ...sent });
  expect((await ask(mock, 'GET /books')).body).toContainEqual(expect.objectContaining({ id, ...sent }));
  const { body: loan } = await ask(mock, 'POST /loans', { author: 'Ann' });
  expect((await ask(mock, 'GET /loans/author?author=Ann')).body).toEqual([{ id: loan, author: 'Ann' }]);
});

test('what a Spring service does not describe is there all the same, and the name of its record stands around what is sent', async () => {
  const any = {
    responses: { 200: { description: 'OK', content: { '*/*': { schema: { type: 'object' } } } } },
  };
  const parts = list(object({ metal: text, weight: number }));
  const ring = object({ id: number, name: text, parts });
  const mock = await serveText(
    documentOf({
      '/rings/ring': {
        post: { ...takes(object({ ringRequest: object({ name: text }), images: list(text) })), ...any },
      },
      '/rings/all': { get: any },
      '/rings/{id}': { parameters: [at('id')], get: gives(ring) },
    }),
    { count: 3 },
  );
  const { body: made } = await ask(mock, 'POST /rings/ring', { ringRequest: { name: 'Band' }, images: [] });
  expect(made).toMatchObject({ id: 4, name: 'Band' });
  expect((await ask(mock, 'GET /rings/4')).body).toMatchObject({ id: 4, name: 'Band' });
  expect((await ask(mock, 'GET /rings/all')).body).toHaveLength(4);
});

test('who can register and has not is not let in, and an administrator whom nobody registers is', async () => {
  const credentials = takes(object({ email: text, password: text }));
  const token = gives(object({ token: text }));
  const mock = await serveText(
    documentOf({
      '/auth/register': { post: { ...credentials, ...token } },
      '/auth/login': { post: { ...credentials, ...token } },
      '/admin/login': { post: { ...credentials, ...token } },
    }),
  );
  const ann = { email: 'ann@example.com', password: 'harbour' };
  expect((await ask(mock, 'POST /auth/login', ann)).status).toBe(401);
  expect((await ask(mock, 'POST /auth/register', ann)).status).toBe(200);
  expect((await ask(mock, 'POST /auth/login', ann)).status).toBe(200);
  expect((await ask(mock, 'POST /admin/login', ann)).status).toBe(200);
});
