import { describe, expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const NOW = Date.UTC(2031, 4, 6, 7, 8, 9);
const AT = new Date(NOW).toISOString();

const text = { type: 'string' };
const flag = { type: 'boolean' };
const moment = { type: 'string', format: 'date-time' };
const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object, others: object = {}) => ({
  responses: { 200: { description: 'Done', ...json(schema) }, ...others },
});

/** A collection of records with these members and actions, which are POSTs by default. */
async function serveActions(
  properties: object,
  actions: Readonly<Record<string, object>>,
  required: string[] = [],
) {
  const record = {
    type: 'object',
    required: ['id', ...required],
    properties: { id: { type: 'integer', readOnly: true }, ...properties },
  };
  const below = Object.entries(actions).map(([line, operation]) => {
    const [method, segment] = line.includes(' ') ? line.split(' ') : ['post', line];
    return [
      `/orders/{id}/${segment}`,
      { parameters: id, [method as string]: { ...answers(record), ...operation } },
    ];
  });
  const merged: Record<string, object> = {};
  for (const [path, item] of below as [string, object][]) merged[path] = { ...merged[path], ...item };
  const paths = {
    '/orders': {
      get: answers({ type: 'array', items: record }),
      post: { requestBody: json(record), ...answers(record) },
    },
    '/orders/{id}': { parameters: id, get: answers(record) },
    ...merged,
  };
  return serveText(documentOf(paths), { time: () => NOW, count: 1 });
}

describe('an action leads to the state that an enumeration has for it', () => {
  const table: readonly (readonly [verb: string, states: string[], from: string, to: string])[] = [
    ['cancel', ['open', 'canceled'], 'open', 'canceled'],
    ['cancel', ['OPEN', 'CANCELLED'], 'OPEN', 'CANCELLED'],
    ['publish', ['draft', 'published'], 'draft', 'published'],
    ['unpublish', ['published', 'draft'], 'published', 'draft'],
    ['archive', ['active', 'archived'], 'active', 'archived'],
    ['unarchive', ['archived', 'active'], 'archived', 'active'],
    ['close', ['open', 'closed'], 'open', 'closed'],
    ['reopen', ['open', 'closed'], 'closed', 'open'],
    ['check-in', ['booked', 'checked_in'], 'booked', 'checked_in'],
    ['freeze', ['open', 'frozen'], 'open', 'frozen'],
    ['cancellation', ['open', 'cancelled'], 'open', 'cancelled'],
    ['pay', ['unpaid', 'paid'], 'unpaid', 'paid'],
    ['start', ['todo', 'running'], 'todo', 'todo'],
    ['deactivate', ['active', 'inactive'], 'active', 'inactive'],
    ['mark-as-shipped', ['new', 'shipped'], 'new', 'shipped'],
    ['shuffle', ['new', 'shipped'], 'new', 'new'],
  ];
  test.for(table)('%s of %j', async ([verb, states, from, to]) => {
    const mock = await serveActions({ status: { ...text, enum: states } }, { [verb]: {} });
    const { body: made } = await ask(mock, 'POST /orders', { status: from });
    expect((await ask(mock, `POST /orders/${made.id}/${verb}`)).body).toEqual({ ...made, status: to });
    expect((await ask(mock, `GET /orders/${made.id}`)).body).toEqual({ ...made, status: to });
  });
});

test('an action notes when it happens, sets its flag, and says what its body says of the record', async () => {
  const properties = {
    ...{ title: text, published: flag, reason: text },
    ...{ publishedAt: moment, updatedAt: { type: 'integer', description: 'Unix time' } },
    ...{ withdrawn_on: { type: ['string', 'null'], format: 'date' } },
  };
  const requestBody = json({ type: 'object', properties: { reason: text } });
  const mock = await serveActions(properties, { publish: { requestBody }, unpublish: {}, withdraw: {} }, [
    'updatedAt',
  ]);
  const sent = { title: 'Sale', published: false, withdrawn_on: null, updatedAt: 1 };
  const { body: made } = await ask(mock, 'POST /orders', sent);
  expect(made).toEqual({ id: made.id, ...sent });
  const order = `/orders/${made.id}`;
  const { body: published } = await ask(mock, `POST ${order}/publish`, { reason: 'Season' });
  const updatedAt = NOW / 1000;
  expect(published).toEqual({ ...made, published: true, publishedAt: AT, updatedAt, reason: 'Season' });
  expect((await ask(mock, `POST ${order}/publish`, {})).body).toEqual(published);
  const { publishedAt: _, ...left } = published;
  expect((await ask(mock, `POST ${order}/unpublish`)).body).toEqual({ ...left, published: false });
  expect((await ask(mock, `POST ${order}/withdraw`)).body.withdrawn_on).toBe(AT.slice(0, 10));
});

test('what is done already is refused only where a documented 409 says so', async () => {
  const conflict = (description: string) => answers({ type: 'object' }, { 409: { description } });
  const mock = await serveActions(
    { status: { ...text, enum: ['open', 'cancelled', 'closed'] } },
    { cancel: conflict('Conflict'), close: answers({ type: 'object' }) },
  );
  const { body } = await ask(mock, 'POST /orders', { status: 'open' });
  const statuses = [];
  for (const verb of ['cancel', 'cancel', 'close', 'close'])
    statuses.push((await ask(mock, `POST /orders/${body.id}/${verb}`)).status);
  expect(statuses).toEqual([200, 409, 200, 200]);
  expect((await ask(mock, 'POST /orders/99/cancel')).status).toBe(404);
});

test('what is done already is refused with the status that is said for the state, documented or not', async () => {
  const cancel = { ...answers({ type: 'object' }), 'x-paddock': { refuses: { 422: 'state' } } };
  const mock = await serveActions({ status: { ...text, enum: ['open', 'cancelled'] } }, { cancel });
  const { body } = await ask(mock, 'POST /orders', { status: 'open' });
  expect((await ask(mock, `POST /orders/${body.id}/cancel`)).status).toBe(200);
  expect((await ask(mock, `POST /orders/${body.id}/cancel`)).status).toBe(422);
});

test('an extension says what an action sets', async () => {
  const sets = { state: 'parked', parkedAt: '$now', note: null, unknown: 1 };
  const mock = await serveActions(
    {
      state: { ...text, enum: ['moving', 'parked'] },
      parkedAt: { type: 'integer' },
      note: { type: ['string', 'null'] },
    },
    { halt: { 'x-paddock': { sets } } },
  );
  const { body } = await ask(mock, 'POST /orders', { state: 'moving', note: 'soon' });
  const halted = await ask(mock, `POST /orders/${body.id}/halt`);
  expect(halted.body).toEqual({ id: body.id, state: 'parked', parkedAt: NOW / 1000, note: null });
});

test('likes are counted, also where no flag shows them', async () => {
  const count = { type: 'integer', minimum: 0 };
  const mock = await serveActions(
    { likes: count, num_stars: count },
    { like: {}, 'delete like': {}, star: {} },
    ['likes'],
  );
  const { body } = await ask(mock, 'POST /orders', { likes: 0 });
  const order = `/orders/${body.id}`;
  expect((await ask(mock, `POST ${order}/like`)).body.likes).toBe(1);
  expect((await ask(mock, `DELETE ${order}/like`)).body.likes).toBe(0);
  expect((await ask(mock, `DELETE ${order}/like`)).body.likes).toBe(0);
  expect((await ask(mock, `POST ${order}/star`)).body.num_stars).toBe(1);
});
