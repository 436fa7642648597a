import {
  action,
  listQuery,
  type MockFault,
  mockOf,
  otherQuery,
  response,
  responseBody,
} from '../mock-faults.ts';
import { mutants, only } from '../suspect.ts';

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
