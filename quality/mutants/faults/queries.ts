import { parseJson, stringifyJson } from '#spec';
import { action, type MockFault, mockOf, otherQuery, reordered } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { mutants, only, type Service, using } from '../suspect.ts';

type Change = (query: Data, sent: Data) => Data;

const lots = only(mockOf('auctions.yaml'), '^(?:listLots|addLot)/');
const bids = only(mockOf('auctions.yaml'), '^(?:listBids|addBid)/');
const asking = (service: Service<MockFault>) => using(service, (change: Change) => otherQuery(change));

const less =
  (...names: string[]): Change =>
  (query) =>
    Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)));

const instead =
  (name: string, to: (value: unknown) => unknown): Change =>
  (query) =>
    name in query ? { ...query, [name]: to(query[name]) } : query;

const upwards = (value: unknown) => String(value).replace(/^-/, '');
const defaultIgnored: Change = (query, sent) => ('sort' in sent ? query : less('sort')(query, sent));

/** Each page has records as they come, and orders these. */
const orderedByPage = action('list', (act) => async (task) => {
  const { parameters } = task.values;
  const { sort, ...query } = parameters.query;
  const way = String(sort).startsWith('-') ? -1 : 1;
  const response = await act({ ...task, values: { ...task.values, parameters: { ...parameters, query } } });
  if ('refuse' in response || !/price/.test(String(sort))) return response;
  const records = parseJson(String(response.body)) as Data[];
  const body = stringifyJson(
    records.toSorted((one, other) => way * (Number(one.price) - Number(other.price))),
  );
  return { ...response, body };
});

/** Lists in another order than the one that is asked for. */
const wrongOrders = [
  ...mutants('auctions', asking(lots), 'order', [
    ['sort-ignored', 'sort is ignored', less('sort')],
    ['sort-always-up', 'the least is always first', instead('sort', upwards)],
    ['sort-default-ignored', 'the default of sort is ignored', defaultIgnored],
    ['sort-by-title', 'every order is by title', instead('sort', () => 'title')],
    [
      'sort-moments-ignored',
      'there is no order by time',
      instead('sort', (by) => (/closes/.test(String(by)) ? 'condition' : by)),
    ],
  ]),
  ...mutants('auctions', using(lots, reordered), 'order', [
    [
      'sort-numbers-as-text',
      'prices are ordered as texts',
      (a, b) => (String(a.price) < String(b.price) ? -1 : 1),
    ],
  ]),
  ...mutants('auctions', lots, 'order', [
    ['sort-after-the-page', 'pages are cut before they are ordered', orderedByPage],
  ]),
  ...mutants('auctions-bids', asking(bids), 'order', [
    ['order-by-ignored', 'order_by is ignored', less('order_by')],
    ['direction-ignored', 'direction is ignored', instead('direction', () => 'asc')],
  ]),
];

/** Bounds and a search that let other records through, or too few. */
const wrongBounds = [
  ...mutants('auctions', asking(lots), 'bounds', [
    ['least-ignored', 'min_price is ignored', less('min_price')],
    ['most-ignored', 'max_price is ignored', less('max_price')],
    [
      'most-let-through',
      'max_price lets its own value through',
      instead('max_price', (most) => Number(most) + 1),
    ],
    ['after-ignored', 'closes_after is ignored', less('closes_after')],
    ['bounds-find-nothing', 'min_price finds nothing', instead('min_price', () => 1_000_000)],
  ]),
  ...mutants('auctions', asking(lots), 'search', [
    ['search-finds-nothing', 'a search finds nothing', instead('q', () => 'nothing of the kind')],
    ['search-by-first-word', 'a search finds titles of one word alone', instead('q', (text) => `${text} `)],
  ]),
  ...mutants('auctions-bids', asking(bids), 'bounds', [
    ['operator-ignored', 'amount[gte] is ignored', less('amount[gte]')],
    [
      'operators-confused',
      'amount[lt] lets its own value through',
      instead('amount[lt]', (most) => Number(most) + 1),
    ],
  ]),
];

export const queriesMutants = [...wrongOrders, ...wrongBounds];
