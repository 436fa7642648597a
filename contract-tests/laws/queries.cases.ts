import { HOLDS, type LawTable } from '../testing/law-table.ts';
import { ask, type Step } from '../testing/steps.ts';

type Query = Readonly<Record<string, unknown>>;

const MOMENT = '2026-05-01T10:00:00Z';
const lot = (id: number, price: number, more: object = {}) => ({
  id,
  title: 'Lamp',
  price,
  closes_at: MOMENT,
  ...more,
});
const lots = (query: Query, ...records: object[]): Step => ask('listLots', { query }, 200, records);
const priced = (query: Query, ...prices: number[]) =>
  lots(query, ...prices.map((price, index) => lot(index + 1, price)));
const titled = (...titles: string[]) =>
  lots({ sort: 'title' }, ...titles.map((title, index) => lot(index + 1, 7, { title })));
const page = (number: number, ...ids: number[]) =>
  lots({ sort: 'price', page: number, limit: 2 }, ...ids.map((id) => lot(id, id)));
const bids = (query: Query, ...amounts: number[]) =>
  ask(
    'listBids',
    { query },
    200,
    amounts.map((amount, index) => ({ id: index + 1, amount })),
  );
const made = ask(
  'addLot',
  { body: { title: 'Lantern', price: 50, closes_at: MOMENT } },
  201,
  lot(9, 50, { title: 'Lantern' }),
);
const without =
  'a complete list of 0 without id 9: {"title":"Lantern","price":50,"closes_at":"2026-05-01T10:00:00Z"} | every record that matches';

export const QUERY_CASES: LawTable = {
  order: [
    ['the least first', { given: [priced({ sort: 'price' }, 1, 2, 2, 30)], want: HOLDS }],
    [
      'a greater one before',
      {
        given: [priced({ sort: 'price' }, 1, 30, 2)],
        want: ['order: price 30 before price 2 | ordered by price, the least first'],
      },
    ],
    [
      'the default',
      {
        given: [priced({}, 1, 2)],
        want: ['order: price 1 before price 2 | ordered by price, the greatest first'],
      },
    ],
    ['texts of one case', { given: [titled('lamp', 'vase')], want: HOLDS }],
    [
      'texts of one case, the wrong way round',
      {
        given: [titled('vase', 'lamp')],
        want: ['order: title "vase" before title "lamp" | ordered by title, the least first'],
      },
    ],
    [
      'texts that collations order in different ways',
      { given: [titled('Vase', 'lamp', 'a-b', 'Ab')], want: HOLDS },
    ],
    [
      'an enumeration',
      {
        given: [
          lots({ sort: 'condition' }, lot(1, 1, { condition: 'used' }), lot(2, 1, { condition: 'new' })),
        ],
        want: HOLDS,
      },
    ],
    [
      'either direction, where the document says none',
      { given: [bids({ order_by: 'amount' }, 3, 2, 1)], want: HOLDS },
    ],
    [
      'both directions in one list',
      {
        given: [bids({ order_by: 'amount' }, 1, 3, 2)],
        want: ['order: amount 3 before amount 2 | ordered by amount'],
      },
    ],
    [
      'a parameter that a name alone makes one for an order',
      { given: [bids({ sort: 'amount' }, 1, 3, 2)], want: 'not judged' },
    ],
    ['a page that goes on', { given: [page(1, 1, 2), page(2, 3, 4), page(1, 1, 2)], want: HOLDS }],
    [
      'a page that begins before the end of the last one',
      {
        given: [page(1, 3, 4), page(2, 1, 2), page(1, 3, 4)],
        want: ['order: price 4 before price 1, on the next page | ordered by price, the least first'],
      },
    ],
    [
      'a page that others have changed meanwhile',
      { given: [page(1, 3, 4), page(2, 1, 2), page(1, 0, 3)], want: HOLDS },
    ],
  ],
  bounds: [
    ['what lies within', { given: [priced({ min_price: 5, max_price: 9 }, 8, 5)], want: HOLDS }],
    [
      'what lies below',
      {
        given: [priced({ min_price: 5 }, 4)],
        want: [
          'bounds: a record whose price is 4: {"id":1,"title":"Lamp","price":4,"closes_at":"2026-05-01T10:00:00Z"} | only records whose price is at least 5',
        ],
      },
    ],
    [
      'a bound that is written to be left out',
      {
        given: [priced({ max_price: 9 }, 9)],
        want: [
          'bounds: a record whose price is 9: {"id":1,"title":"Lamp","price":9,"closes_at":"2026-05-01T10:00:00Z"} | only records whose price is at most 9, and not this one',
        ],
      },
    ],
    ['a bound of which nothing is written', { given: [priced({ closes_after: MOMENT }, 9)], want: HOLDS }],
    ['no bound', { given: [priced({}, 9)], want: 'not judged' }],
    [
      'an own record that lies within, and is not there',
      { given: [made, lots({ min_price: 20 })], want: [`bounds: ${without}`] },
    ],
    [
      'between two whole lists with all that they show within it',
      { given: [priced({}, 9, 5), priced({ min_price: 6 }, 9), priced({}, 9, 5)], want: HOLDS },
    ],
    [
      'between two whole lists without a record that both show',
      {
        given: [priced({}, 9, 5), lots({ min_price: 6 }), priced({}, 9, 5)],
        want: [
          'bounds: a list of 0, shorter than asked for, without {"id":1,"title":"Lamp","price":9,"closes_at":"2026-05-01T10:00:00Z"} | every record that matches',
        ],
      },
    ],
    [
      'a record at a bound of which the document does not say whether it counts',
      {
        given: [priced({}, 9), lots({ closes_after: MOMENT }), priced({}, 9)],
        want: HOLDS,
      },
    ],
    ['an own record that lies outside', { given: [made, lots({ min_price: 51 })], want: HOLDS }],
    [
      'an own record on a bound of which nothing is written',
      { given: [made, lots({ closes_after: MOMENT })], want: HOLDS },
    ],
  ],
  search: [
    ['the whole text of a member', { given: [made, lots({ q: 'Lantern' })], want: [`search: ${without}`] }],
    ['a part of it', { given: [made, lots({ q: 'Lant' })], want: HOLDS }],
  ],
};
