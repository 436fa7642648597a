import { parseJson, stringifyJson } from '#spec';
import { action, type MockFault, mockOf, otherQuery, response } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes, mutants, type Operators, only, product, type Service, using } from '../suspect.ts';

/** Each page of a list that is an array is in another order. */
const reordered = (compare: (one: Data, other: Data, sort: unknown) => number): MockFault =>
  response('list', (given, { values }) => {
    const records = parseJson(String(given.body)) as Data[];
    const { sort } = values.parameters.query;
    return { ...given, body: stringifyJson(records.toSorted((one, other) => compare(one, other, sort))) };
  });

type Change = (query: Data, sent: Data) => Data;

const lots = only(mockOf('auctions.yaml'), '^(?:listLots|addLot)/');
const bids = only(mockOf('auctions.yaml'), '^(?:listBids|addBid)/');
const asking = (service: Service<MockFault>) => using(service, (change: Change) => otherQuery(change));

const without =
  (name: string): Change =>
  ({ [name]: _, ...query }) =>
    query;
const instead =
  (name: string, to: (value: unknown) => unknown): Change =>
  (query) =>
    name in query ? { ...query, [name]: to(query[name]) } : query;
const oneMore = (name: string) => instead(name, (most) => Number(most) + 1);

/** Lists in another order, or with other records, than what is asked for. */
const OF_LOTS: Operators<Change> = {
  'sort ignored': [without('sort')],
  'sort always up': [instead('sort', (by) => String(by).replace(/^-/, ''))],
  'sort default ignored': [(query, sent) => ('sort' in sent ? query : without('sort')(query, sent))],
  'sort by title': [instead('sort', () => 'title')],
  'sort moments ignored': [instead('sort', (by) => (/closes/.test(String(by)) ? 'condition' : by))],
  'least ignored': ['bounds', without('min_price')],
  'most ignored': ['bounds', without('max_price')],
  'most let through': ['bounds', oneMore('max_price')],
  'after ignored': ['bounds', without('closes_after')],
  'bounds find nothing': ['bounds', instead('min_price', () => 1_000_000)],
  'search finds nothing': ['search', instead('q', () => 'nothing of the kind')],
  'seller ignored': ['filter', without('seller')],
  'sellers find nothing': ['filter', instead('seller', () => 'nobody at all')],
  'topic ignored': ['filter', without('topic')],
  'topics find nothing': ['filter', instead('topic', () => 'nothing at all')],
  'search by first word': ['search', instead('q', (text) => `${text} `)],
};
const OF_BIDS: Operators<Change> = {
  'order_by ignored': [without('order_by')],
  'direction ignored': [instead('direction', () => 'asc')],
  'operator ignored': ['bounds', without('amount[gte]')],
  'operators confused': ['bounds', oneMore('amount[lt]')],
};

/** Each page has records as they come, and orders these. */
const orderedByPage = action('list', (act) => async (task) => {
  const { parameters } = task.values;
  const { sort, ...query } = parameters.query;
  const way = String(sort).startsWith('-') ? -1 : 1;
  const response = await act({ ...task, values: { ...task.values, parameters: { ...parameters, query } } });
  if ('refuse' in response || !/price/.test(String(sort))) return response;
  const records = parseJson(String(response.body)) as Data[];
  const ordered = records.toSorted((one, other) => way * (Number(one.price) - Number(other.price)));
  return { ...response, body: stringifyJson(ordered) };
});
const asTexts = reordered((one, other) => (String(one.price) < String(other.price) ? -1 : 1));

export const queriesMutants = [
  ...product(OF_LOTS, 'order', [['auctions', asking(lots)]]),
  ...product(OF_BIDS, 'order', [['auctions-bids', asking(bids)]]),
  ...mutants('auctions', lots, 'order', [
    ['sort-numbers-as-text', 'prices are ordered as texts', asTexts],
    ['sort-after-the-page', 'pages are cut before they are ordered', orderedByPage],
  ]),
];

const RANKS = ['new', 'used', 'worn'];
const rankOf = ({ condition }: Data) => RANKS.indexOf(String(condition));
const byRank = (one: Data, other: Data, sort: unknown) =>
  sort === 'condition' ? rankOf(one) - rankOf(other) : 0;

/** Titles as a person orders them, whatever the case of their letters is. */
const byCollation = (one: Data, other: Data, sort: unknown) => {
  if (sort !== 'title' && sort !== '-title') return 0;
  const order = String(one.title).localeCompare(String(other.title), 'en', { numeric: true });
  return sort === 'title' ? order : -order;
};

const newestOfEqual = (one: Data, other: Data, sort: unknown) =>
  sort === '-price' && one.price === other.price ? Number(other.id) - Number(one.id) : 0;

/** The list with what a query lets through beside. */
const listed = (change: (records: Data[], query: Data) => Data[]): MockFault =>
  response('list', (given, { values }) => {
    const records = parseJson(String(given.body)) as Data[];
    return { ...given, body: stringifyJson(change(records, values.parameters.query)) };
  });

const withoutTheBound = listed((records, query) =>
  records.filter(({ closes_at }) => closes_at === undefined || closes_at !== query.closes_after),
);

const withoutSeller = ({ seller: _, ...lot }: Data) => lot;

/** A part of the name is enough, in any case of its letters. */
const sellersByPart = action('list', (act) => async (task) => {
  const { parameters } = task.values;
  const { seller, ...query } = parameters.query;
  if (typeof seller !== 'string') return act(task);
  const response = await act({ ...task, values: { ...task.values, parameters: { ...parameters, query } } });
  if ('refuse' in response) return response;
  const lots = parseJson(String(response.body)) as { seller?: { name: string } }[];
  const meant = lots.filter((lot) => lot.seller?.name.toLowerCase().includes(seller.toLowerCase()));
  return { ...response, body: stringifyJson(meant) };
});

export const queriesLookalikes = lookalikes('auctions', mockOf('auctions.yaml'), [
  ['conditions-by-rank', 'an enumeration has an order of its own', reordered(byRank)],
  ['titles-by-collation', 'titles are ordered as in a dictionary', reordered(byCollation)],
  ['newest-of-equal-first', 'of equal prices the newest comes first', reordered(newestOfEqual)],
  ['sellers-by-part', 'a part of the name of a seller is enough', sellersByPart],
  ['sellers-hidden', 'lists show no seller', listed((records) => records.map(withoutSeller) as Data[])],
  ['bound-left-out', 'a bound that the document leaves open is left out', withoutTheBound],
]);
