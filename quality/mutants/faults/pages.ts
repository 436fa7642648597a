import { type MockFault, mockOf, otherQuery, responseBody } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { mutants, only, type Service, using } from '../suspect.ts';

/** The query parameters of a list. */
type Names = readonly [size: string, greatest: number, position: string, first: number, filter: string];

type Change = (query: Data, sent: Data) => Data;

const FAR = 1_000_000;
const REPEATED = ['distinct-pages', 'total'] as const;
const LACKING = ['complete-pages'] as const;
const DEFAULT = ['page-default', 'filter'] as const;

/** What goes wrong with several parameters of one list, and between its pages. */
function wrongPages(
  prefix: string,
  service: Service<MockFault>,
  [size, greatest, position, first, filter]: Names,
) {
  const isLater = (query: Data) => Number(query[position] ?? first) > first;
  const moved = (by: (steps: number) => number): Change =>
    when(isLater, (query) => ({ ...query, [position]: first + by(Number(query[position]) - first) }));
  const lessFilter: Change = ({ [filter]: _, ...query }) => query;
  const sized =
    (to: number): Change =>
    (query) => ({ ...query, [size]: to });
  const sends =
    (...names: string[]) =>
    (_: Data, sent: Data) =>
      names.every((name) => name in sent);
  const failing: Change = () => {
    throw new Error('too many parameters');
  };
  const defaultOfFiltered = when((_, sent) => filter in sent && !(size in sent), sized(3));
  const allOfLater = when((query, sent) => isLater(query) && size in sent, sized(greatest));
  const filteredPage = sends(position, filter);
  const filteredBySize = sends(filter, size);
  const bySizeAndFilter = 'a size, a position and a filter apart are right, a size and a filter get 500';
  const changed = using(service, (change: Change) => otherQuery(change));
  return mutants(prefix, changed, LACKING, [
    ['position-ignored', `${position} is ignored`, REPEATED, moved(() => 0)],
    ['position-before', 'later pages begin one too early', REPEATED, moved((steps) => steps - 1)],
    ['position-repeats', 'all but two pages are the first', REPEATED, moved((at) => (at > 1 ? 0 : at))],
    ['position-behind', 'later pages begin one too late', moved((steps) => steps + 1)],
    ['position-doubled', 'later pages begin twice as late', moved((steps) => steps * 2)],
    ['later-pages-empty', 'later pages are empty', moved(() => FAR)],
    ['later-pages-unfiltered', 'later pages are not filtered', 'filter', when(isLater, lessFilter)],
    ['size-drops-filter', 'a list with a page size is not filtered', 'filter', when(sends(size), lessFilter)],
    [
      'filter-drops-size',
      'a filtered list has no page size',
      'page-size',
      when(filteredBySize, sized(greatest)),
    ],
    ['filter-changes-default', 'a filtered list has another default page size', DEFAULT, defaultOfFiltered],
    ['position-drops-size', 'later pages have no page size', ['page-size', ...LACKING], allOfLater],
    ['position-and-filter-500', 'a position and a filter get 500', 'status', when(filteredPage, failing)],
    ['all-parameters-500', bySizeAndFilter, 'status', when(filteredBySize, failing)],
  ]);
}

/** Changes only these queries. */
const when =
  (is: (query: Data, sent: Data) => boolean, change: Change): Change =>
  (query, sent) =>
    is(query, sent) ? change(query, sent) : query;

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

const changeTotal = (change: TotalChange) => responseBody('list', (body) => total(change, body));

const wrongTotals = (prefix: string, service: Service<MockFault>) =>
  mutants(prefix, using(service, changeTotal), 'total', [
    ['total-of-page', 'the total is that of the page', (_, listed) => listed],
    ['total-less-one', 'the total is one too small', (all) => Math.max(0, all - 1)],
    ['total-zero', 'the total is always 0', () => 0],
    ['total-pages', 'the total counts pages of ten', (all) => Math.ceil(all / 10)],
    ['total-capped', 'the total is never more than 20', (all) => Math.min(all, 20)],
    ['total-less-page', 'the total counts only what is not responseBody', (all, listed) => all - listed],
  ]);

const NESTED = ['page-size', 'page-default', 'created-is-listed', ...LACKING, ...REPEATED] as const;
const trips = only(mockOf('fleet.yaml'), '^listTrips/');
const ofTrips = (change: (query: Data) => Data) =>
  otherQuery((query) => ('perPage' in query ? { ...query, ...change(query) } : query));

/** Pages that are counted from 0, below another record. */
const wrongTripPages = mutants('fleet-trips', using(trips, ofTrips), NESTED, [
  ['page-ignored', 'the page is ignored', () => ({ page: 0 })],
  ['page-from-1', 'pages are counted from 1', ({ page }) => ({ page: Math.max(0, Number(page) - 1) })],
  ['size-ignored', 'the page size is ignored', () => ({ perPage: 60 })],
]);

/** Each list with its parameters: size, the greatest one, position, that of the first page, a filter. */
const LISTS: readonly (readonly [string, Service<MockFault>, ...Names])[] = [
  ['warehouse-pages', articles, 'page_size', 50, 'page_number', 1, 'unit'],
  ['tide-gauges-pages', gauges, 'take', 200, 'skip', 0, 'active'],
  ['notices-pages', orders, 'maxResults', 100, 'startIndex', 0, 'channel'],
  ['fleet-pages', vehicles, 'limit', 40, 'offset', 0, 'depot'],
];

export const pagesMutants = [
  ...LISTS.flatMap(([prefix, service, ...names]) => wrongPages(prefix, service, names)),
  ...wrongTotals('warehouse', articles),
  ...wrongTotals('fleet', vehicles),
  ...wrongTripPages,
];
