import { expect, test } from 'vitest';
import { schemaInUse } from '../../../../spec/testing/contract-of.ts';
import { createSettle } from './agree.ts';

const INTEGER = { type: 'integer' };
const NUMBER = { type: 'number' };
const TEXT = { type: 'string' };
const MOMENT = { type: 'string', format: 'date-time' };
const NINE = '2026-05-04T09:00:00.000Z';

type Members = Record<string, unknown>;

const CASES: [name: string, properties: Record<string, object>, made: Members, settled: Members][] = [
  [
    'a part is at most the whole',
    { correct: INTEGER, total: INTEGER },
    { correct: 767, total: 192 },
    { correct: 188, total: 192 },
  ],
  [
    'what was done of things is a part of them all, and what went well of what was done',
    { total_cards: INTEGER, cards_practiced: INTEGER, correct_answers: INTEGER },
    { total_cards: 3, cards_practiced: 142, correct_answers: 9 },
    { total_cards: 3, cards_practiced: 2, correct_answers: 1 },
  ],
  [
    'a participle before the noun counts, too',
    { tests_total: INTEGER, failedTests: INTEGER, testers: INTEGER },
    { tests_total: 10, failedTests: 30, testers: 30 },
    { tests_total: 10, failedTests: 8, testers: 30 },
  ],
  [
    'what the schema of a member does not allow is left',
    {
      ...{ price: NUMBER, quantity: INTEGER, total: { ...NUMBER, multipleOf: 5 }, slug: TEXT },
      ...{ used: { ...INTEGER, exclusiveMinimum: 0 }, capacity: INTEGER, title: { ...TEXT, maxLength: 5 } },
    },
    { price: 3, quantity: 2, total: 10, used: 5, capacity: 0, slug: 'night-trains', title: 'Other' },
    { price: 3, quantity: 2, total: 10, used: 5, capacity: 0, slug: 'night-trains', title: 'Other' },
  ],
  [
    'a part of nothing is nothing',
    { used: INTEGER, capacity: INTEGER },
    { used: 5, capacity: 0 },
    { used: 0, capacity: 0 },
  ],
  [
    'a minimum is at most the maximum',
    { min_price: NUMBER, max_price: NUMBER },
    { min_price: 9, max_price: 4 },
    { min_price: 4, max_price: 4 },
  ],
  [
    'what is planned has its times before it begins, and what is there is not deleted',
    {
      status: { ...TEXT, enum: ['scheduled', 'finished'] },
      ...{ start: MOMENT, end_time: MOMENT, started_at: MOMENT, deleted: MOMENT },
    },
    { status: 'scheduled', start: NINE, end_time: NINE, started_at: NINE, deleted: NINE },
    { status: 'scheduled', start: NINE, end_time: NINE },
  ],
  [
    'a count counts',
    { comments: { type: 'array', items: {} }, commentsCount: INTEGER },
    { comments: [1, 2], commentsCount: 70 },
    { comments: [1, 2], commentsCount: 2 },
  ],
  [
    'a total is the sum of its lines, with tax',
    {
      lines: { type: 'array', items: { properties: { price: NUMBER, quantity: INTEGER } } },
      tax: NUMBER,
      total: NUMBER,
    },
    { lines: [{ price: 2.5, quantity: 2 }, { price: 1 }], tax: 0.5, total: 99 },
    { lines: [{ price: 2.5, quantity: 2 }, { price: 1 }], tax: 0.5, total: 6.5 },
  ],
  [
    'an id in an object is the one beside it, and ids those of the objects',
    {
      ...{ owner_id: INTEGER, owner: { type: 'object', properties: { id: INTEGER } } },
      ...{ tagIds: { type: 'array', items: INTEGER } },
      tags: { type: 'array', items: { type: 'object', properties: { id: INTEGER } } },
    },
    { owner_id: 7, owner: { id: 1, name: 'Ann' }, tagIds: [1], tags: [{ id: 3 }, { id: 4 }] },
    { owner_id: 7, owner: { id: 7, name: 'Ann' }, tagIds: [3, 4], tags: [{ id: 3 }, { id: 4 }] },
  ],
  [
    'a draft was not published',
    { status: TEXT, publishedAt: TEXT },
    { status: 'draft', publishedAt: '2026-01-01T00:00:00Z' },
    { status: 'draft' },
  ],
  [
    'what is shipped keeps the time of it',
    { status: TEXT, shippedAt: TEXT },
    { status: 'shipped', shippedAt: '2026-01-01T00:00:00Z' },
    { status: 'shipped', shippedAt: '2026-01-01T00:00:00Z' },
  ],
  [
    'what is paid and what is owed make up the total',
    { total: NUMBER, paid_amount: NUMBER, balance: NUMBER },
    { total: 80.5, paid_amount: 100, balance: 300 },
    { total: 80.5, paid_amount: 19.5, balance: 61 },
  ],
  [
    'a flag and a moment that may be null say what the state says',
    { status: TEXT, is_closed: { type: 'boolean' }, closed_at: { anyOf: [TEXT, { type: 'null' }] } },
    { status: 'open', is_closed: true, closed_at: '2026-01-01T00:00:00Z' },
    { status: 'open', is_closed: false },
  ],
  [
    'a flag has its moment',
    { verified: { type: 'boolean' }, verifiedAt: TEXT, active: { type: 'boolean' }, status: TEXT },
    { verified: false, verifiedAt: '2026-01-01T00:00:00Z', active: true, status: 'inactive' },
    { verified: false, active: false, status: 'inactive' },
  ],
];

test.each(CASES)('%s', async (_, properties, made, settled) => {
  const { shape } = await schemaInUse({ type: 'object', properties });
  const own = { ...made };
  createSettle()(own, shape);
  expect(own).toEqual(settled);
});

test('members that a client has given stay as they are', async () => {
  const { shape } = await schemaInUse({ type: 'object', properties: { used: INTEGER, capacity: INTEGER } });
  const own = { used: 5, capacity: 3 };
  createSettle()(own, shape, (name) => name !== 'used');
  expect(own).toEqual({ used: 5, capacity: 3 });
});
