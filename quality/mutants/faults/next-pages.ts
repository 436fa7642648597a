import {
  action,
  listQuery,
  type MockFault,
  mockOf,
  otherQuery,
  response,
  responseBody,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { mutants, only } from '../suspect.ts';

const listOf = (id: string) => only(mockOf('orchards.yaml'), `^${id}/`);

const TWICE = 'distinct-pages';
const LACKING = 'complete-pages';

/** Pages after the first begin so many records further on. */
const later = (by: number): MockFault =>
  listQuery(({ offset }) => (offset > 0 ? { offset: Math.max(0, offset + by) } : {}));

/** The cursor for what comes after so many records. */
const cursorAfter = (count: number) => btoa(`after ${count}`).replace(/=+$/, '');

interface Sent {
  readonly query: URLSearchParams;
  /** The cursor that the page would name. */
  readonly next: unknown;
}

/** Changes what a page of trees names as the next one; null: nothing. */
const nextCursor = (change: (sent: Sent) => string | null | undefined): MockFault =>
  response('list', (given, { request }) => {
    const body = JSON.parse(String(given.body));
    const { next_cursor: next } = body.pagination;
    const changed = change({ query: new URLSearchParams(request.query), next });
    if (changed === undefined) return given;
    const pagination = { next_cursor: changed, has_more: changed !== null };
    return { ...given, body: JSON.stringify({ ...body, pagination }) };
  });

/** Requests for a later page get what this makes of them. */
const behindCursors = (name: string, change: (query: Data) => Data): MockFault =>
  otherQuery((query, sent) => (name in sent ? change(query) : query));

const emptyPages = () => {
  let count = 1000;
  return nextCursor(({ next }) => (next === null ? cursorAfter(++count) : undefined));
};

const takesAnyCursor = action('list', (act) => async (task) => {
  const outcome = await act(task);
  if (!('refuse' in outcome) || task.values.violations.length > 0) return outcome;
  const { parameters } = task.values;
  const { cursor: _, ...query } = parameters.query;
  return act({ ...task, values: { ...task.values, parameters: { ...parameters, query } } });
});

const treeMutants = mutants('orchards-trees', listOf('listTrees'), TWICE, [
  ['cursor-ignored', 'the cursor is ignored', behindCursors('cursor', ({ cursor: _, ...query }) => query)],
  ['cursor-early', 'pages behind a cursor begin one tree too early', later(-1)],
  ['cursor-late', 'pages behind a cursor begin one tree too late', LACKING, later(1)],
  ['leads-back', 'the last page leads to the second', backToSecond()],
  [
    'names-itself',
    'pages behind a cursor name themselves',
    nextCursor(({ query }) => query.get('cursor') ?? undefined),
  ],
  ['no-next', 'no page names a next one', LACKING, nextCursor(() => null)],
  [
    'ends-early',
    'the second page is the last',
    LACKING,
    nextCursor(({ query }) => (query.has('cursor') ? null : undefined)),
  ],
  ['endless', 'the last page leads to empty ones without end', LACKING, emptyPages()],
  ['takes-any', 'a text that is no cursor is taken, and the list begins anew', 'status', takesAnyCursor],
]);

function backToSecond(): MockFault {
  return nextCursor(({ query, next }) =>
    next === null && query.has('cursor') ? cursorAfter(Number(query.get('limit') ?? 10)) : undefined,
  );
}

/** Changes the headers of a page of pickers. */
const headers = (
  change: (headers: Readonly<Record<string, string>>, query: string, listed: number) => object,
): MockFault =>
  response('list', (given, { request }) => ({
    ...given,
    headers: { ...change(given.headers ?? {}, request.query, JSON.parse(String(given.body)).length) },
  }));

const nextLink = (change: (target: string, query: string) => string | undefined): MockFault =>
  headers(({ Link: link = '', ...others }, query) => {
    const [, target] = /<([^>]*)>; rel="next"/.exec(link) ?? [];
    const changed = target === undefined ? undefined : change(target, query);
    return changed === undefined ? others : { ...others, Link: `<${changed}>; rel="next"` };
  });

const pickerMutants = mutants('orchards-pickers', listOf('listPickers'), LACKING, [
  [
    'link-once',
    'only the first page links to the next',
    nextLink((target, query) => (/page_token/.test(query) ? undefined : target)),
  ],
  ['link-to-itself', 'each page links to itself as the next', TWICE, nextLink((_, query) => `?${query}`)],
  ['link-late', 'the page that a link leads to begins one picker too late', later(1)],
  ['link-early', 'the page that a link leads to begins one picker too early', TWICE, later(-1)],
  ['link-refused', 'the page that a link leads to is refused', nextLink((target) => `${target}!x`)],
  [
    'total-of-page',
    'X-Total-Count is that of the page',
    'total',
    headers((given, _, listed) => ({ ...given, 'x-total-count': String(listed) })),
  ],
]);

const crateMutants = mutants('orchards-crates', listOf('listCrates'), TWICE, [
  [
    'page-from-1',
    'pages are counted from 1',
    otherQuery((query) => ({ ...query, page: Math.max(0, Number(query.page ?? 0) - 1) })),
  ],
  [
    'total-of-page',
    'totalElements is numberOfElements',
    'total',
    responseBody('list', (body) => ({ ...body, totalElements: body.numberOfElements })),
  ],
]);

/** The offset in the link to the next page. */
const nextOffset = (change: (offset: number) => number): MockFault =>
  responseBody('list', (body) => {
    const { next, ...links } = body._links as Record<string, { readonly href: string }>;
    const href = next?.href.replace(/(?<=offset=)\d+/, (offset) => String(change(Number(offset))));
    return { ...body, _links: { ...links, ...(href !== undefined && { next: { href } }) } };
  });

const deliveryMutants = mutants('orchards-deliveries', listOf('listDeliveries'), TWICE, [
  ['next-early', 'the next page begins one delivery too early', nextOffset((offset) => offset - 1)],
  ['next-late', 'the next page begins one delivery too late', LACKING, nextOffset((offset) => offset + 1)],
  ['next-is-first', 'the next page is the first', nextOffset(() => 0)],
]);

const weighingMutants = mutants('orchards-weighings', listOf('listWeighings'), LACKING, [
  ['page-early', 'later pages begin one weighing too early', [TWICE, 'total'], later(-1)],
  ['page-late', 'later pages begin one weighing too late', later(1)],
]);

/** Lists whose pages name the next one: by a cursor, a link in a header, links and URLs in the body. */
export const nextPagesMutants = [
  ...treeMutants,
  ...pickerMutants,
  ...crateMutants,
  ...deliveryMutants,
  ...weighingMutants,
];
