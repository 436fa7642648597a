import { expect, test } from 'vitest';
import { done, gives, list, object, takes, text } from '../../testing/described.ts';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const at = (name: string, schema: object = text) => ({ name, in: 'path', required: true, schema });
const serve = (paths: object) => serveText(documentOf(paths), { count: 3 });

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
    '/weather': { get: around(object({ wind: text })) },
  });
  const { body } = await ask(mock, 'GET /spots');
  expect(Object.keys(body)).toEqual(['data']);
  expect((await ask(mock, 'GET /spots?colour=none')).body).toEqual({});
  expect((await ask(mock, `GET /spots/${body.data[0].id}`)).body).toEqual({ data: body.data[0] });
  expect((await ask(mock, 'GET /weather')).body).not.toHaveProperty('errors');
});
