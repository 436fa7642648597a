import { expect, test } from 'vitest';
import { done, gives, list, number, object, ref, takes, text } from '../../testing/described.ts';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const at = (...names: string[]) => ({
  parameters: names.map((name) => ({
    ...{ name, in: 'path', required: true },
    schema: name.endsWith('d') ? number : text,
  })),
});
const serve = (paths: object, schemas: object, more: object = {}) =>
  serveText(documentOf(paths, { components: { schemas, ...more } }), { count: 3 });

test('a record with items and a total is one record, and not a page', async () => {
  const line = object({ id: number, cargoId: number, quantity: number });
  const Order = object({ _id: text, buyer: text, totalAmount: { type: 'number' }, items: list(line) });
  const mock = await serve(
    {
      '/orders': {
        get: gives(list(ref('Order'))),
        post: { ...takes(object({ buyer: text })), ...gives(ref('Order'), 201) },
      },
      '/orders/{id}': { ...at('code'), get: gives(ref('Order')) },
    },
    { Order },
  );
  const { body: made } = await ask(mock, 'POST /orders', { buyer: 'Ann' });
  expect((await ask(mock, `GET /orders/${made._id}`)).body).toEqual(made);
  expect((await ask(mock, 'GET /orders/none')).status).toBe(404);
});

test('a create that shows the id under the name of the record, and nothing else of it, shows that of what it made', async () => {
  const Request = object({ id: number, title: text });
  const mock = await serve(
    {
      '/requests': {
        get: gives(list(ref('Request'))),
        post: { ...takes(object({ title: text })), ...gives(object({ request_id: number, url: text }), 202) },
      },
      '/requests/{id}': { ...at('id'), get: gives(ref('Request')) },
    },
    { Request },
  );
  const { body: made } = await ask(mock, 'POST /requests', { title: 'Berth' });
  expect((await ask(mock, `GET /requests/${made.request_id}`)).body).toEqual({ id: 4, title: 'Berth' });
});

test('where another service logs in, who has the key has made what is made, and is called so beside the id', async () => {
  const security = [{ session: [] }];
  const made = { readOnly: true };
  const Trip = object({ id: number, title: text, creator: { ...number, ...made }, creator_name: text });
  const mock = await serve(
    {
      '/me': { get: { security, ...gives(object({ id: number, username: text })) } },
      '/trips': {
        get: gives(list(ref('Trip'))),
        post: { security, ...takes(object({ title: text })), ...gives(ref('Trip'), 201) },
      },
      '/trips/{id}': { ...at('id'), get: gives(ref('Trip')) },
    },
    { Trip },
    { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
  );
  const { body: me } = await ask(mock, 'GET /me');
  const { body: trip } = await ask(mock, 'POST /trips', { title: 'Isles' });
  expect(trip).toMatchObject({ creator: me.id, creator_name: me.username });
  expect((await ask(mock, 'GET /me')).body).toEqual(me);
});

test('an id in an object of its own names a record; links alone do not describe one; a create without a schema shows it', async () => {
  const id = object({ value: { ...text, format: 'uuid' } });
  const Race = object({ id, name: text, state: { type: 'string', enum: ['DRAFT', 'ACTIVE'] } });
  const mock = await serve(
    {
      '/races': {
        get: gives(object({ _embedded: object({ races: list(ref('Race')) }) })),
        post: { ...takes(object({ name: text })), ...done },
      },
      '/races/{key}': { ...at('key'), get: gives(object({ _links: { type: 'object' } })), delete: done },
    },
    { Race },
  );
  const { body: made } = await ask(mock, 'POST /races', { name: 'Spring' });
  const races = (await ask(mock, 'GET /races')).body._embedded.races;
  expect(races).toHaveLength(4);
  expect(races).toContainEqual({ id: made.id, name: 'Spring', state: 'DRAFT' });
  expect((await ask(mock, `DELETE /races/${made.id.value}`)).status).toBe(200);
  expect((await ask(mock, 'GET /races')).body._embedded.races).toHaveLength(3);
});

const Dock = object({
  ...{ id: number, name: text, places: number, closed: { type: 'boolean' } },
});
const docks = {
  '/docks': {
    get: gives(list(ref('Dock'))),
    post: { ...takes(object({ name: text, places: number })), ...gives(ref('Dock'), 201) },
  },
  '/docks/{id}': { ...at('id'), get: gives(ref('Dock')) },
  '/docks/name/{name}': { ...at('name'), get: gives(ref('Dock')), delete: done },
  '/docks/close/{id}': { ...at('id'), post: done },
  '/docks/{id}/favorite': { ...at('id'), post: done, delete: done },
  '/docks/{id}/progress': { ...at('id'), post: done },
  '/me/favorites': { get: gives(list(ref('Dock'))) },
  '/me/progress': { get: gives(list(ref('Dock'))) },
  '/docks/filter': { post: { ...takes(object({ minPlaces: number })), ...gives(list(ref('Dock'))) } },
};

test('another member in the path names a record to read and to remove; a search in a body searches; a verb before an id acts', async () => {
  const mock = await serve(docks, { Dock });
  const { body: made } = await ask(mock, 'POST /docks', { name: 'West', places: 5000 });
  expect((await ask(mock, 'GET /docks/name/West')).body).toEqual(made);
  expect((await ask(mock, 'GET /docks/name/Nowhere')).status).toBe(404);
  expect((await ask(mock, 'POST /docks/filter', { minPlaces: 5000 })).body).toEqual([made]);
  await ask(mock, `POST /docks/close/${made.id}`);
  expect((await ask(mock, `GET /docks/${made.id}`)).body).toEqual({ ...made, closed: true });
  await ask(mock, 'DELETE /docks/name/West');
  expect((await ask(mock, `GET /docks/${made.id}`)).status).toBe(404);
  expect((await ask(mock, 'GET /docks')).body).toHaveLength(3);
});

test('the list of ones own at a verb shows what one has done it to', async () => {
  const mock = await serve(
    {
      ...docks,
      '/register': { post: { ...takes(object({ username: text, password: text })), ...done } },
      '/login': {
        post: { ...takes(object({ username: text, password: text })), ...gives(object({ token: text })) },
      },
    },
    { Dock },
  );
  const ann = { username: 'ann', password: 'a long one' };
  await ask(mock, 'POST /register', ann);
  const { token } = (await ask(mock, 'POST /login', ann)).body;
  const headers = { authorization: `Bearer ${token}` };
  const favorites = async () =>
    (await ask(mock, 'GET /me/favorites', undefined, headers)).body.map((one: { id: number }) => one.id);
  expect(await favorites()).toEqual([]);
  await ask(mock, 'POST /docks/2/favorite', undefined, headers);
  expect(await favorites()).toEqual([2]);
  await ask(mock, 'DELETE /docks/2/favorite', undefined, headers);
  expect(await favorites()).toEqual([]);
  expect((await ask(mock, 'GET /me/progress', undefined, headers)).body).toEqual([]);
  await ask(mock, 'POST /docks/1/progress', undefined, headers);
  expect((await ask(mock, 'GET /me/progress', undefined, headers)).body).toHaveLength(1);
});

test('a POST whose path names records of others makes one of them all', async () => {
  const named = (name: string) => object({ id: number, [name]: text });
  const of = (name: string) => ({ get: gives(list(named(name))) });
  const Loan = object({ id: number, memberId: number, boatId: number });
  const mock = await serve(
    {
      '/members': of('name'),
      '/members/{id}': { ...at('id'), get: gives(named('name')) },
      '/boats': of('sail'),
      '/boats/{id}': { ...at('id'), get: gives(named('sail')) },
      '/loans': { get: gives(list(ref('Loan'))) },
      '/loans/{id}': { ...at('id'), get: gives(ref('Loan')) },
      '/loans/{memberId}/{boatId}': { ...at('memberId', 'boatId'), post: gives(ref('Loan')) },
    },
    { Loan },
  );
  const { body: made } = await ask(mock, 'POST /loans/2/3');
  expect(made).toEqual({ id: 4, memberId: 2, boatId: 3 });
  expect((await ask(mock, 'GET /loans/4')).body).toEqual(made);
});

test('what a new record lists is empty; its text and its parts are shown under other names; values of a list are split', async () => {
  const place = object({ city: text, zip: text });
  const Post = object({
    ...{ id: number, body: text, hashtags: list(text), genres: list(text) },
    address_detail: object({ id: number, city: text, zip: text }),
  });
  const sent = object({ content: text, genres: list(text), address_data: place });
  const mock = await serve(
    {
      '/posts': {
        parameters: [{ name: 'genres', in: 'query', schema: text }],
        get: gives(list(ref('Post'))),
        post: { ...takes(object({ post: sent })), ...gives(object({ data: ref('Post') }), 201) },
      },
      '/posts/{id}': { ...at('id'), get: gives(object({ data: ref('Post') })) },
    },
    { Post },
  );
  const add = async (genres: string[], rest: object = {}) =>
    (await ask(mock, 'POST /posts', { post: { content: 'Sea', genres, ...rest } })).body.data;
  const made = await add(['Drama'], { address_data: { city: 'Bergen', zip: '5003' } });
  expect(made).toMatchObject({ body: 'Sea', hashtags: [], address_detail: { city: 'Bergen', zip: '5003' } });
  const other = await add(['Action', 'Fog']);
  const found = (await ask(mock, 'GET /posts?genres=Drama,Fog')).body;
  expect(found.map((one: { id: number }) => one.id)).toEqual([made.id, other.id]);
});
