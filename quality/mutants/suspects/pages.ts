import { parseJson, stringifyJson } from '#spec';
import {
  type Id,
  type MockFault,
  mockOf,
  mockOfFile,
  otherQuery,
  response,
  responseBody,
  type Store,
  store,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import {
  differences,
  mutants,
  type Operators,
  only,
  product,
  type Service,
  SHIPPED_DOCUMENT,
  using,
} from '../suspect.ts';

/** The query parameters of a list: its page size, what a page begins with, a filter. */
type Names = readonly [size: string, greatest: number, filter: string, position: string, first: number];

/** What a list is asked for, where this was sent. */
type Change = (query: Data, sent: Data) => Data;
type OfList = (...names: Names) => Change;
type Is = (query: Data, sent: Data) => boolean;

const when =
  (is: Is, change: Change): Change =>
  (query, sent) =>
    is(query, sent) ? change(query, sent) : query;
const without =
  (name: string): Change =>
  ({ [name]: _, ...query }) =>
    query;
const set =
  (name: string, value: unknown): Change =>
  (query) => ({ ...query, [name]: value });
const sends =
  (...names: string[]): Is =>
  (_, sent) =>
    names.every((name) => name in sent);
const isLater =
  (position: string, first: number): Is =>
  (query) =>
    Number(query[position] ?? first) > first;
const fails: Change = () => {
  throw new Error('out of range');
};

/** A page begins elsewhere: so many records, or pages, behind the first. */
const moved =
  (to: (steps: number) => number): OfList =>
  (...[, , , position, first]) =>
    when(isLater(position, first), (query) =>
      set(position, first + to(Number(query[position]) - first))(query, {}),
    );

/** A page that is asked for with a size has another one. */
const sized =
  (to: (size: number, greatest: number) => number): OfList =>
  (name, greatest) =>
    when(sends(name), (query) => set(name, to(Number(query[name]), greatest))(query, {}));

/** Sizes like this get 500. */
const failsFor =
  (is: (size: number, greatest: number) => boolean): OfList =>
  (name, greatest) =>
    when((query, sent) => name in sent && is(Number(query[name]), greatest), fails);

const LACKING = ['complete-pages', 'complete-list', 'distinct-pages', 'filter'] as const;
const DEFAULT = ['page-default', 'page-size', ...LACKING] as const;
const REPEATED = ['distinct-pages', 'total'] as const;

const SIZES: Operators<OfList> = {
  'size ignored': ['page-size', sized((_, greatest) => greatest)],
  'one more': ['page-size', sized((size) => size + 1)],
  'one less': [sized((size) => Math.max(1, size - 1))],
  'least is all': ['page-size', sized((size, greatest) => (size === 1 ? greatest : size))],
  'at least five': ['page-size', sized((size) => Math.max(5, size))],
  'at most three': [sized((size) => Math.min(3, size))],
  'sizes compared as text': [sized((size) => (size > 9 ? 1 : size))],
  'greatest gets 500': ['status', failsFor((size, greatest) => size === greatest)],
  'least gets 500': ['status', failsFor((size) => size === 1)],
  'default of 3': [DEFAULT, (size) => when((_, sent) => !(size in sent), set(size, 3))],
  'default is greatest': [DEFAULT, (size, most) => when((_, sent) => !(size in sent), set(size, most))],
  'default of 3 with filter': [
    DEFAULT,
    (size, _, filter) => when((_query, sent) => filter in sent && !(size in sent), set(size, 3)),
  ],
  'filter ignored': ['filter', (_size, _most, filter) => without(filter)],
  'filter ignored with size': ['filter', (size, _, filter) => when(sends(size), without(filter))],
  'size ignored with filter': ['page-size', (size, most, by) => when(sends(by, size), set(size, most))],
  'size and filter get 500': ['status', (size, _, filter) => when(sends(size, filter), fails)],
};

const POSITIONS: Operators<OfList> = {
  'position ignored': [REPEATED, moved(() => 0)],
  'later pages begin one too early': [REPEATED, moved((steps) => steps - 1)],
  'all but two pages are the first': [REPEATED, moved((steps) => (steps > 1 ? 0 : steps))],
  'later pages begin one too late': [moved((steps) => steps + 1)],
  'later pages begin twice as late': [moved((steps) => steps * 2)],
  'later pages are empty': [moved(() => 1_000_000)],
  'later pages are not filtered': [
    'filter',
    (...[, , by, at, first]) => when(isLater(at, first), without(by)),
  ],
  'later pages have no size': [
    ['page-size', ...LACKING],
    (size, greatest, _, position, first) => when(isLater(position, first), set(size, greatest)),
  ],
  'position and filter get 500': ['status', (...[, , by, at]) => when(sends(at, by), fails)],
};

const listOf = (service: Service<MockFault>, cases: string, ...names: Names) =>
  using(only(service, `^${cases}/`), (operator: OfList) => otherQuery(operator(...names)));

const [articles, vehicles] = [mockOf('warehouse.yaml'), mockOf('fleet.yaml')];
const gauges = mockOf('tide-gauges.yaml');
const orders = mockOf('notices/openapi.yaml');
const pets = mockOfFile(SHIPPED_DOCUMENT, { count: 120 });

const LISTS = [
  ['warehouse-pages', listOf(articles, 'list_articles', 'page_size', 50, 'unit', 'page_number', 1)],
  ['tide-gauges-pages', listOf(gauges, 'findGauges', 'take', 200, 'active', 'skip', 0)],
  ['notices-pages', listOf(orders, 'listOrders', 'maxResults', 100, 'channel', 'startIndex', 0)],
  ['fleet-pages', listOf(vehicles, 'listVehicles', 'limit', 40, 'depot', 'offset', 0)],
] as const;

const TOGETHER = Object.keys(SIZES).filter((phrase) => /filter/.test(phrase));

const sizes = product(SIZES, LACKING, [
  ['pets-pages', listOf(pets, 'listPets', 'limit', 100, 'status', '', 0)],
  ...LISTS.slice(0, 2),
  ...LISTS.slice(2).map(([prefix, service]) => [prefix, service, TOGETHER] as const),
]);

type TotalChange = (total: number, listed: number) => number;
const TOTALS: Operators<TotalChange> = {
  'total of page': [(_, listed) => listed],
  'total less one': [(all) => Math.max(0, all - 1)],
  'total zero': [() => 0],
  'total in pages of ten': [(all) => Math.ceil(all / 10)],
  'total at most 20': [(all) => Math.min(all, 20)],
  'total of other pages': [(all, listed) => all - listed],
};

/** Changes the total beside a list of so many records. */
const total = (change: TotalChange): MockFault =>
  responseBody('list', ({ meta, total_count: count, articles = [], vehicles = [], ...body }) => {
    const listed = [articles, vehicles].flat().length;
    if (count !== undefined) return { ...body, articles, total_count: change(Number(count), listed) };
    return { ...body, vehicles, meta: { total: change((meta as { total: number }).total, listed) } };
  });

/** Pages that are counted from 0, below another record. */
const trips = using(only(vehicles, '^listTrips/'), (change: (query: Data) => Data) =>
  otherQuery((query) => ('perPage' in query ? { ...query, ...change(query) } : query)),
);

export const pagesMutants = [
  ...sizes,
  ...product(POSITIONS, LACKING, LISTS),
  ...product(TOTALS, 'total', [
    ['warehouse', using(only(articles, '^list_articles/'), total)],
    ['fleet', using(only(vehicles, '^listVehicles/'), total)],
  ]),
  ...mutants(
    'fleet-trips',
    trips,
    [...DEFAULT, 'total', 'created-is-listed'],
    [
      ['page-ignored', 'the page is ignored', () => ({ page: 0 })],
      ['page-from-1', 'pages are counted from 1', ({ page }) => ({ page: Math.max(0, Number(page) - 1) })],
      ['size-ignored', 'the page size is ignored', () => ({ perPage: 60 })],
    ],
  ),
];

const ALL = { offset: 0, limit: Number.POSITIVE_INFINITY };

/** A list in another order, the same at each request. */
const listOrdered =
  ({ list }: Store, order: (records: Data[]) => Data[]): Store['list'] =>
  async (collection, query) => {
    const whole = await list(collection, { ...query, ...ALL, counted: true });
    const records = order(parseJson(whole.text) as Data[]);
    const page = records.slice(query.offset, query.offset + query.limit);
    return { ...whole, text: stringifyJson(page), count: page.length, total: records.length };
  };
const ordered = (order: (records: Data[]) => Data[]) => store((all) => ({ list: listOrdered(all, order) }));

const newestFirst = (records: Data[]) => records.toReversed();
const byText = (records: Data[]) =>
  records.toSorted((a, b) => (stringifyJson(a).slice(-9) < stringifyJson(b).slice(-9) ? -1 : 1));

/** What is behind the last page gets 404. */
const beyondGets404 = response('list', (given, { request }) => {
  const isFirst = !/(?:page_number|offset|skip|page)=[1-9]/.test(request.query);
  if (isFirst || !/\[\]/.test(String(given.body))) return given;
  return { refuse: 'not found', message: 'there is no such page' };
});

/** Others create and remove records between any two requests; lists show the newest first. */
const comeAndGo: MockFault = store((all) => {
  const added: Id[] = [];
  const list = listOrdered(all, newestFirst);
  return {
    async list(collection, query) {
      const page = await all.list(collection, { ...query, where: [], ...ALL, limit: 1 });
      const [first] = parseJson(page.text) as Data[];
      if (first && query.where.length === 0) {
        const { id: _, article_no: __, ...members } = first;
        const entry = await all.create(collection, { id: undefined, members, scope: [] });
        if (entry !== 'taken') added.push(entry.id);
        const oldest = added.length > 3 ? added.shift() : undefined;
        if (oldest !== undefined) await all.remove(collection, oldest, []);
      }
      return list(collection, query);
    },
  };
});

const shownTotal = (change: (given: number) => number) =>
  responseBody('list', (body) => {
    const { meta, total_count: count } = body as { meta?: { total: number }; total_count?: number };
    if (count !== undefined) return { ...body, total_count: change(count) };
    return meta ? { ...body, meta: { total: change(meta.total) } } : body;
  });
const withoutTotal = responseBody('list', (body) => {
  const { meta: _, ...others } = body;
  return Array.isArray(body) ? body : others;
});

/** What documents leave open of the pages of a list. */
export const pagesLookalikes = differences(
  {
    'newest first': ordered(newestFirst),
    'any order': ordered(byText),
    'beyond gets 404': beyondGets404,
    'come and go': comeAndGo,
    'total estimated': shownTotal((all) => all + 7),
    'total of all': shownTotal(() => 5000),
    'without total': withoutTotal,
  },
  [
    [
      'warehouse-pages',
      mockOf('warehouse.yaml'),
      ['newest first', 'any order', 'beyond gets 404', 'come and go', 'total estimated'],
    ],
    [
      'fleet-pages',
      mockOf('fleet.yaml'),
      ['newest first', 'beyond gets 404', 'total of all', 'without total'],
    ],
    ['tide-gauges-pages', mockOf('tide-gauges.yaml'), ['any order', 'beyond gets 404']],
    ['orchards-pages', mockOf('orchards.yaml'), ['come and go']],
  ],
);
