import { parseJson, stringifyJson } from '#spec';
import { action, mockOf, otherQuery, response, store } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes } from '../suspect.ts';

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
