import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const text = { type: 'string' };
const TAG = { type: 'object', required: ['name'], properties: { name: text, colour: text } };
const json = { content: { 'application/json': { schema: TAG } } };
const done = (...statuses: number[]) => ({
  responses: Object.fromEntries(statuses.map((status) => [status, { description: 'Done', ...json }])),
});
const name = [{ name: 'name', in: 'path', required: true, schema: text }];
const list = {
  responses: {
    200: {
      description: 'All',
      content: { 'application/json': { schema: { type: 'array', items: TAG } } },
    },
  },
};

const serveTags = (post: object, put: object) =>
  serveText(
    documentOf({
      '/tags': { get: list, post: { requestBody: json, ...post } },
      '/tags/{name}': { parameters: name, get: done(200), put: { requestBody: json, ...put } },
    }),
  );

const RED = { name: 'hot', colour: 'red' };
const BLUE = { name: 'hot', colour: 'blue' };

test.each([
  ['201 beside another success', done(200, 201), [201, 200]],
  ['201 alone', done(201), [201, 201]],
  ['words', { summary: 'Create or replace a tag.', ...done(200) }, [200, 200]],
])('a PUT makes the record that its path names: %s', async (_, put, [made, replaced]) => {
  const mock = await serveTags(done(201), put);
  expect(await ask(mock, 'PUT /tags/hot', RED)).toMatchObject({ status: made, body: RED });
  expect((await ask(mock, 'GET /tags/hot')).body).toEqual(RED);
  expect(await ask(mock, 'PUT /tags/hot', BLUE)).toMatchObject({ status: replaced, body: BLUE });
  const { body } = await ask(mock, 'GET /tags');
  expect(body.filter((one: { name: string }) => one.name === 'hot')).toEqual([BLUE]);
});

test('a PUT that is said to do no more changes what is there alone', async () => {
  const mock = await serveTags(done(201), done(200));
  expect((await ask(mock, 'PUT /tags/hot', RED)).status).toBe(404);
});

test('a POST replaces the record of the id in its body where the document says so', async () => {
  const mock = await serveTags({ summary: 'Create or update a tag.', ...done(200, 201) }, done(200));
  expect(await ask(mock, 'POST /tags', RED)).toMatchObject({ status: 201, body: RED });
  expect(await ask(mock, 'POST /tags', BLUE)).toMatchObject({ status: 200, body: BLUE });
  const { body } = await ask(mock, 'GET /tags');
  expect(body.filter((one: { name: string }) => one.name === 'hot')).toEqual([BLUE]);
});

test('a POST that is said to do no more refuses an id that is taken', async () => {
  const mock = await serveTags(done(201), done(200));
  expect((await ask(mock, 'POST /tags', RED)).status).toBe(201);
  expect((await ask(mock, 'POST /tags', BLUE)).status).toBe(409);
});
