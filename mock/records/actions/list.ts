import {
  arrayShape,
  boundValue,
  compareOrdered,
  type Data,
  type Exclusion,
  endingBeforeOf,
  exclusionsOf,
  explicitStatuses,
  type Filter,
  filteredValues,
  formsOf,
  isRecord,
  isWithin,
  type ListForm,
  type MediaType,
  memberShape,
  memberValue,
  oncePer,
  parseJson,
  type ReadRequest,
  readOrder,
  type Search,
  type Shape,
  type SortKey,
  sentType,
  stringifyJson,
  withoutNull,
} from '#spec';
import { type Awaitable, andThen, type MockRequest, type ResponseContent } from '../../http/exchange.ts';
import { onFirstCall, reusable } from '../../http/memoize.ts';
import type { Outcome } from '../../http/refusal.ts';
import { successForm } from '../../http/representations.ts';
import type { Page, Query, Scalar, Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { Act, ActionContext, Task } from './action.ts';
import { compileListHeaders, compileWrapper } from './around-list.ts';
import { compileLinked, type IsMeant } from './linked.ts';
import { compileExtent, compileOffsetOf, countable, type Extent, recordsOf } from './page-signs.ts';
import { compileSelection } from './selection.ts';

/** Lists records in the order of their ids: filtered, and at most one page. */
export function compileList(context: ActionContext): Act | undefined {
  const { list } = context.collection.resource;
  const { status, media } = successForm(context.operation);
  const { shape } = media ?? {};
  if (!list || !media || !shape) return undefined;
  return onFirstCall(() => compileListed(context, list, { status, media, shape }));
}

interface Listed {
  readonly status: number;
  readonly media: MediaType;
  readonly shape: Shape;
}

function compileListed(context: ActionContext, form: ListForm, { status, media, shape }: Listed): Act {
  const { operation, seeds } = context;
  const { linked, elsewhere, ...selected } = compileLinked(context);
  const collection =
    elsewhere.length === 0 ? context.collection : withoutScope(context.collection, elsewhere);
  const list = { ...form, ...selected };
  const array = arrayShape(list, shape);
  const headersOf = compileListHeaders(collection.resource);
  const counted = list.member !== undefined || headersOf !== undefined;
  const most = array?.lowest('maxItems') ?? Number.POSITIVE_INFINITY;
  const exclusions = exclusionsOf(operation, collection.resource.shape);
  const queryOf = compileQuery(list, collection, most, counted, exclusions);
  const type = sentType(media);
  const wrap =
    list.member === undefined ? undefined : compileWrapper(shape, collection.resource, seeds, operation);
  // A store may return the same page object until the next write.
  const selections = new WeakMap<Page, string>();
  const content = (page: Page, body: string): ResponseContent => {
    const selected = selections.get(page);
    return { status, type, body, ...(selected !== undefined && { selected }) };
  };
  const bare = oncePer((page: Page) => reusable(content(page, page.text)));
  const contentOf = (page: Page, extent: Extent, request: MockRequest) =>
    wrap ? content(page, wrap(page, extent, request)) : bare(page);

  const selectionOf = compileSelection(list, collection);
  const respond = (query: ListQuery, { request, store, values }: Task) => {
    const listing = listed(store, collection, query);
    const isAtOnce = !(listing instanceof Promise);
    return andThen(listing, (page) => {
      const isNew = isAtOnce && !selections.has(page);
      const selected = isNew ? selectionOf(page, query, values, store) : undefined;
      if (selected !== undefined) selections.set(page, selected);
      const content = contentOf(page, query.extent, request);
      return headersOf ? { ...content, headers: headersOf(page, query.extent, request) } : content;
    });
  };
  const offsetOf = compileOffsetOf(list, collection.resource.id?.property);
  const refusesUnknown = explicitStatuses(operation.responses).some((status) => [400, 422].includes(status));

  const { cursor: cursorParameter } = list;
  const before = endingBeforeOf(operation);
  const positionOf = (page: Page, id: unknown) =>
    recordsOf(page).findIndex((one) => String(one[collection.resource.id?.property ?? '']) === String(id));

  function listFor(query: ListQuery, task: Task): Awaitable<Outcome> {
    const { values, store } = task;
    const { name = '' } = cursorParameter ?? {};
    const cursor = values.parameters.query[name];
    const end = before && values.parameters.query[before.name];
    if (end !== undefined && end !== '')
      return andThen(
        listed(store, collection, { ...query, offset: 0, limit: Number.POSITIVE_INFINITY }),
        (page) => respond(endingAt(query, positionOf(page, end)), task),
      );
    if (!offsetOf || cursor === undefined || cursor === '') return respond(query, task);
    const whole = { ...query, offset: 0, limit: Number.POSITIVE_INFINITY };
    return andThen(
      offsetOf(cursor, () => listed(store, collection, whole)),
      (offset) => {
        if (offset !== undefined) return respond(startingAt(query, offset), task);
        const message = `query.${name} must be a cursor of this list, not ${stringifyJson(cursor)}`;
        return refusesUnknown ? { refuse: 'invalid', message } : respond({ ...query, limit: 0 }, task);
      },
    );
  }

  return (task) => {
    const query = queryOf(task.values);
    return linked
      ? andThen(linked(task), (isMeant) => listFor(withLinked(query, isMeant), task))
      : listFor(query, task);
  };
}

/** A collection whose records some path parameters do not select. */
function withoutScope(collection: RecordCollection, names: readonly string[]): RecordCollection {
  const unsaid = Object.fromEntries(names.map((name) => [name, undefined]));
  const scopeFrom: RecordCollection['scopeFrom'] = (path) =>
    collection.scopeFrom({ ...path, ...unsaid }).filter(({ anyOf }) => anyOf[0] !== undefined);
  return { ...collection, scopeFrom };
}

/** Responds with the first record that fits path and query. */
export function compileFirst(
  collection: RecordCollection,
  form: ListForm,
  contentOf: (text: string) => ResponseContent,
): Act {
  const select = compileSelect(collection, form, 1);
  return (task) =>
    andThen(select(task), ([first]) => {
      const message = 'No record has what the request asks for';
      return first ? contentOf(stringifyJson(first)) : { refuse: 'not found', message };
    });
}

/** Compiles reading the records that path and query of a request select. */
export function compileSelect(
  collection: RecordCollection,
  form: ListForm,
  most = Number.POSITIVE_INFINITY,
): (task: Pick<Task, 'values' | 'store'>) => Awaitable<Data[]> {
  const queryOf = compileQuery(form, collection, most, false, []);
  return ({ values, store }) => andThen(listed(store, collection, queryOf(values)), recordsOf);
}

/** Filters that the store does not support run here, over all records that it returns. */
function listed(store: Store, collection: RecordCollection, query: ListQuery): Awaitable<Page> {
  const { refine, where, offset, limit } = query;
  if (!refine) return store.list(collection, query);
  return andThen(store.list(collection, { where, offset: 0, limit: Number.POSITIVE_INFINITY }), (all) =>
    refinedPage(all, refine, offset, limit),
  );
}

function withLinked(query: ListQuery, isMeant: IsMeant | undefined): ListQuery {
  if (!isMeant) return query;
  const { refine } = query;
  return {
    ...query,
    refine: (records) => (refine ? refine(records.filter(isMeant)) : records.filter(isMeant)),
  };
}

function startingAt(query: ListQuery, offset: number): ListQuery {
  return { ...query, offset, extent: { ...query.extent, offset } };
}

/** @param end how many records precede the record that a page ends before; -1: unknown, so the page is empty */
function endingAt(query: ListQuery, end: number): ListQuery {
  const limit = Math.max(0, Math.min(query.limit, end));
  const from = startingAt(query, Math.max(0, end - limit));
  return { ...from, limit, extent: { ...from.extent, isBack: true } };
}

/** What the store is asked for, and what the client has asked for. */
interface ListQuery extends Query {
  readonly extent: Extent;
  readonly refine: Refine | undefined;
}

/** Compiles a list's query from its parameters, whose defaults are already filled in. */
function compileQuery(
  form: ListForm,
  { scopeFrom, resource: { shape } }: RecordCollection,
  most: number,
  // Only an object around the list, or a header, shows the total.
  counted: boolean,
  exclusions: readonly Exclusion[],
) {
  const extentOf = compileExtent(form);
  const isInside = ({ property, inner }: Filter) => {
    const member = memberShape(shape, property);
    const value = member?.items ?? member;
    const isObject = value && formsOf(value).some(({ mainType }) => mainType === 'object');
    return inner !== undefined || isObject || isDecimal(shape, property);
  };
  const refineOf = compileRefine(form, form.filters.filter(isInside), exclusions, shape);
  const filters = form.filters
    .filter((filter) => !isInside(filter))
    .map(({ parameter: { name }, property: key }) => {
      const isList = memberShape(shape, key)?.mainType === 'array';
      return { name, key, typed: typedAs(shape, key), isList };
    });

  function read(query: Data, scope: Query['where']): ListQuery {
    const conditions = filters.flatMap(({ name, key, typed, isList }) => {
      const { [name]: value } = query;
      // `?genres=Drama,Action` selects records with either.
      const split = isList && typeof value === 'string' && value.includes(',') ? value.split(',') : [];
      return isOpen(value) ? [] : [{ key, anyOf: [value, split].flat(2).map(typed) }];
    });
    const extent = extentOf(query);
    const limit = Math.min(
      most,
      extent.size === undefined ? Number.POSITIVE_INFINITY : countable(extent.size),
    );
    const refine = refineOf(query);
    const where = [...scope, ...conditions];
    return { where, limit, offset: countable(extent.offset), counted, extent, refine };
  }

  // The request reader returns the same object for a query string that it has read before.
  const unscoped = oncePer((query: Data) => read(query, []));

  return ({ parameters: { path, query }, body }: ReadRequest): ListQuery => {
    const scope = scopeFrom(path);
    // A POST has its filters in the body, as a GET in its query.
    if (isRecord(body)) return read({ ...body, ...query }, scope);
    return scope.length > 0 ? read(query, scope) : unscoped(query);
  };
}

/** Forms send fields that nobody filled in as empty text: no filter. */
const isOpen = (value: unknown): boolean => value === undefined || value === '';

/** Compiles the conversion of query text to a member's type: `2002` is a number for a numeric member. */
function typedAs(shape: Shape, property: string): (value: unknown) => Scalar {
  const member = memberShape(shape, property);
  const { mainType } = withoutNull(member?.items ?? member ?? shape);
  const isNumeric = mainType === 'integer' || mainType === 'number';
  return (value) => {
    const isNumber =
      isNumeric && typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value));
    return (isNumber ? parseJson(String(Number(value))) : value) as Scalar;
  };
}

/** Whether a member has exact amounts as text, which compare as numbers: `"120.50"` equals 120.5. */
function isDecimal(shape: Shape, property: string): boolean {
  const member = memberShape(shape, property);
  const form = member && withoutNull(member);
  return form?.mainType === 'string' && form.find('format')?.value === 'decimal';
}

/** Selects and orders records. A query without one needs nothing beyond what the store does. */
type Refine = (records: readonly Data[]) => readonly Data[];

/** Compiles filters beside equality and pages: bounds, a search, an order. */
function compileRefine(
  { bounds, search, parts, order, usual }: ListForm,
  inside: readonly Filter[],
  exclusions: readonly Exclusion[],
  shape: Shape,
): (query: Data) => Refine | undefined {
  const plainOf = (property: string) =>
    isDecimal(shape, property) ? (one: unknown) => String(Number(one)) : String;
  return (query) => {
    const wanted = inside.flatMap((filter) => {
      const { [filter.parameter.name]: value } = query;
      const plain = plainOf(filter.property);
      return isOpen(value) ? [] : [{ filter, plain, values: [value].flat().map(plain) }];
    });
    const sets = bounds.flatMap((bound) => {
      const value = boundValue(bound, query);
      return value === undefined ? [] : [{ bound, value }];
    });
    const left = exclusions.flatMap(({ parameter, property }) => {
      const { [parameter.name]: value } = query;
      return value === undefined ? [] : [{ property, values: [value].flat().map(String) }];
    });
    const texts = [...(search ? [search] : []), ...parts].flatMap((one) => {
      const { [one.parameter.name]: text } = query;
      return typeof text === 'string' ? [{ search: one, text: text.toLowerCase() }] : [];
    });
    const keys = (order && readOrder(order, query)) ?? usual?.keys;
    if (wanted.length + sets.length + left.length + texts.length === 0 && !keys) return undefined;
    // Without a documented bound that says otherwise, the bound itself is included.
    const isMeant = (record: Data) =>
      wanted.every(({ filter, plain, values }) =>
        filteredValues(record, filter).some((value) => values.includes(plain(value))),
      ) &&
      sets.every(({ bound, value }) =>
        isWithin({ inclusive: true, ...definite(bound) }, memberValue(record, bound.property), value),
      ) &&
      left.every(({ property, values }) => !values.includes(String(record[property]))) &&
      texts.every(({ search, text }) => holds(record, search, text));
    return (records) => {
      const meant = records.filter(isMeant);
      if (!keys) return meant;
      // Of records with equal times, the last created is the newest.
      const isNewestFirst = keys[0]?.descending !== false && keys === usual?.keys;
      return (isNewestFirst ? meant.reverse() : meant).sort((one, other) =>
        compareBy(keys, one, other, shape),
      );
    };
  };
}

function definite({ side, inclusive }: ListForm['bounds'][number]) {
  return inclusive === undefined ? { side } : { side, inclusive };
}

/** A page of the refined records. */
function refinedPage({ text }: Page, refine: Refine, offset: number, limit: number): Page {
  const all = refine((parseJson(text) as unknown[]).filter(isRecord));
  const records = all.slice(offset, offset + limit);
  return { text: stringifyJson(records), count: records.length, total: all.length };
}

function holds(record: Data, { members }: Search, text: string): boolean {
  const values =
    members.length > 0 ? members.map((name) => memberValue(record, name)) : Object.values(record);
  return values.some((value) => contains(value, text));
}

function contains(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(text);
  if (Array.isArray(value) || isRecord(value)) return Object.values(value).some((one) => contains(one, text));
  return false;
}

/** Records without the member come last in both directions. */
function compareBy(keys: readonly SortKey[], one: Data, other: Data, shape: Shape): number {
  for (const { property, descending } of keys) {
    const [left, right] = [one, other].map((record) => {
      const value = memberValue(record, property) ?? undefined;
      return typeof value === 'string' && isDecimal(shape, property) ? Number(value) : value;
    });
    if (left === undefined || right === undefined) {
      if (left !== right) return left === undefined ? 1 : -1;
      continue;
    }
    const order = compareOrdered(left, right) ?? compareTexts(String(left), String(right));
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
