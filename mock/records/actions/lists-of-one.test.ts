import { expect, test } from 'vitest';
import { done, gives, list, number, object, ref, takes, text } from '../../testing/described.ts';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const at = (name: string, schema: object = text) => ({ name, in: 'path', required: true, schema });
const serve = (paths: object, more: object = {}) => serveText(documentOf(paths, more), { count: 3 });

test('what an item is called identifies records without an id, and an id that no record shows does not', async () => {
  const level = object({ name: text, level: text }, ['name', 'level']);
  const item = { put: { ...takes(object({ level: text })), ...gives(level) }, delete: done };
  const mock = await serve({
    '/loggers': { get: gives(list(level)) },
    '/loggers/{logger}': { parameters: [at('logger')], get: gives(level), ...item },
    '/branches': { get: gives(list(object({ name: text, town: text }))) },
    '/branches/{branchId}': { parameters: [at('branchId')], get: gives(object({ name: text, town: text })) },
  });
  const [{ name }] = (await ask(mock, 'GET /loggers')).body;
  const path = `/loggers/${encodeURIComponent(name)}`;
  await ask(mock, `PUT ${path}`, { level: 'trace' });
  expect((await ask(mock, `GET ${path}`)).body).toEqual({ name, level: 'trace' });
  expect((await ask(mock, 'GET /loggers')).body).toContainEqual({ name, level: 'trace' });
  await ask(mock, `DELETE ${path}`);
  expect((await ask(mock, `GET ${path}`)).status).toBe(404);
  expect((await ask(mock, 'GET /branches/7')).status).toBe(200);
});

test('a list of texts has the names of the records', async () => {
  const rule = object({ name: text, config: text }, ['name']);
  const mock = await serve({
    '/rules': { get: gives(list(text)), post: { ...takes(rule), ...gives(rule, 201) } },
    '/rules/{name}': { parameters: [at('name')], get: gives(rule) },
  });
  await ask(mock, 'POST /rules', { name: 'no-tabs' });
  const { body } = await ask(mock, 'GET /rules');
  expect(body).toContain('no-tabs');
  for (const name of body) expect((await ask(mock, `GET /rules/${name}`)).body.name).toBe(name);
});

test('a success leaves out what cannot be empty', async () => {
  const errors = { type: 'array', minItems: 1, items: object({ title: text }) };
  const spot = object({ id: text, colour: text });
  const around = (data: object) => gives(object({ data, errors }));
  const mock = await serve({
    '/spots': {
      get: {
        parameters: [{ name: 'colour', in: 'query', schema: text }],
        ...around({ ...list(spot), minItems: 1 }),
      },
    },
    '/spots/{id}': { parameters: [at('id')], get: around(spot) },
    '/weather': { get: around(object({ wind: text })), delete: gives(text) },
  });
  const { body } = await ask(mock, 'GET /spots');
  expect(Object.keys(body)).toEqual(['data']);
  expect((await ask(mock, 'GET /spots?colour=none')).body).toEqual({});
  expect((await ask(mock, `GET /spots/${body.data[0].id}`)).body).toEqual({ data: body.data[0] });
  expect((await ask(mock, 'GET /weather')).body).not.toHaveProperty('errors');
  expect((await ask(mock, 'DELETE /weather')).body).toEqual(expect.any(String));
});

test('what reads an item may show it as the list shows all', async () => {
  const schemas = { Berth: object({ berthId: text, name: text }), Pier: object({ id: text, colour: text }) };
  const all = object({ berths: list(ref('Berth')) });
  const piers = gives(list(ref('Pier')));
  const mock = await serve(
    {
      '/berths': {
        get: gives(all),
        post: { ...takes(object({ berth: object({ name: text }) })), ...gives(all) },
      },
      '/berths/{berthId}': {
        ...{ parameters: [at('berthId')], get: gives(all), delete: done },
        put: { ...takes(object({ name: text })), ...gives(all) },
      },
      '/piers': { get: piers },
      '/piers/{id}': { parameters: [at('id')], get: piers },
    },
    { components: { schemas } },
  );
  const [{ berthId }] = (await ask(mock, 'GET /berths')).body.berths;
  const changed = await ask(mock, `PUT /berths/${berthId}`, { name: 'North' });
  expect(changed.body).toEqual({ berths: [{ berthId, name: 'North' }] });
  expect((await ask(mock, `GET /berths/${berthId}`)).body).toEqual(changed.body);
  await ask(mock, `DELETE /berths/${berthId}`);
  expect((await ask(mock, `GET /berths/${berthId}`)).status).toBe(404);
  expect((await ask(mock, 'GET /berths')).body.berths).toHaveLength(2);
  const { body } = await ask(mock, 'POST /berths', { berth: { name: 'South' } });
  expect(body.berths).toMatchObject([{ name: 'South' }]);
  expect((await ask(mock, `GET /berths/${body.berths[0].berthId}`)).body).toEqual(body);
  const [pier] = (await ask(mock, 'GET /piers')).body;
  expect((await ask(mock, `GET /piers/${pier.id}`)).body).toEqual([pier]);
});

test('what a response is presumed to show keeps its media type', async () => {
  const hal = { content: { 'application/hal+json': { schema: { type: 'object' } } } };
  const shown = { responses: { 200: { description: 'Done', ...hal } } };
  const mock = await serve({
    '/tracks': { get: shown, post: { ...takes(object({ title: text })), ...shown } },
    '/tracks/{id}': { parameters: [at('id')], get: shown },
  });
  const { body: made } = await ask(mock, 'POST /tracks', { title: 'Dawn' });
  const read = await ask(mock, `GET /tracks/${made.id}`);
  expect(read.body).toEqual(made);
  expect(read.headers.get('content-type')).toContain('application/hal+json');
});

test('a number of a record is not the text by which a path names what is above', async () => {
  const feed = object({ key: text, name: text });
  const point = object({ id: text, feed_id: number, value: text });
  const mock = await serve({
    '/feeds': { get: gives(list(feed)) },
    '/feeds/{feed_key}': { parameters: [at('feed_key')], get: gives(feed) },
    '/feeds/{feed_key}/points': { parameters: [at('feed_key')], get: gives(list(point)) },
  });
  const [{ key }, other] = (await ask(mock, 'GET /feeds')).body;
  const { body } = await ask(mock, `GET /feeds/${key}/points`);
  expect(body.length).toBeGreaterThan(0);
  for (const one of body) expect(one.feed_id).toEqual(expect.any(Number));
  expect((await ask(mock, `GET /feeds/${other.key}/points`)).body).not.toContainEqual(body[0]);
});

test('a list whose items have the record inside shows records all the same', async () => {
  const page = object({ slug: text, title: text });
  const item = object({ links: list(text), page });
  const mock = await serve({
    '/pages': { get: gives(object({ pages: list(item) })) },
    '/pages/{slug}': { parameters: [at('slug')], get: gives(object({ page })) },
  });
  const [{ slug }] = (await ask(mock, 'GET /pages')).body.pages;
  expect((await ask(mock, `GET /pages/${slug}`)).body.page).toMatchObject({ slug });
});
