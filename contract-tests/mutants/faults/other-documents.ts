import { defaultParts, type Parts } from '#mock';
import { isRecord, parseJson, stringifyJson } from '#spec';
import type { LawName as Law } from '../../laws/law.ts';
import { around, faultyMock, type OtherDocument, open, overlooking, storing } from '../on-mock.ts';
import type { Mutant } from '../suspect.ts';

type Data = Record<string, unknown>;

const on =
  (document: OtherDocument) =>
  (name: string, says: string, laws: Law | Law[], parts: () => Partial<Parts>): Mutant =>
    faultyMock(document, name, says, laws, parts);

const warehouse = on('warehouse.yaml');
const gauges = on('tide-gauges.yaml');
const notices = on('notices/openapi.yaml');
const libraries = on('libraries.yaml');

/** Changes what was sent before it is stored. */
const keeping = (change: (members: Data) => Data): Partial<Parts> =>
  storing((store) => ({
    create: (collection, given) =>
      store.create(collection, { ...given, members: change({ ...given.members }) }),
  }));

/** Changes the JSON of an answer. */
const answering = (action: keyof Parts['actions'], change: (body: unknown) => unknown): Partial<Parts> =>
  around(action, (act) => async (task) => {
    const answer = await act(task);
    return 'refuse' in answer
      ? answer
      : { ...answer, body: stringifyJson(change(parseJson(String(answer.body)))) };
  });

const inEach = (member: string, change: (record: Data) => Data) => (body: unknown) =>
  isRecord(body) && Array.isArray(body[member]) ? { ...body, [member]: body[member].map(change) } : body;

/** A list in an object, members that may be null, a PUT, a DELETE. */
export const wrongWarehouses: readonly Mutant[] = [
  warehouse('bare-list', 'the list is the bare array', 'schema', () =>
    answering('list', (body) => (body as Data).articles),
  ),
  warehouse('total-text', 'the total is a text', 'schema', () =>
    answering('list', (body) => ({ ...(body as Data), total_count: String((body as Data).total_count) })),
  ),
  warehouse('one-price-text', 'the price of each listed article is a text', 'schema', () =>
    answering(
      'list',
      inEach('articles', (article) => ({ ...article, price: String(article.price) })),
    ),
  ),
  warehouse('page-size-ignored', 'the size of a page is not kept', 'page-size', () =>
    storing((store) => ({
      list: (collection, query) => store.list(collection, { ...query, limit: Number.POSITIVE_INFINITY }),
    })),
  ),
  warehouse('filter-ignored', 'the unit is not filtered by', 'filter', () =>
    storing((store) => ({ list: (collection, query) => store.list(collection, { ...query, where: [] }) })),
  ),
  warehouse('null-dropped', 'a member that is null is left out', ['schema', 'created-equals-sent'], () =>
    keeping((members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))),
  ),
  warehouse('price-rounded', 'prices are rounded to whole euros', 'created-equals-sent', () =>
    keeping((members) => ({ ...members, price: Math.max(1, Math.round(Number(members.price))) })),
  ),
  warehouse('label-upper', 'labels are put into upper case', 'created-equals-sent', () =>
    keeping((members) => ({ ...members, label: String(members.label).toUpperCase() })),
  ),
  warehouse('barcode-number', 'a barcode becomes a number', ['schema', 'created-equals-sent'], () =>
    keeping((members) => ({
      ...members,
      barcode: members.barcode === null ? null : Number(members.barcode),
    })),
  ),
  warehouse('free-articles', 'an excluded bound is let in', 'invalid-refused', () => ({
    read(operation, validators) {
      const read = defaultParts.read(operation, validators);
      return (raw) => {
        const values = read(raw);
        return isRecord(values.body) && values.body.price === 0 ? { ...values, violations: [] } : values;
      };
    },
  })),
  warehouse('invalid-accepted', 'invalid articles are taken', 'invalid-refused', () => overlooking('POST')),
  warehouse('error-body', 'errors have another body', 'schema', () => ({
    refuse: (operation, contract) => {
      const refuse = defaultParts.refuse(operation, contract);
      return (refusal) => ({ ...refuse(refusal), body: '{"error":"no"}' });
    },
  })),
  warehouse('open-list', 'reading needs no key', 'unauthorised-first', () => open('GET')),
];

/** A key in a header here, in the query there; filters of true and false. */
export const wrongGauges: readonly Mutant[] = [
  gauges('open', 'no key is asked for', 'unauthorised-first', () => open('GET', 'POST')),
  gauges('any-key', 'every key is good', 'unauthorised-first', () => ({
    authenticate: (operation) => defaultParts.authenticate(operation, 'any'),
  })),
  gauges('filter-inverted', 'active=true gives those that are not', 'filter', () =>
    storing((store) => ({
      list: (collection, query) =>
        store.list(collection, {
          ...query,
          where: query.where.map(({ key, anyOf }) => ({
            key,
            anyOf: anyOf.map((value) => (typeof value === 'boolean' ? !value : value)),
          })),
        }),
    })),
  ),
  gauges('latitude-rounded', 'latitudes are rounded', 'created-equals-sent', () =>
    keeping((members) => ({ ...members, latitude: Math.round(Number(members.latitude)) })),
  ),
  gauges('false-dropped', 'a member that is false is left out', ['schema', 'created-equals-sent'], () =>
    keeping((members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== false))),
  ),
  gauges('default-all', 'without a number all are given', ['page-default', 'page-size'], () =>
    around(
      'list',
      (act) => (task) =>
        act(
          task.request.query === ''
            ? {
                ...task,
                values: {
                  ...task.values,
                  parameters: { ...task.values.parameters, query: { take: 10_000 } },
                },
              }
            : task,
        ),
    ),
  ),
];

/** One of several forms; lists as filters. */
export const wrongNotices: readonly Mutant[] = [
  notices('one-form', 'every order comes back as one by mail', ['schema', 'created-equals-sent'], () =>
    keeping((members) => ({ ...members, channel: 'mail' })),
  ),
  notices('topics-sorted', 'topics come back in reverse order, with one more', 'created-equals-sent', () =>
    keeping((members) => ({
      ...members,
      topics: [...((members.topics as unknown[]) ?? []), 'roads', 'water', 'power'].slice(-3).reverse(),
    })),
  ),
  notices('subject-cut', 'subjects are cut after 16 characters', 'created-equals-sent', () =>
    keeping((members) => ({ ...members, subject: String(members.subject).slice(0, 16) })),
  ),
  notices('invalid-accepted', 'invalid orders are taken', 'invalid-refused', () => overlooking('POST')),
  notices('lost', 'new orders are not stored', 'created-can-be-read', () =>
    storing((store) => ({
      create: (collection, given) => {
        const id = given.id ?? collection.idOf(90_000);
        return collection.complete(id, { ...given, id });
      },
      read: store.read,
    })),
  ),
];

/** Records below other records. */
export const wrongLibraries: readonly Mutant[] = [
  libraries(
    'first-for-unknown',
    'an unknown book is the first one',
    ['unknown-id', 'path-id', 'removed-is-gone'],
    () =>
      storing((store) => ({
        async read(collection, id, where) {
          const text = await store.read(collection, id, where);
          if (text !== undefined || !collection.name.endsWith('books')) return text;
          const [first] = parseJson(
            (await store.list(collection, { where, offset: 0, limit: 1 })).text,
          ) as unknown[];
          return first === undefined ? undefined : stringifyJson(first);
        },
      })),
  ),
  libraries('title-trimmed', 'the last character of a title is lost', 'created-equals-sent', () =>
    keeping((members) =>
      'title' in members ? { ...members, title: String(members.title).slice(0, -1) } : members,
    ),
  ),
  libraries('invalid-with-400', 'invalid books are answered 400, not 422', 'invalid-refused', () => ({
    refuse: (operation, contract) => {
      const refuse = defaultParts.refuse(operation, contract);
      return (refusal) => {
        const answer = refuse(refusal);
        return refusal.refuse === 'invalid'
          ? { ...answer, status: 400, body: String(answer.body).replace('422', '400') }
          : answer;
      };
    },
  })),
  libraries(
    'all-shelves',
    'the books of all libraries are in each list',
    ['created-is-listed', 'complete-list', 'list-and-read-agree', 'status', 'distinct-ids', 'filter'],
    () =>
      storing((store) => ({
        list: (collection, query) =>
          store.list(collection, { ...query, where: query.where.filter(({ key }) => !key.startsWith('{')) }),
      })),
  ),
];
