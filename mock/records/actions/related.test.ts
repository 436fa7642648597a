import { describe, expect, test } from 'vitest';
import type { Mock } from '../../index.ts';
import { ask, documentOf, fixture, misfits, serve, serveText } from '../../testing/serve.ts';

const quarries = (options = {}) => serve(fixture('quarries.yaml'), { count: 10, ...options });

const crewsOf = async (mock: Mock, path: string) =>
  ((await ask(mock, `GET ${path}`)).body as { id: number }[]).map(({ id }) => id);

describe('records at two paths', () => {
  test('are the same ones, and are shown in what they belong to', async () => {
    const mock = await quarries();
    const here = (await ask(mock, 'POST /quarries', { name: 'A' })).body.id;
    const there = (await ask(mock, 'POST /quarries', { name: 'B' })).body.id;
    const below = await ask(mock, `POST /quarries/${here}/crews`, { name: 'Below' });
    const above = await ask(mock, 'POST /crews', { name: 'Above', quarryId: here });
    const both = [below.body.id, above.body.id];
    expect(below.body.quarryId).toBe(here);
    expect(await crewsOf(mock, `/quarries/${here}/crews`)).toEqual(both);
    expect(await crewsOf(mock, `/quarries/${there}/crews`)).toEqual([]);
    expect(await crewsOf(mock, '/crews?limit=200')).toEqual(expect.arrayContaining(both));
    const shown = await ask(mock, `GET /quarries/${here}`);
    expect(shown.body.crews).toEqual([below.body, above.body]);
    expect(misfits(mock, 'readQuarry', shown)).toEqual([]);
    await ask(mock, `PUT /crews/${both[0]}`, { name: 'Moved', quarryId: there });
    expect(await crewsOf(mock, `/quarries/${there}/crews`)).toEqual([both[0]]);
    expect((await ask(mock, `GET /quarries/${here}/crews/${both[0]}`)).status).toBe(404);
    expect((await ask(mock, 'GET /quarries?limit=200')).body.at(-1).crews).toHaveLength(1);
  });

  test('belong together from the start', async () => {
    const mock = await quarries();
    const [quarry] = (await ask(mock, 'GET /quarries')).body;
    expect(quarry.crews.length).toBeGreaterThan(0);
    expect(await crewsOf(mock, `/quarries/${quarry.id}/crews`)).toEqual(
      quarry.crews.map(({ id }: { id: number }) => id),
    );
    const state = await mock.state();
    expect(Object.keys(state.records)).not.toContain('/quarries/1/crews');
  });

  test('name only what is there; what they named before may be gone', async () => {
    const mock = await quarries();
    const refused = await ask(mock, 'POST /crews', { name: 'Lost', quarryId: 999 });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      'body.quarryId must be the id of a record of /quarries, not 999',
    ]);
    expect((await ask(mock, 'POST /crews', { name: 'Free' })).status).toBe(201);
    const { id } = (await ask(mock, 'POST /quarries', { name: 'A' })).body;
    const crew = (await ask(mock, 'POST /crews', { name: 'Left', quarryId: id })).body;
    await ask(mock, `DELETE /quarries/${id}`);
    const renewed = await ask(mock, `PUT /crews/${crew.id}`, { name: 'On', quarryId: id });
    expect(renewed.status).toBe(200);
    expect((await ask(mock, `PUT /crews/${crew.id}`, { name: 'On', quarryId: 999 })).status).toBe(400);
  });
});

test('a create that the document shows is taken', async () => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const collection = (schema: object) => ({
    get: { responses: { 200: { description: '', ...json({ type: 'array', items: schema }) } } },
    post: {
      requestBody: json(schema),
      responses: { 201: { description: '', ...json(schema) }, 422: { description: '' } },
    },
  });
  const item = (schema: object) => ({
    get: { responses: { 200: { description: '', ...json(schema) }, 404: { description: '' } } },
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
  });
  const ship = { type: 'object', properties: { id: { type: 'integer', example: 3 } } };
  const id = { type: 'integer', example: 7 };
  const trip = { type: 'object', properties: { id, shipId: { type: 'integer', example: 4711 } } };
  const paths = {
    '/ships': collection(ship),
    '/ships/{id}': item(ship),
    '/trips': collection(trip),
    '/trips/{id}': item(trip),
  };
  const mock = await serveText({ openapi: '3.0.3', info: { title: '', version: '' }, paths });
  expect((await ask(mock, 'POST /trips', { id: 7, shipId: 4711 })).status).toBe(201);
  expect((await ask(mock, 'POST /trips', { id: 8, shipId: 4712 })).status).toBe(422);
  expect((await ask(mock, 'POST /ships', { id: 3 })).status).toBe(201);
});

test('a number that another record has is a conflict where one is described, and else the service gives another', async () => {
  const ship = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const described = (conflict: object) => ({
    '/ships': {
      get: { responses: { 200: { description: '', ...json({ type: 'array', items: ship }) } } },
      post: { requestBody: json(ship), responses: { 201: { description: '', ...json(ship) }, ...conflict } },
    },
  });
  const serve = (conflict: object) =>
    serveText({ openapi: '3.0.3', info: { title: '', version: '' }, paths: described(conflict) });
  const [silent, strict] = [await serve({}), await serve({ 409: { description: 'It is there.' } })];
  const { status, body } = await ask(silent, 'POST /ships', { id: 1, name: 'Erika' });
  expect({ status, name: body.name, isNew: body.id > 1 }).toEqual({
    status: 201,
    name: 'Erika',
    isNew: true,
  });
  expect((await ask(strict, 'POST /ships', { id: 1, name: 'Erika' })).status).toBe(409);
});

test('a name that is called as the path of others is nobody that must be there', async () => {
  const text = { type: 'string' };
  const named = { type: 'object', properties: { id: { type: 'integer' }, username: text } };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const shows = (schema: object) => ({ responses: { 200: { description: '', ...json(schema) } } });
  const made = {
    requestBody: json({ ...named, required: ['username'] }),
    responses: { 201: { description: '', ...json(named) }, 422: { description: '' } },
  };
  const list = shows({ type: 'array', items: named });
  const username = { parameters: [{ name: 'username', in: 'path', required: true, schema: text }] };
  const paths = {
    '/users': { get: list, post: made },
    '/users/{username}': { ...username, get: shows(named) },
    '/users/{username}/groups': { ...username, post: made },
    '/groups': { get: list, post: made },
  };
  const mock = await serveText({ openapi: '3.0.3', info: { title: '', version: '' }, paths });
  expect((await ask(mock, 'POST /groups', { username: 'gardeners' })).status).toBe(201);
});

describe('records below others', () => {
  test('must be below all that the path names, and go with it', async () => {
    const mock = await quarries();
    const here = (await ask(mock, 'POST /quarries', { name: 'A' })).body.id;
    const there = 2;
    const pit = (await ask(mock, `POST /quarries/${here}/pits`, { depth: 3 })).body.id;
    const { id } = (await ask(mock, `POST /quarries/${here}/pits/${pit}/samples`, { density: 2 })).body;
    const path = `/quarries/${here}/pits/${pit}/samples/${id}`;
    expect((await ask(mock, `GET ${path}`)).status).toBe(200);
    expect((await ask(mock, `GET /quarries/${there}/pits/${pit}/samples/${id}`)).status).toBe(404);
    expect((await ask(mock, `GET /quarries/${there}/pits/${pit}/samples`)).status).toBe(404);
    const before = Object.values((await mock.state()).records).flat().length;
    expect((await ask(mock, `DELETE /quarries/${here}`)).status).toBe(204);
    expect((await ask(mock, `GET ${path}`)).status).toBe(404);
    const { records } = await mock.state();
    expect(Object.keys(records).filter((one) => one.startsWith(`/quarries/${here}/`))).toEqual([]);
    expect(Object.values(records).flat().length).toBe(before - 3);
  });
});

test('what still has records that the document names is not removed', async () => {
  const mock = await quarries();
  const { id } = (await ask(mock, 'POST /quarries', { name: 'A' })).body;
  const crew = (await ask(mock, `POST /quarries/${id}/crews`, { name: 'B' })).body;
  const refused = await ask(mock, `DELETE /quarries/${id}`);
  expect([refused.status, refused.body.error]).toEqual([
    409,
    'There are records of /crews that belong to it',
  ]);
  await ask(mock, `DELETE /crews/${crew.id}`);
  expect((await ask(mock, `DELETE /quarries/${id}`)).status).toBe(204);
  expect((await ask(mock, `DELETE /quarries/${id}`)).status).toBe(404);
});

describe('records whose parent no member names', () => {
  const integer = { type: 'integer' };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const answer = (schema: object, status = 200) => ({
    responses: { [status]: { description: 'Done', ...json(schema) } },
  });
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const parameters = (...names: string[]) => ({
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: integer })),
  });
  const toy = {
    list: answer({ type: 'array', items: ref('Toy') }),
    create: { requestBody: json(ref('Toy')), ...answer(ref('Toy'), 201) },
    read: answer(ref('Toy')),
    replace: { requestBody: json(ref('Toy')), ...answer(ref('Toy')) },
  };
  const document = documentOf(
    {
      '/boxes': { get: answer({ type: 'array', items: ref('Box') }) },
      '/boxes/{box}': { ...parameters('box'), get: answer(ref('Box')) },
      '/boxes/{boxId}/toys': { ...parameters('boxId'), get: toy.list, post: toy.create },
      '/boxes/{boxId}/toys/{toyId}': { ...parameters('boxId', 'toyId'), get: toy.read },
      '/toys': { get: toy.list, post: toy.create },
      '/toys/{toyId}': { ...parameters('toyId'), get: toy.read, put: toy.replace },
    },
    {
      components: {
        schemas: {
          Box: { type: 'object', properties: { id: integer, size: integer } },
          Toy: {
            type: 'object',
            properties: { id: { ...integer, readOnly: true }, colour: { type: 'string' } },
          },
        },
      },
    },
  );
  test('are seeded as the document describes them, where a path names what no collection has', async () => {
    const { paths, components } = document as {
      paths: Record<string, object>;
      components: { schemas: object };
    };
    const { '/toys': toys, '/toys/{toyId}': one } = paths;
    const properties = { id: { ...integer, readOnly: true }, shelfId: integer };
    const schemas = { ...components.schemas, Toy: { type: 'object', required: ['shelfId'], properties } };
    const put = { ...parameters('boxId', 'shelf'), post: toy.create };
    const mock = await serveText({
      ...document,
      paths: { '/toys': toys, '/toys/{toyId}': one, '/boxes/{boxId}/shelves/{shelf}/toys': put },
      components: { schemas },
    });
    const { body } = await ask(mock, 'GET /toys');
    expect(body.map(({ shelfId }: { shelfId: unknown }) => typeof shelfId)).toContain('number');
    expect(body.filter(({ shelfId }: { shelfId: unknown }) => typeof shelfId === 'string')).toEqual([]);
  });

  const toysOf = async (mock: Mock, path: string) =>
    ((await ask(mock, `GET ${path}`)).body as { id: number }[]).map(({ id }) => id);

  test('keep it in a change by another path, and in a state', async () => {
    const mock = await serveText(document, { count: 5 });
    const { id } = (await ask(mock, 'POST /boxes/2/toys', { colour: 'red' })).body;
    const free = (await ask(mock, 'POST /toys', { colour: 'blue' })).body.id;
    await ask(mock, `PUT /toys/${id}`, { colour: 'green' });
    expect((await ask(mock, `GET /boxes/2/toys/${id}`)).body.colour).toBe('green');
    expect((await ask(mock, `GET /boxes/1/toys/${id}`)).status).toBe(404);
    const state = await mock.state();
    expect(state.records['/boxes/2/toys']).toEqual([{ id, colour: 'green' }]);
    await mock.reset();
    expect(await toysOf(mock, '/toys')).not.toContain(id);
    await mock.restore(state);
    expect(await toysOf(mock, '/boxes/2/toys')).toEqual([id]);
    expect(await toysOf(mock, '/toys')).toEqual(expect.arrayContaining([id, free]));
  });
});

describe('records that a body has within another one', () => {
  const text = { type: 'string' };
  const integer = { type: 'integer' };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const done = (schema: object, status = 200) => ({
    responses: { [status]: { description: 'Done', ...json(schema) } },
  });
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const many = (name: string) => ({ type: 'array', items: ref(name) });
  const schemas = {
    Owner: { type: 'object', required: ['name'], properties: { id: integer, name: text, pets: many('Pet') } },
    Pet: {
      type: 'object',
      required: ['name'],
      properties: { id: { ...integer, readOnly: true }, name: text, ownerId: integer, toys: many('Toy') },
    },
    Toy: { type: 'object', properties: { id: { ...integer, readOnly: true }, colour: text } },
  };
  const parameters = (name: string) => [{ name, in: 'path', required: true, schema: integer }];
  const sent = (name: string) => ({ requestBody: json(ref(name)) });
  const paths = {
    '/owners': { get: done(many('Owner')), post: { ...sent('Owner'), ...done(ref('Owner'), 201) } },
    '/owners/{id}': {
      parameters: parameters('id'),
      get: done(ref('Owner')),
      put: { ...sent('Owner'), ...done(ref('Owner')) },
      patch: { ...sent('Owner'), ...done(ref('Owner')) },
    },
    '/pets': { get: done(many('Pet')), post: { ...sent('Pet'), ...done(ref('Pet'), 201) } },
    '/pets/{id}': { parameters: parameters('id'), get: done(ref('Pet')) },
    '/pets/{petId}/toys': {
      parameters: parameters('petId'),
      get: done(many('Toy')),
      post: { ...sent('Toy'), ...done(ref('Toy'), 201) },
    },
    '/pets/{petId}/toys/{id}': {
      parameters: [...parameters('petId'), ...parameters('id')],
      get: done(ref('Toy')),
    },
  };
  const owners = () => serveText(documentOf(paths, { components: { schemas } }));
  const ann = { name: 'Ann', pets: [{ name: 'Hazel', toys: [{ colour: 'red' }] }, { name: 'Quill' }] };

  test('are those of the other collection', async () => {
    const mock = await owners();
    const { body: owner } = await ask(mock, 'POST /owners', ann);
    expect(owner.pets).toMatchObject([{ name: 'Hazel', ownerId: owner.id }, { name: 'Quill' }]);
    const [hazel] = owner.pets;
    expect((await ask(mock, `GET /pets/${hazel.id}`)).body).toEqual(hazel);
    expect((await ask(mock, `GET /pets/${hazel.id}/toys`)).body).toEqual(hazel.toys);
    expect(hazel.toys).toMatchObject([{ colour: 'red' }]);
    const { body: later } = await ask(mock, 'POST /pets', { name: 'Later', ownerId: owner.id });
    const { body: shown } = await ask(mock, `GET /owners/${owner.id}`);
    expect(shown.pets).toEqual([...owner.pets, later]);
  });

  test('stay what they are where a change names them, and go where it does not', async () => {
    const mock = await owners();
    const { body: owner } = await ask(mock, 'POST /owners', ann);
    const [hazel, quill] = owner.pets;
    const pets = [{ ...quill, name: 'Quilly' }, { name: 'New' }];
    const { body: changed } = await ask(mock, `PUT /owners/${owner.id}`, { name: 'Ann', pets });
    expect(changed.pets).toMatchObject([{ id: quill.id, name: 'Quilly' }, { name: 'New' }]);
    expect((await ask(mock, `GET /pets/${hazel.id}`)).status).toBe(404);
    const { body: renamed } = await ask(mock, `PATCH /owners/${owner.id}`, { name: 'Anne' });
    expect(renamed.pets).toEqual(changed.pets);
    expect((await ask(mock, `PUT /owners/${owner.id}`, { name: 'Ann' })).body.pets).toEqual([]);
    expect((await ask(mock, `GET /pets/${quill.id}`)).status).toBe(404);
  });
});
