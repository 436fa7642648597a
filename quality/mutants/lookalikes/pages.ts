import { parseJson, stringifyJson } from '#spec';
import {
  type Id,
  type MockFault,
  mockOf,
  response,
  responseBody,
  type Store,
  store,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { differences } from '../suspect.ts';

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

const total = (change: (given: number) => number) =>
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
    'total estimated': total((all) => all + 7),
    'total of all': total(() => 5000),
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
