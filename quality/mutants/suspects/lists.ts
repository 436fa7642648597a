import { parseJson, stringifyJson } from '#spec';
import { action, listQuery, type MockFault, mockOf, otherQuery, response, store } from '../mock-faults.ts';
import { convert, type Data, without } from '../record-changes.ts';
import { lookalikes, mutants, type Operators, only, product, using } from '../suspect.ts';

// Lists whose pages refer to the next one: by a cursor, a link in a header, or links and URLs in the body.

const orchards = (id: string) => only(mockOf('orchards.yaml'), `^${id}/`);
const [TWICE, MISSING] = ['distinct-pages', 'complete-pages'] as const;

/** Pages after the first start this number of records later. */
const later = (by: number): MockFault =>
  listQuery(({ offset }) => (offset > 0 ? { offset: Math.max(0, offset + by) } : {}));

/** The cursor after this number of records. */
const cursorAfter = (count: number) => btoa(`after ${count}`).replace(/=+$/, '');

/** Changes the next cursor on a page of trees; null: none. */
const nextCursor = (
  change: (sent: URLSearchParams, next: unknown, listed: number) => string | null | undefined,
): MockFault =>
  response('list', (reply, { request }) => {
    const body = JSON.parse(String(reply.body));
    if (body.pagination === undefined || body.trees === undefined) return reply;
    const { next_cursor: current } = body.pagination;
    const next = change(new URLSearchParams(request.query), current, body.trees.length);
    if (next === undefined) return reply;
    const pagination = { next_cursor: next, has_more: next !== null };
    return { ...reply, body: JSON.stringify({ ...body, pagination }) };
  });

const toSecond = nextCursor((sent, next) =>
  next === null && sent.has('cursor') ? cursorAfter(Number(sent.get('limit') ?? 10)) : undefined,
);
const endsEarly = nextCursor((sent) => (sent.has('cursor') ? null : undefined));
const positionOf = (sent: URLSearchParams) => Number(/\d+/.exec(atob(sent.get('cursor') ?? ''))?.[0] ?? 0);
/** Changes the headers of a page of pickers. */
const headers = (
  change: (headers: Readonly<Record<string, string>>, query: string, listed: number) => object,
) =>
  response('list', (reply, { request }) => ({
    ...reply,
    headers: { ...change(reply.headers ?? {}, request.query, JSON.parse(String(reply.body)).length) },
  }));
const linkOnce = headers(({ Link, ...others }, query) =>
  /page_token/.test(query) || Link === undefined ? others : { ...others, Link },
);
const countPage = headers((fields, _, listed) => ({ ...fields, 'x-total-count': String(listed) }));
const fromOne = otherQuery((query) => ({ ...query, page: Math.max(0, Number(query.page ?? 0) - 1) }));

const nextPagesMutants = [
  ...mutants('orchards-trees', orchards('listTrees'), MISSING, {
    'leads-back': ['the last page leads to the second', TWICE, toSecond],
    'ends-early': ['the second page is the last', endsEarly],
  }),
  ...mutants('orchards-pickers', orchards('listPickers'), MISSING, {
    'later-early': ['later pages begin one too early', [TWICE, 'total'], later(-1)],
    'link-once': ['only the first page links to the next', linkOnce],
    'total-of-page': ['X-Total-Count is that of the page', 'total', countPage],
  }),
  ...mutants('orchards-crates', orchards('listCrates'), TWICE, {
    'page-from-1': ['pages are counted from 1', fromOne],
  }),
  ...mutants('orchards-deliveries', orchards('listDeliveries'), MISSING, {}),
  ...mutants('orchards-weighings', orchards('listWeighings'), MISSING, {
    'later-late': ['later pages begin one too late', later(1)],
  }),
];

/** Pages have half the requested size, as in a service that filters after reading. */
const shortPages = otherQuery((query) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) =>
      name === 'limit' || name === 'per_page' ? [name, Math.ceil(Number(value) / 2)] : [name, value],
    ),
  ),
);

/** Each cursor is different, whichever page it leads to. */
const otherCursors = action('list', (act) => {
  let issued = 0;
  return async (task) => {
    const { query } = task.values.parameters;
    const cursor = String(query.cursor ?? '').replace(/\.\d+$/, '');
    const parameters = { ...task.values.parameters, query: { ...query, ...(cursor !== '' && { cursor }) } };
    const outcome = await act({ ...task, values: { ...task.values, parameters } });
    if ('refuse' in outcome) return outcome;
    const body = String(outcome.body).replace(/(?<="next_cursor":"[^"]*)"/, () => `.${++issued}"`);
    return { ...outcome, body };
  };
});

/** A service may not know that a page is the last one until it looks for the next. */
const unknownEnd = nextCursor((sent, next, listed) =>
  next === null && listed > 0 ? cursorAfter(positionOf(sent) + listed) : undefined,
);

/** With the internal host of a service behind a gateway. */
const inside = (text: string) =>
  text
    .replaceAll(/"(?:https?:\/\/[^/"]*)?(\/api\/[^"]*)"/g, '"http://inside.example:8080$1"')
    .replaceAll('</api', '<https://inside.example/v3/api');
const insideUrls = response('list', ({ headers = {}, ...reply }) => ({
  ...reply,
  body: inside(String(reply.body)),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, inside(value)])),
}));

/** Weighings are indistinguishable. */
const equalWeighings = store(({ list }) => ({
  async list(collection, query) {
    const page = await list(collection, query);
    if (!collection.name.includes('weighings')) return page;
    const records = (parseJson(page.text) as Data[]).map(() => ({ kilograms: 5, by: 'Ann' }));
    return { ...page, text: stringifyJson(records) };
  },
}));

/** Changes the order or the records of each page of a list. */
const listed = (change: (records: Data[], query: Data) => Data[]): MockFault =>
  response('list', (reply, { values }) => {
    const records = parseJson(String(reply.body)) as Data[];
    return { ...reply, body: stringifyJson(change(records, values.parameters.query)) };
  });
const reordered = (compare: (one: Data, other: Data, sort: unknown) => number): MockFault =>
  listed((records, { sort }) => records.toSorted((left, right) => compare(left, right, sort)));

type Change = (query: Data, sent: Data) => Data;
const lots = only(mockOf('auctions.yaml'), '^(?:listLots|addLot)/');
const oneMore = convert('max_price', (most) => Number(most) + 1);

/** Lists with another order, or other records, than requested. */
const OF_LOTS: Operators<Change> = {
  'sort always up': [convert('sort', (by) => String(by).replace(/^-/, ''))],
  'sort default ignored': [(query, sent) => ('sort' in sent ? query : without('sort')(query))],
  'least ignored': ['bounds', without('min_price')],
  'most let through': ['bounds', oneMore],
  'bounds find nothing': ['bounds', convert('min_price', () => 1_000_000)],
  'search finds nothing': ['search', convert('q', () => 'nothing of the kind')],
  'search by first word': ['search', convert('q', (text) => `${text} `)],
  'seller ignored': ['filter', without('seller')],
  'topics find nothing': ['filter', convert('topic', () => 'nothing at all')],
};
const asTexts = reordered((one, other) => (String(one.price) < String(other.price) ? -1 : 1));

const queriesMutants = [
  ...product(OF_LOTS, 'order', [['auctions', using(lots, (change) => otherQuery(change))]]),
  ...mutants('auctions', lots, 'order', { 'sort-numbers-as-text': ['prices are ordered as texts', asTexts] }),
];

const rankOf = ({ condition }: Data) => ['new', 'used', 'worn'].indexOf(String(condition));
const byRank = reordered((one, other, sort) => (sort === 'condition' ? rankOf(one) - rankOf(other) : 0));

/** Titles in dictionary order, ignoring case. */
const byCollation = reordered((one, other, sort) => {
  const order = String(one.title).localeCompare(String(other.title), 'en', { numeric: true });
  return sort === 'title' ? order : sort === '-title' ? -order : 0;
});
const newestOfEqual = reordered((one, other, sort) =>
  sort === '-price' && one.price === other.price ? Number(other.id) - Number(one.id) : 0,
);
const withoutTheBound = listed((records, query) =>
  records.filter(({ closes_at }) => closes_at === undefined || closes_at !== query.closes_after),
);

export const lists = {
  'pages that name the next one': [
    nextPagesMutants,
    lookalikes('orchards', mockOf('orchards.yaml'), {
      'short-pages': ['pages are shorter than asked for', shortPages],
      'unknown-end': ['the last full page names one that is empty', unknownEnd],
      'other-cursors': ['each cursor is another one', otherCursors],
      'inside-urls': ['URLs name the host that the service has behind a gateway', insideUrls],
      'equal-weighings': ['weighings are all the same', equalWeighings],
    }),
  ],
  'order, bounds and search of lists': [
    queriesMutants,
    lookalikes('auctions', mockOf('auctions.yaml'), {
      'conditions-by-rank': ['an enumeration has an order of its own', byRank],
      'titles-by-collation': ['titles are ordered as in a dictionary', byCollation],
      'newest-of-equal-first': ['of equal prices the newest comes first', newestOfEqual],
      'bound-left-out': ['a bound that the document leaves open is left out', withoutTheBound],
    }),
  ],
} as const;
