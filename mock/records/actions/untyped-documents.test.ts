import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

/** Documents as frameworks and small teams write them, with what a front end still expects of each kind. */

const text = { type: 'string' };
const number = { type: 'integer' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const list = (items: object) => ({ type: 'array', items });
const json = (schema: object, type = 'application/json') => ({ content: { [type]: { schema } } });
const gives = (schema: object, status = 200, type?: string) => ({
  responses: { [status]: { description: 'Done', ...json(schema, type) } },
});
const takes = (schema: object, type?: string) => ({ requestBody: json(schema, type) });
const done = { responses: { 200: { description: 'Done' } } };
const at = (name: string, schema: object = number) => ({ name, in: 'path', required: true, schema });
const asked = (name: string, schema: object = text) => ({ name, in: 'query', schema });
const serve = (paths: object) => serveText(documentOf(paths), { count: 3 });

const CARD = object({ id: text, title: text, label: text });
const NEW = object({ title: text, label: text });

test('a GET lists where its response shows one record, a POST beside it makes one, and there are items', async () => {
  const mock = await serve({
    '/cards': { get: gives(CARD), post: { ...takes(NEW), ...gives(CARD, 201) } },
    '/cards/:cardId': { parameters: [at('cardId', text)], get: gives(CARD), delete: done },
  });
  const { body } = await ask(mock, 'POST /cards', { title: 'One' });
  expect((await ask(mock, 'GET /cards')).body).toContainEqual(expect.objectContaining(body));
  expect((await ask(mock, `GET /cards/${body.id}`)).body.title).toBe('One');
  const CART = object({ id: text, title: text, total: number });
  const cart = await serve({
    '/cart': { get: gives(CART), post: { ...takes(NEW), ...gives(CART) } },
    '/cart/{itemId}': { parameters: [at('itemId')], delete: gives(CART) },
  });
  expect((await ask(cart, 'GET /cart')).body).not.toBeInstanceOf(Array);
});

test('lists without the schema of their records, mirrors, and views by a key and by a text', async () => {
  const TEST = object({ patientID: number, name: text });
  const mock = await serve({
    '/staff/tests': { post: { ...takes(object({ data: TEST })), ...done } },
    '/staff/tests/{id}': { parameters: [at('id')], delete: done },
    '/public/tests': { get: gives(object({ data: { type: 'array' } })) },
    '/visits': { get: done, post: { ...takes(TEST), ...done } },
    '/visits/{id}': { parameters: [at('id')], get: done },
    '/visits/patient/{patientId}': { parameters: [at('patientId')], get: done },
    '/visits/search': { get: { parameters: [asked('keyword')], ...done } },
  });
  await ask(mock, 'POST /staff/tests', { data: { patientID: 7, name: 'Blood' } });
  const tests = (await ask(mock, 'GET /public/tests')).body.data;
  expect(tests).toContainEqual(expect.objectContaining({ patientID: 7, name: 'Blood' }));
  const visit = (await ask(mock, 'POST /visits', { patientID: 77, name: 'Xylophone' })).body;
  expect((await ask(mock, 'GET /visits/patient/77')).body).toEqual([visit]);
  expect((await ask(mock, 'GET /visits/search?keyword=xylo')).body).toEqual([visit]);
});

test('records are in the list of an envelope that lists and creates share, beside what else it has', async () => {
  const around = object({ message: text, result: { type: 'array', items: {} } });
  const mock = await serve({
    '/keys': { get: gives(around), post: { ...takes(NEW), ...gives(around, 201) } },
    '/keys/{id}': { parameters: [at('id', text)], get: done, delete: done },
  });
  await ask(mock, 'POST /keys', { title: 'One', label: 'A' });
  expect((await ask(mock, 'GET /keys')).body).toEqual({
    message: expect.any(String),
    result: expect.arrayContaining([expect.objectContaining({ title: 'One', label: 'A' })]),
  });
});

test('a parent is known by a number called as it, by an object, and whatever type its parameter has', async () => {
  const TAG = object({ id: number, name: text });
  const TASK = object({ id: number, title: text, project: number });
  const MEMBER = object({ id: number, name: text, project: object({ id: number, name: text }) });
  const named = (name: string) => object({ [name]: text });
  const mock = await serve({
    '/projects': { get: gives(list(TAG)), post: { ...takes(named('name')), ...gives(TAG, 201) } },
    '/projects/{id}': { parameters: [at('id')], get: gives(TAG) },
    '/projects/{project_id}/tasks': {
      parameters: [at('project_id', text)],
      get: gives(list(TASK)),
      post: { ...takes(named('title')), ...gives(TASK, 201) },
    },
    '/projects/{project_id}/members': { parameters: [at('project_id')], get: gives(list(MEMBER)) },
    '/members': {
      post: { ...takes(object({ name: text, projectId: number })), ...gives(MEMBER, 201) },
    },
    '/projects/{projectId}/tags': {
      get: { parameters: [at('projectId')], ...gives(list(TAG)) },
      post: { parameters: [at('projectId')], ...takes(named('name')), ...gives(TAG, 201) },
    },
    '/projects/{projectId}/tags/{id}': { parameters: [at('projectId', {}), at('id')], get: gives(TAG) },
  });
  const task = (await ask(mock, 'POST /projects/2/tasks', { title: 'Sow' })).body;
  expect(task.project).toBe(2);
  expect((await ask(mock, 'GET /projects/2/tasks')).body).toContainEqual(task);
  expect((await ask(mock, 'GET /projects/3/tasks')).body).not.toContainEqual(task);
  const member = (await ask(mock, 'POST /members', { name: 'Ann', projectId: 2 })).body;
  const members = (await ask(mock, 'GET /projects/2/members')).body;
  expect(members).toContainEqual(expect.objectContaining({ id: member.id, name: 'Ann' }));
  expect(members.every((one: { project: { id: number } }) => one.project.id === 2)).toBe(true);
  const tag = (await ask(mock, 'POST /projects/2/tags', { name: 'red' })).body;
  expect((await ask(mock, `GET /projects/2/tags/${tag.id}`)).body).toEqual(tag);
});

const API = 'application/vnd.api+json';

test('members below attributes filter, order, are set by actions, and relationships name parents', async () => {
  const STATES = { type: 'string', enum: ['draft', 'published'] };
  const attributes = object({ title: text, status: STATES });
  const author = object({ data: object({ id: text, type: text }) });
  const BOOK = object({ id: text, type: text, attributes, relationships: object({ author }) });
  const AUTHOR = object({ id: text, type: text, attributes: object({ name: text }) });
  const data = (schema: object) => object({ data: schema });
  const mock = await serve({
    '/authors': { get: gives(data(list(AUTHOR)), 200, API) },
    '/authors/{id}': { parameters: [at('id', text)], get: gives(data(AUTHOR), 200, API) },
    '/authors/{author_id}/books': {
      parameters: [at('author_id', text)],
      get: gives(data(list(BOOK)), 200, API),
    },
    '/books': {
      get: {
        parameters: [asked('filter[status]'), asked('filter[author]'), asked('sort')],
        ...gives(data(list(BOOK)), 200, API),
      },
      post: { ...takes(data(BOOK), API), ...gives(data(BOOK), 201, API) },
    },
    '/books/{id}': { parameters: [at('id', text)], get: gives(data(BOOK), 200, API) },
    '/books/{id}/publish': { parameters: [at('id', text)], post: gives(data(BOOK), 200, API) },
  });
  const type = { 'content-type': API };
  const [{ id: of }] = (await ask(mock, 'GET /authors')).body.data;
  const made = (title: string) => ({
    data: {
      ...{ type: 'books', attributes: { title, status: 'draft' } },
      relationships: { author: { data: { id: of, type: 'authors' } } },
    },
  });
  const book = (await ask(mock, 'POST /books', made('Zebras'), type)).body.data;
  await ask(mock, 'POST /books', made('Aardvarks'), type);
  const titles = async (target: string) =>
    (await ask(mock, target)).body.data.map((one: typeof book) => one.attributes.title);
  expect(await titles(`GET /books?filter[author]=${of}&sort=title`)).toEqual(['Aardvarks', 'Zebras']);
  expect(await titles(`GET /authors/${of}/books`)).toEqual(['Zebras', 'Aardvarks']);
  await ask(mock, `POST /books/${book.id}/publish`);
  expect((await ask(mock, `GET /books/${book.id}`)).body.data.attributes.status).toBe('published');
  expect(await titles(`GET /books?filter[status]=published&filter[author]=${of}`)).toEqual(['Zebras']);
});

test('values and ids of the query, without a body and without an id in the path', async () => {
  const ORDER = object({ orderID: number, status: { ...text, enum: ['open', 'late'] }, clerk: text });
  const mock = await serve({
    '/Order/GetAllOrder': { get: gives(list(ORDER)) },
    '/Order/GetOrderByID': { get: { parameters: [asked('orderID', number)], ...gives(ORDER) } },
    '/Order/CreateOrder': { post: { ...takes(object({ clerk: text })), ...gives(ORDER, 201) } },
    '/Order/UpdateOrder': {
      put: { parameters: [asked('orderID', number)], ...takes(object({ clerk: text })), ...gives(ORDER) },
    },
    '/jobs': { get: gives(list(object({ id: number, status: text, clerk: text }))) },
    '/jobs/{id}/assign': { post: { parameters: [at('id'), asked('clerk')], ...done } },
    '/jobs/{id}/status': { patch: { parameters: [at('id'), asked('new_status')], ...done } },
  });
  const { orderID } = (await ask(mock, 'POST /Order/CreateOrder', { clerk: 'Ann' })).body;
  await ask(mock, `PUT /Order/UpdateOrder?orderID=${orderID}`, { clerk: 'Bea' });
  expect((await ask(mock, `GET /Order/GetOrderByID?orderID=${orderID}`)).body.clerk).toBe('Bea');
  expect((await ask(mock, 'GET /Order/GetAllOrder')).body).toHaveLength(4);
  await ask(mock, 'POST /jobs/2/assign?clerk=Cy');
  await ask(mock, 'PATCH /jobs/2/status?new_status=late');
  expect((await ask(mock, 'GET /jobs')).body[1]).toMatchObject({ id: 2, clerk: 'Cy', status: 'late' });
});

test('an object around an id is the id, and an id shows its optional object and its copies', async () => {
  const KIND = object({ id: number, name: text });
  const TOOL = object({ id: number, name: text, kindId: number, kind_name: text });
  const LOAN = object({ id: number, tool_id: number, tool: TOOL, note: text });
  const mock = await serve({
    '/kinds': { get: gives(list(KIND)) },
    '/kinds/{id}': { parameters: [at('id')], get: gives(KIND) },
    '/tools': {
      get: gives(list(TOOL)),
      post: { ...takes(object({ name: text, kind: object({ id: number }) })), ...gives(TOOL, 201) },
    },
    '/tools/{id}': { parameters: [at('id')], get: gives(TOOL) },
    '/loans': { post: { ...takes(object({ tool_id: number, note: text })), ...gives(LOAN, 201) } },
    '/loans/{id}': { parameters: [at('id')], get: gives(LOAN) },
  });
  const tool = (await ask(mock, 'POST /tools', { name: 'Saw', kind: { id: 2 } })).body;
  const kind = (await ask(mock, 'GET /kinds/2')).body;
  expect(tool).toMatchObject({ name: 'Saw', kindId: 2, ...(kind.name && { kind_name: kind.name }) });
  const loan = (await ask(mock, 'POST /loans', { tool_id: tool.id, note: 'x' })).body;
  expect((await ask(mock, `GET /loans/${loan.id}`)).body.tool).toMatchObject({ id: tool.id, name: 'Saw' });
});

test('verbs below users register and change accounts, and what hands out a token logs in', async () => {
  const secured = { security: [{ key: [] }] };
  const USER = object({ username: text, email: text });
  const mock = await serveText(
    documentOf(
      {
        '/users': { get: { ...secured, ...gives(list(USER)) } },
        '/users/create': {
          post: { ...takes(object({ username: text, password: text })), ...gives(USER, 201) },
        },
        '/users/token': {
          post: { ...takes(object({ username: text, password: text })), ...gives(object({ access: text })) },
        },
        '/users/update': { patch: { ...secured, ...takes(object({ email: text })), ...gives(USER) } },
        '/auth/chat': {
          post: { ...takes(object({ signature: text })), ...gives(object({ accessToken: text })) },
        },
      },
      { components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } } },
    ),
    { count: 3 },
  );
  const ann = { username: 'ann', password: 'Secret-1' };
  await ask(mock, 'POST /users/create', ann);
  expect((await ask(mock, 'POST /users/token', { ...ann, password: 'other' })).status).toBe(401);
  const { access } = (await ask(mock, 'POST /users/token', ann)).body;
  const own = await ask(
    mock,
    'PATCH /users/update',
    { email: 'ann@x.io' },
    { authorization: `Bearer ${access}` },
  );
  expect(own.body).toEqual({ username: 'ann', email: 'ann@x.io' });
  const { accessToken } = (await ask(mock, 'POST /auth/chat', { signature: 'x' })).body;
  expect((await ask(mock, 'GET /users', undefined, { authorization: `Bearer ${accessToken}` })).status).toBe(
    200,
  );
});

test('what x-paddock says of one path leaves what verbs say of the others, and a list is one whatever is shown', async () => {
  const one = { parameters: [at('id', text)] };
  const mock = await serve({
    '/toys': { get: { 'x-paddock': { list: true }, ...gives(CARD) } },
    '/toys/create': { post: { ...takes(NEW), ...gives(CARD, 201) } },
    '/toys/get/{id}': { ...one, get: gives(CARD) },
    '/toys/update/{id}': { ...one, put: { 'x-paddock': { update: true }, ...takes(NEW), ...done } },
  });
  const { id } = (await ask(mock, 'POST /toys/create', { title: 'Bear', label: 'soft' })).body;
  await ask(mock, `PUT /toys/update/${id}`, { title: 'Lion' });
  expect((await ask(mock, `GET /toys/get/${id}`)).body).toEqual({ id, title: 'Lion', label: 'soft' });
  expect((await ask(mock, 'GET /toys')).body).toHaveLength(4);
});

test('an empty text in a query chooses nothing', async () => {
  const mock = await serve({
    '/cards': { get: { parameters: [asked('label'), asked('search')], ...gives(list(CARD)) } },
    '/cards/{id}': { parameters: [at('id', text)], get: gives(CARD) },
  });
  expect((await ask(mock, 'GET /cards?label=&search=')).body).toHaveLength(3);
});
