import { expect, test } from 'vitest';
import { inOrder } from './made-up.ts';

test.each<[title: string, row: { given: unknown; want: unknown }]>([
  [
    'an end is years later, and its beginning',
    {
      given: { startsAt: '2024-07-19T01:30:07.000Z', endsAt: '2024-05-25T08:03:31.000Z' },
      want: { startsAt: '2034-05-25T08:03:31.000Z', endsAt: '2034-07-19T01:30:07.000Z' },
    },
  ],
  ['on the last day of February', { given: { until: '2024-02-29' }, want: { until: '2034-02-28' } }],
  [
    'two dates in the wrong order',
    {
      given: { date_from: '2024-07-19', date_to: '2024-05-25' },
      want: { date_from: '2024-05-25', date_to: '2024-07-19' },
    },
  ],
  ['two in order', { given: { from: 1, to: 2 }, want: { from: 1, to: 2 } }],
  ['numbers', { given: { minPrice: 5, maxPrice: 4 }, want: { minPrice: 4, maxPrice: 5 } }],
  ['times', { given: { opens: '18:00', closes: '09:00' }, want: { opens: '09:00', closes: '18:00' } }],
  [
    'names with further words',
    {
      given: { valid_from: '2024-07-19', validUntil: '2024-05-25' },
      want: { valid_from: '2034-05-25', validUntil: '2034-07-19' },
    },
  ],
  ['what must not be before', { given: { notBefore: 5, notAfter: 3 }, want: { notBefore: 3, notAfter: 5 } }],
  ['texts', { given: { firstName: 'Zoe', lastName: 'Adam' }, want: { firstName: 'Zoe', lastName: 'Adam' } }],
  ['members of different objects', { given: { from: 9, in: { to: 3 } }, want: { from: 9, in: { to: 3 } } }],
  ['nested', { given: [{ in: { from: 9, to: 3 } }], want: [{ in: { from: 3, to: 9 } }] }],
  [
    'what the user has given',
    { given: { min: 9, max: 3, end: '2024-05-25' }, want: { min: 9, max: 3, end: '2024-05-25' } },
  ],
])('%s', (title, { given, want }) => {
  const values = title === 'what the user has given' ? { min: '9', end: '2024-05-25' } : {};
  expect(inOrder(given, values)).toEqual(want);
});
