import { parseJson, stringifyJson } from '#spec';
import {
  action,
  listQuery,
  type MockFault,
  mockOf,
  otherQuery,
  response,
  responseBody,
  store,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes, mutants, only } from '../suspect.ts';

// Lists whose pages name the next one: by a cursor, a link in a header, links and URLs in the body.

const listOf = (id: string) => only(mockOf('orchards.yaml'), `^${id}/`);

const TWICE = 'distinct-pages';
const LACKING = 'complete-pages';

/** Pages after the first begin so many records further on. */
const later = (by: number): MockFault =>
  listQuery(({ offset }) => (offset > 0 ? { offset: Math.max(0, offset + by) } : {}));
const EARLY = ['later-early', 'later pages begin one too early', [TWICE, 'total'], later(-1)] as const;
const LATE = ['later-late', 'later pages begin one too late', LACKING, later(1)] as const;

/** The cursor for what comes after so many records. */
const cursorAfter = (count: number) => btoa(`after ${count}`).replace(/=+$/, '');

/** Changes what a page of trees names as the next one; null: nothing. */
type NextCursor = (sent: URLSearchParams, next: unknown) => string | null | undefined;
const nextCursor = (change: NextCursor): MockFault =>
  response('list', (given, { request }) => {
    const body = JSON.parse(String(given.body));
    const next = change(new URLSearchParams(request.query), body.pagination.next_cursor);
    if (next === undefined) return given;
    const pagination = { next_cursor: next, has_more: next !== null };
    return { ...given, body: JSON.stringify({ ...body, pagination }) };
  });

const ignoreCursor = otherQuery(({ cursor: _, ...query }) => query);
const takeAnyCursor = action('list', (act) => async (task) => {
  const outcome = await act(task);
  if (!('refuse' in outcome) || task.values.violations.length > 0) return outcome;
  const { parameters } = task.values;
  const { cursor: _, ...query } = parameters.query;
  return act({ ...task, values: { ...task.values, parameters: { ...parameters, query } } });
});
const toSecond = nextCursor((sent, next) =>
  next === null && sent.has('cursor') ? cursorAfter(Number(sent.get('limit') ?? 10)) : undefined,
);
const endsEarly = nextCursor((sent) => (sent.has('cursor') ? null : undefined));
const emptyPages = () => {
  let count = 1000;
  return nextCursor((_, next) => (next === null ? cursorAfter(++count) : undefined));
};

const trees = mutants('orchards-trees', listOf('listTrees'), TWICE, [
  EARLY,
  LATE,
  ['cursor-ignored', 'the cursor is ignored', ignoreCursor],
  ['leads-back', 'the last page leads to the second', toSecond],
  ['names-itself', 'later pages name themselves', nextCursor((sent) => sent.get('cursor') ?? undefined)],
  ['no-next', 'no page names a next one', LACKING, nextCursor(() => null)],
  ['ends-early', 'the second page is the last', LACKING, endsEarly],
  ['endless', 'the last page leads to empty ones without end', LACKING, emptyPages()],
  ['takes-any', 'a text that is no cursor is taken, and the list begins anew', 'status', takeAnyCursor],
]);

/** Changes the headers of a page of pickers. */
type Headers = Readonly<Record<string, string>>;
const headers = (change: (headers: Headers, query: string, listed: number) => Headers): MockFault =>
  response('list', (given, { request }) => ({
    ...given,
    headers: change(given.headers ?? {}, request.query, JSON.parse(String(given.body)).length),
  }));

const nextLink = (change: (target: string, query: string) => string | undefined): MockFault =>
  headers(({ Link: link = '', ...others }, query) => {
    const [, target] = /<([^>]*)>; rel="next"/.exec(link) ?? [];
    const changed = target === undefined ? undefined : change(target, query);
    return changed === undefined ? others : { ...others, Link: `<${changed}>; rel="next"` };
  });
const linkOnce = nextLink((target, query) => (/page_token/.test(query) ? undefined : target));
const countPage = headers((given, _, listed) => ({ ...given, 'x-total-count': String(listed) }));

const pickers = mutants('orchards-pickers', listOf('listPickers'), LACKING, [
  EARLY,
  LATE,
  ['link-once', 'only the first page links to the next', linkOnce],
  ['link-to-itself', 'each page links to itself as the next', TWICE, nextLink((_, query) => `?${query}`)],
  ['link-refused', 'the page that a link leads to is refused', nextLink((target) => `${target}!x`)],
  ['total-of-page', 'X-Total-Count is that of the page', 'total', countPage],
]);

const fromOne = otherQuery((query) => ({ ...query, page: Math.max(0, Number(query.page ?? 0) - 1) }));
const totalOfPage = responseBody('list', (body) => ({ ...body, totalElements: body.numberOfElements }));

/** The offset in the link to the next page. */
const nextOffset = (change: (offset: number) => number): MockFault =>
  responseBody('list', (body) => {
    const { next, ...links } = body._links as Record<string, { readonly href: string }>;
    const href = next?.href.replace(/(?<=offset=)\d+/, (offset) => String(change(Number(offset))));
    return { ...body, _links: { ...links, ...(href !== undefined && { next: { href } }) } };
  });

export const nextPagesMutants = [
  ...trees,
  ...pickers,
  ...mutants('orchards-crates', listOf('listCrates'), TWICE, [
    ['page-from-1', 'pages are counted from 1', fromOne],
    ['total-of-page', 'totalElements is numberOfElements', 'total', totalOfPage],
  ]),
  ...mutants('orchards-deliveries', listOf('listDeliveries'), TWICE, [
    ['next-early', 'the next page begins one too early', nextOffset((offset) => offset - 1)],
    ['next-late', 'the next page begins one too late', LACKING, nextOffset((offset) => offset + 1)],
    ['next-is-first', 'the next page is the first', nextOffset(() => 0)],
  ]),
  ...mutants('orchards-weighings', listOf('listWeighings'), LACKING, [EARLY, LATE]),
];

/** Pages are half as long as asked for, as those of a service that filters what it has read. */
const shortPages = otherQuery((query) => {
  const sizes = Object.entries(query).filter(([name]) => name === 'limit' || name === 'per_page');
  return {
    ...query,
    ...Object.fromEntries(sizes.map(([name, size]) => [name, Math.ceil(Number(size) / 2)])),
  };
});

/** Each cursor is another one, whichever page it leads to. */
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

const countBefore = (cursor: string | null) => Number(/\d+/.exec(atob(cursor ?? ''))?.[0] ?? 0);

/** Whether there is more a service may see only when it looks for it. */
const unknownEnd = response('list', (given, { request }) => {
  const body = JSON.parse(String(given.body));
  if (body.pagination?.next_cursor !== null || body.trees.length === 0) return given;
  const sent = new URLSearchParams(request.query).get('cursor');
  const next = btoa(`after ${countBefore(sent) + body.trees.length}`).replace(/=+$/, '');
  return { ...given, body: JSON.stringify({ ...body, pagination: { next_cursor: next, has_more: true } }) };
});

/** As a service behind a gateway sees itself. */
const inside = (text: string) =>
  text
    .replaceAll(/"(?:https?:\/\/[^/"]*)?(\/api\/[^"]*)"/g, '"http://inside.example:8080$1"')
    .replaceAll('</api', '<https://inside.example/v3/api');
const insideUrls = response('list', ({ headers = {}, ...given }) => ({
  ...given,
  body: inside(String(given.body)),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, inside(value)])),
}));

/** Weighings cannot be told apart. */
const equalWeighings = store(({ list }) => ({
  async list(collection, query) {
    const page = await list(collection, query);
    if (!collection.name.includes('weighings')) return page;
    const records = (parseJson(page.text) as Data[]).map(() => ({ kilograms: 5, by: 'Ann' }));
    return { ...page, text: stringifyJson(records) };
  },
}));

/** What documents leave open of the way from page to page. */
export const nextPagesLookalikes = lookalikes('orchards', mockOf('orchards.yaml'), [
  ['short-pages', 'pages are shorter than asked for', shortPages],
  ['unknown-end', 'the last full page names one that is empty', unknownEnd],
  ['other-cursors', 'each cursor is another one', otherCursors],
  ['inside-urls', 'URLs name the host that the service has behind a gateway', insideUrls],
  ['equal-weighings', 'weighings are all the same', equalWeighings],
]);
