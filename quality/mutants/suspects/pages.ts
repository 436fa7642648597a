import { type MockFault, mockOf, otherQuery, response, responseBody } from '../mock-faults.ts';
import { convert, type Data, set, without } from '../record-changes.ts';
import { differences, type Operators, only, product, type Service, using } from '../suspect.ts';

/** The query parameters of a list: the page size and its maximum, a filter, the position and its first value. */
type Names = readonly [size: string, greatest: number, filter: string, position: string, first: number];
/** Computes another query for a list; `sent` is the query as sent. */
type Change = (query: Data, sent: Data) => Data;
type OfList = (...names: Names) => Change;

const when =
  (is: (query: Data, sent: Data) => boolean, change: Change): Change =>
  (query, sent) =>
    is(query, sent) ? change(query, sent) : query;
const sends =
  (...names: string[]) =>
  (_: Data, sent: Data) =>
    names.every((name) => name in sent);
const isLater = (position: string, first: number) => (query: Data) =>
  Number(query[position] ?? first) > first;
const fails: Change = () => {
  throw new Error('out of range');
};

/** A page starts this number of records, or pages, too late. */
const moved =
  (to: (steps: number) => number): OfList =>
  (...[, , , at, first]) =>
    when(isLater(at, first), (query) => set(at, first + to(Number(query[at]) - first))(query));

/** Changes the size of a page if one was requested. */
const sized =
  (to: (size: number, greatest: number) => number): OfList =>
  (name, greatest) =>
    when(sends(name), (query) => set(name, to(Number(query[name]), greatest))(query));

const greatestFails: OfList = (name, greatest) =>
  when((query, sent) => name in sent && Number(query[name]) === greatest, fails);
const defaultOf3: OfList = (size) => when((_, sent) => !(size in sent), set(size, 3));
const defaultOf3WithFilter: OfList = (size, _, by) =>
  when((_query, sent) => by in sent && !(size in sent), set(size, 3));

const LACKING = ['complete-pages', 'complete-list', 'distinct-pages', 'filter'] as const;
const DEFAULT = ['page-default', 'page-size', ...LACKING] as const;
const REPEATED = ['distinct-pages', 'total'] as const;

const SIZES: Operators<OfList> = {
  'one less': [sized((size) => Math.max(1, size - 1))],
  'least is all': ['page-size', sized((size, greatest) => (size === 1 ? greatest : size))],
  'sizes compared as text': [sized((size) => (size > 9 ? 1 : size))],
  'greatest gets 500': ['status', greatestFails],
  'default of 3': [DEFAULT, defaultOf3],
  'default of 3 with filter': [DEFAULT, defaultOf3WithFilter],
  'filter ignored with size': ['filter', (size, _, filter) => when(sends(size), without(filter))],
  'size ignored with filter': ['page-size', (size, most, by) => when(sends(by, size), set(size, most))],
  'size and filter get 500': ['status', (size, _, filter) => when(sends(size, filter), fails)],
  'all but two pages are the first': [REPEATED, moved((steps) => (steps > 1 ? 0 : steps))],
  'later pages begin one too early': [REPEATED, moved((steps) => steps - 1)],
  'later pages begin one too late': [moved((steps) => steps + 1)],
  'later pages are not filtered': [
    'filter',
    (...[, , by, at, first]) => when(isLater(at, first), without(by)),
  ],
};

const listOf = (service: Service<MockFault>, cases: string, ...names: Names) =>
  using(only(service, `^${cases}/`), (operator: OfList) => otherQuery(operator(...names)));
const [articles, vehicles] = [mockOf('warehouse.yaml'), mockOf('fleet.yaml')];
const [gauges, orders] = [mockOf('tide-gauges.yaml'), mockOf('notices/openapi.yaml')];
const pets = mockOf('./spec/openapi.yaml', { count: 120 });
const EARLY = 'later pages begin one too early';
const LATE = 'later pages begin one too late';
const [FILTERED, DEFAULTED] = ['size ignored with filter', 'default of 3 with filter'];
const OF_PETS = [DEFAULTED, 'size and filter get 500'];
const OF_GAUGES = ['one less', FILTERED, 'greatest gets 500', EARLY, LATE, 'later pages are not filtered'];
const OF_ORDERS = [DEFAULTED, 'filter ignored with size'];

type TotalChange = (total: number, listed: number) => number;
const TOTALS: Operators<TotalChange> = {
  'total of page': [(_, listed) => listed],
  'total less one': [(all) => Math.max(0, all - 1)],
};

/** Changes the total of a list with this number of records. */
const total = (change: TotalChange): MockFault =>
  responseBody('list', ({ meta, total_count: count, articles = [], vehicles = [], ...body }) => {
    const listed = [articles, vehicles].flat().length;
    if (count !== undefined) return { ...body, articles, total_count: change(Number(count), listed) };
    return { ...body, vehicles, meta: { total: change((meta as { total: number }).total, listed) } };
  });

const pagesMutants = [
  ...product(SIZES, LACKING, [
    ['pets-pages', listOf(pets, 'listPets', 'limit', 100, 'status', '', 0), OF_PETS],
    ['warehouse-pages', listOf(articles, 'list_articles', 'page_size', 50, 'unit', 'page_number', 1)],
    ['tide-gauges-pages', listOf(gauges, 'findGauges', 'take', 200, 'active', 'skip', 0), OF_GAUGES],
    ['notices-pages', listOf(orders, 'listOrders', 'maxResults', 100, 'channel', 'startIndex', 0), OF_ORDERS],
    ['fleet-pages', listOf(vehicles, 'listVehicles', 'limit', 40, 'depot', 'offset', 0), [EARLY, LATE]],
  ]),
  ...product(TOTALS, 'total', [
    ['warehouse', using(only(articles, '^list_articles/'), total)],
    ['fleet', using(only(vehicles, '^listVehicles/'), total), ['total less one']],
  ]),
];

/** Positions after the last page get 404. */
const beyondGets404 = response('list', (reply, { request }) => {
  const isFirst = !/(?:page_number|offset|skip|page)=[1-9]/.test(request.query);
  if (isFirst || !/\[\]/.test(String(reply.body))) return reply;
  return { refuse: 'not found', message: 'there is no such page' };
});

/** What documents leave open about the pages of a list. */
const pagesLookalikes = differences(
  {
    'beyond gets 404': beyondGets404,
    'total estimated': responseBody(
      'list',
      convert<number>('total_count', (all) => all + 7),
    ),
    'without total': responseBody('list', (body) => (Array.isArray(body) ? body : without('meta')(body))),
  },
  [
    ['warehouse-pages', articles, ['total estimated']],
    ['fleet-pages', vehicles, ['beyond gets 404', 'without total']],
  ],
);

export const pages = {
  'pages, their sizes and totals': [pagesMutants, pagesLookalikes],
} as const;
