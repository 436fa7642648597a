import { parseJson, stringifyJson } from '#spec';
import {
  eachOf,
  type Id,
  type MockFault,
  mockOf,
  refuseIf,
  response,
  responseBody,
  type Store,
  store,
  storedMembers,
} from '../mock-faults.ts';
import { type Data, set } from '../record-changes.ts';
import { lookalikes } from '../suspect.ts';

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
const ordered = (order: (records: Data[]) => Data[]) =>
  store((given) => ({ list: listOrdered(given, order) }));

const newestFirst = (records: Data[]) => records.toReversed();
const backwards = ordered(newestFirst);
const byText = ordered((records) =>
  records.toSorted((a, b) => (stringifyJson(a).slice(-9) < stringifyJson(b).slice(-9) ? -1 : 1)),
);

/** What is behind the last page gets 404. */
const beyondGets404 = response('list', (given, { request }) => {
  const isFirst = !/(?:page_number|offset|skip|page)=[1-9]/.test(request.query);
  if (isFirst || !/\[\]/.test(String(given.body))) return given;
  return { refuse: 'not found', message: 'there is no such page' };
});

/** Others create and remove records between any two requests; lists show the newest first. */
export const comeAndGo: MockFault = store((given) => {
  const added: Id[] = [];
  const list = listOrdered(given, newestFirst);
  return {
    async list(collection, query) {
      const page = await given.list(collection, { ...query, where: [], ...ALL, limit: 1 });
      const [first] = parseJson(page.text) as Data[];
      if (first && query.where.length === 0) {
        const { id: _, article_no: __, ...members } = first;
        const entry = await given.create(collection, { id: undefined, members, scope: [] });
        if (entry !== 'taken') added.push(entry.id);
        const oldest = added.length > 3 ? added.shift() : undefined;
        if (oldest !== undefined) await given.remove(collection, oldest, []);
      }
      return list(collection, query);
    },
  };
});

const total = (change: (given: number) => number) =>
  responseBody('list', (body) => {
    if (typeof body.total_count === 'number') return { ...body, total_count: change(body.total_count) };
    const { meta } = body as { meta?: { total: number } };
    return meta ? { ...body, meta: { total: change(meta.total) } } : body;
  });

const withoutTotal = (body: Data) => {
  const { meta: _, ...others } = body;
  return Array.isArray(body) ? body : others;
};

const otherPages = [
  ...lookalikes('warehouse-pages', mockOf('warehouse.yaml'), [
    ['newest-first', 'lists begin with the newest', backwards],
    ['any-order', 'lists are in an order that nobody can tell', byText],
    ['total-estimated', 'the total is an estimate, and too large', total((all) => all + 7)],
    ['beyond-404', 'what is behind the last page gets 404', beyondGets404],
    ['come-and-go', 'others create and remove articles, newest first', comeAndGo],
  ]),
  ...lookalikes('fleet-pages', mockOf('fleet.yaml'), [
    ['as-it-is', 'a fleet that keeps its document', {}],
    ['newest-first', 'lists begin with the newest', backwards],
    ['without-total', 'there is no total', responseBody('list', withoutTotal)],
    ['total-of-all', 'the total counts what a filter leaves out, too', total(() => 5000)],
    ['beyond-404', 'what is behind the last page gets 404', beyondGets404],
  ]),
  ...lookalikes('fleet', mockOf('fleet.yaml', { count: 0 }), [['empty', 'no vehicle yet', {}]]),
  ...lookalikes('tide-gauges-pages', mockOf('tide-gauges.yaml'), [
    ['any-order', 'lists are in an order that nobody can tell', byText],
    ['beyond-404', 'what is behind the last page gets 404', beyondGets404],
  ]),
];

const hasNull = (body: Data) => Object.values(body).includes(null);
const READ_ONLY = 'id registered registeredOn revision verified grade inventoryNo noted'.split(' ');
const hasReadOnly = (body: Data) => READ_ONLY.some((name) => name in body);

/** A member that is not there is shown as null. */
const showNull = responseBody('update', (record) => ({ remark: null, ...record }));

/** Read-only members are what the service makes of them, each time anew. */
const count = (name: 'replace', member: string): MockFault => {
  let revision = 1;
  return responseBody(name, (record) => ({ ...record, [member]: ++revision }));
};

const verify = storedMembers((members) => ('depot' in members ? { ...members, verified: true } : members));

/** The ids that a service gives are of another form. */
const otherIds = (idOf: (given: unknown, ordinal: number) => unknown): MockFault =>
  store(({ create }) => {
    let ordinal = 0;
    return {
      create: (collection, given) => {
        const id = idOf(collection.idOf(900_000 + ++ordinal), ordinal) as string;
        return create(collection, { ...given, id });
      },
    };
  });

const upperCaseIds = otherIds((id) => (typeof id === 'string' ? id.toUpperCase() : id));
const hugeIds = otherIds((id, ordinal) =>
  typeof id === 'string' ? id : 2n ** 53n + BigInt(ordinal) * 1000n,
);
const moreMembers = responseBody('list', eachOf('vehicles', set('_links', { self: '/x' })));

const otherValues = [
  ...lookalikes('libraries', mockOf('libraries.yaml'), [
    ['null-refused', 'a patch with null is refused', refuseIf('update', hasNull)],
    ['id-refused', 'an id from the client is refused in a create', refuseIf('create', hasReadOnly)],
    ['id-refused-in-put', 'an id from the client is refused in PUT', refuseIf('replace', hasReadOnly)],
    ['upper-case-ids', 'new ids are UUIDs in upper case', upperCaseIds],
  ]),
  ...lookalikes('fleet', mockOf('fleet.yaml'), [
    ['null-refused', 'a patch with null is refused', refuseIf('update', hasNull)],
    ['null-echoed', 'a change of a trip responds with null for what is not there', showNull],
    ['read-only-refused', 'read-only members are refused in a create', refuseIf('create', hasReadOnly)],
    ['read-only-refused-in-patch', 'read-only members are refused in PATCH', refuseIf('update', hasReadOnly)],
    ['revision-counted', 'each PUT counts the revision up', count('replace', 'revision')],
    ['always-verified', 'each new vehicle is verified', verify],
    ['huge-ids', 'ids of trips are beyond 2^53', hugeIds],
    ['more-members', 'listed vehicles have undocumented members', moreMembers],
  ]),
];

export const pagesAndValuesLookalikes = [...otherPages, ...otherValues];
