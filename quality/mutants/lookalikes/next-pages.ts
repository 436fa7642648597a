import { parseJson, stringifyJson } from '#spec';
import { action, type MockFault, mockOf, otherQuery, response, store } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes } from '../suspect.ts';
import { comeAndGo } from './pages-and-values.ts';

/** Pages are half as long as asked for, as those of a service that filters what it has read. */
const shortPages = otherQuery((query) => {
  const { limit, per_page: perPage, ...others } = query;
  const half = (size: unknown) => Math.ceil(Number(size) / 2);
  return {
    ...others,
    ...(limit !== undefined && { limit: half(limit) }),
    ...(typeof perPage === 'number' && { per_page: half(perPage) }),
  };
});

/** Changes the cursor that a page of trees names. */
const cursors = (
  change: (cursor: string | null, sent: string | null, listed: number) => string | null,
): MockFault =>
  response('list', (given, { request }) => {
    const body = JSON.parse(String(given.body));
    if (!body.pagination) return given;
    const sent = new URLSearchParams(request.query).get('cursor');
    const next = change(body.pagination.next_cursor, sent, body.trees.length);
    return {
      ...given,
      body: JSON.stringify({ ...body, pagination: { next_cursor: next, has_more: next !== null } }),
    };
  });

/** Each cursor is another one, whichever page it leads to. */
const otherCursors: MockFault = action('list', (act) => {
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
const unknownEnd = cursors((cursor, sent, listed) =>
  cursor === null && listed > 0 ? btoa(`after ${countBefore(sent) + listed}`).replace(/=+$/, '') : cursor,
);

/** As a service behind a gateway sees itself. */
const insideUrls = response('list', (given) => ({
  ...given,
  body: String(given.body).replaceAll(
    /"(?:https?:\/\/[^/"]*)?(\/api\/[^"]*)"/g,
    '"http://inside.example:8080$1"',
  ),
  ...(given.headers && {
    headers: Object.fromEntries(
      Object.entries(given.headers).map(([name, value]) => [
        name,
        value.replaceAll('</api', '<https://inside.example/v3/api'),
      ]),
    ),
  }),
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
export const nextPagesLookalikes = [
  ...lookalikes('orchards', mockOf('orchards.yaml'), [
    ['as-it-is', 'orchards that keep their document', {}],
    ['short-pages', 'pages are shorter than asked for', shortPages],
    ['unknown-end', 'the last full page names one that is empty', unknownEnd],
    ['other-cursors', 'each cursor is another one', otherCursors],
    ['inside-urls', 'URLs name the host that the service has behind a gateway', insideUrls],
    ['equal-weighings', 'weighings are all the same', equalWeighings],
    ['come-and-go', 'others plant and fell trees, newest first', comeAndGo],
  ]),
  ...lookalikes('orchards', mockOf('orchards.yaml', { count: 0 }), [['empty', 'nothing grows yet', {}]]),
];
