import { type MockFault, mockOf, otherQuery, responseBody } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { mutants, type Service, using } from '../suspect.ts';

/** The query parameters of a list. */
interface Names {
  readonly size: string;
  readonly greatest: number;
  readonly position: string;
  /** The position of the first page. */
  readonly first: number;
  readonly filter: string;
}

type Change = (query: Data, sent: Data) => Data;

const FAR = 1_000_000;
const REPEATED = ['distinct-pages', 'total'] as const;
const LACKING = ['complete-pages'] as const;

/** What goes wrong with several parameters of one list, and between its pages. */
function wrongPages(prefix: string, service: Service<MockFault>, names: Names) {
  const { size, greatest, position, first, filter } = names;
  const isLater = (query: Data) => Number(query[position] ?? first) > first;
  const moved = (by: (steps: number) => number) => (query: Data) =>
    isLater(query) ? { ...query, [position]: first + by(Number(query[position]) - first) } : query;
  const without = (name: string, { [name]: _, ...query }: Data) => query;
  const fail = () => {
    throw new Error('too many parameters');
  };
  return mutants(
    prefix,
    using(service, (change: Change) => otherQuery(change)),
    LACKING,
    [
      ['position-ignored', `${position} is ignored`, REPEATED, moved(() => 0)],
      ['position-before', 'later pages begin one too early', REPEATED, moved((steps) => steps - 1)],
      [
        'position-repeats',
        'every other page is the first',
        REPEATED,
        moved((steps) => (steps > 1 ? 0 : steps)),
      ],
      ['position-behind', 'later pages begin one too late', moved((steps) => steps + 1)],
      ['position-doubled', 'later pages begin twice as late', moved((steps) => steps * 2)],
      ['later-pages-empty', 'later pages are empty', moved(() => FAR)],
      [
        'later-pages-unfiltered',
        'later pages are not filtered',
        'filter',
        (query) => (isLater(query) ? without(filter, query) : query),
      ],
      [
        'size-drops-filter',
        'a list with a page size is not filtered',
        'filter',
        (query, sent) => (size in sent ? without(filter, query) : query),
      ],
      [
        'filter-drops-size',
        'a filtered list has no page size',
        'page-size',
        (query, sent) => (filter in sent && size in sent ? { ...query, [size]: greatest } : query),
      ],
      [
        'filter-changes-default',
        'a filtered list has another default page size',
        ['page-default', 'filter'],
        (query, sent) => (filter in sent && !(size in sent) ? { ...query, [size]: 3 } : query),
      ],
      [
        'position-drops-size',
        'later pages have no page size',
        ['page-size', 'complete-pages'],
        (query, sent) => (isLater(query) && size in sent ? { ...query, [size]: greatest } : query),
      ],
      [
        'position-and-filter-500',
        'a position and a filter together get 500',
        'status',
        (query, sent) => (position in sent && filter in sent ? fail() : query),
      ],
      [
        'all-parameters-500',
        'a size, a position and a filter apart are right, a size and a filter get 500',
        'status',
        (query, sent) => (size in sent && filter in sent ? fail() : query),
      ],
    ],
  );
}

const only = (service: Service<MockFault>, pattern: string): Service<MockFault> => ({
  ...service,
  options: { only: pattern },
});

const articles = only(mockOf('warehouse.yaml'), '^list_articles/');
const gauges = only(mockOf('tide-gauges.yaml'), '^findGauges/');
const orders = only(mockOf('notices/openapi.yaml'), '^listOrders/');
const vehicles = only(mockOf('fleet.yaml'), '^listVehicles/');

/** Changes the total beside a list of so many records. */
const total = (change: (total: number, listed: number) => number, body: Data): Data => {
  const { meta, total_count, articles = [], vehicles = [] } = body as Record<string, never[] | undefined>;
  const listed = articles.length + vehicles.length;
  if (total_count !== undefined) return { ...body, total_count: change(Number(total_count), listed) };
  const { total: given } = meta as unknown as { total: number };
  return { ...body, meta: { total: change(given, listed) } };
};

type TotalChange = (total: number, listed: number) => number;

const wrongTotals = (prefix: string, service: Service<MockFault>) =>
  mutants(
    prefix,
    using(service, (change: TotalChange) => responseBody('list', (body) => total(change, body))),
    'total',
    [
      ['total-of-page', 'the total is that of the page', (_, listed) => listed],
      ['total-less-one', 'the total is one too small', (all) => Math.max(0, all - 1)],
      ['total-zero', 'the total is always 0', () => 0],
      ['total-pages', 'the total counts pages of ten', (all) => Math.ceil(all / 10)],
      ['total-capped', 'the total is never more than 20', (all) => Math.min(all, 20)],
      ['total-less-page', 'the total counts only what is not shown', (all, listed) => all - listed],
    ],
  );

const NESTED = ['page-size', 'page-default', 'created-is-listed', ...LACKING, ...REPEATED] as const;
const trips = only(mockOf('fleet.yaml'), '^listTrips/');
const isTrips = (query: Data) => 'perPage' in query;

/** Pages that are counted from 0, below another record. */
const wrongTripPages = mutants(
  'fleet-trips',
  using(trips, (change: Change) => otherQuery(change)),
  NESTED,
  [
    ['page-ignored', 'the page is ignored', (query) => (isTrips(query) ? { ...query, page: 0 } : query)],
    [
      'page-from-1',
      'pages are counted from 1',
      (query) => (isTrips(query) ? { ...query, page: Math.max(0, Number(query.page) - 1) } : query),
    ],
    [
      'size-ignored',
      'the page size is ignored',
      (query) => (isTrips(query) ? { ...query, perPage: 60 } : query),
    ],
  ],
);

export const pagesMutants = [
  ...wrongPages('warehouse-pages', articles, {
    ...{ size: 'page_size', greatest: 50, position: 'page_number', first: 1, filter: 'unit' },
  }),
  ...wrongPages('tide-gauges-pages', gauges, {
    ...{ size: 'take', greatest: 200, position: 'skip', first: 0, filter: 'active' },
  }),
  ...wrongPages('notices-pages', orders, {
    ...{ size: 'maxResults', greatest: 100, position: 'startIndex', first: 0, filter: 'channel' },
  }),
  ...wrongPages('fleet-pages', vehicles, {
    ...{ size: 'limit', greatest: 40, position: 'offset', first: 0, filter: 'depot' },
  }),
  ...wrongTotals('warehouse', articles),
  ...wrongTotals('fleet', vehicles),
  ...wrongTripPages,
];
