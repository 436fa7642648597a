import {
  answerShape,
  arrayShape,
  type Basis,
  type Bound,
  boundValue,
  type Filter,
  firstPosition as firstOf,
  isInteger,
  isNumber,
  isRecord,
  isWithin,
  type ListForm,
  listedIn,
  mayPage,
  type Order,
  type Parameter,
  type ReadRequest,
  type Resource,
  readOrder,
  type Search,
  type Shape,
  type SortKey,
  type Spot,
  stringifyJson,
  valueAt,
} from '#spec';
import type { Exchange, Response } from '../send/response.ts';
import { type Data, headerOf } from '../send/wire.ts';
import { type NextPage, nextPageOf, saysMore } from './next-page.ts';

/** The response to a list request, with the parsed query. */
export interface Page {
  readonly resource: Resource;
  readonly form: ListForm;
  readonly records: readonly Data[];
  readonly size: PageSize | undefined;
  /** The sent filters with a single value. */
  readonly filters: readonly { readonly filter: Filter; readonly value: unknown }[];
  /** Bounds, search and order of the request. */
  readonly query: ListQuery;
  /** The facts that the reading of the query rests on: filters, bounds, search, order and paging. */
  readonly rests: readonly Basis[];
  /**
   * No match can be missing, as far as its {@link rests} are promised: the list is shorter than its page size, and starts
   * at the beginning.
   */
  readonly complete: boolean;
  readonly position: Position;
  /** The number of records on all pages, according to the response. */
  readonly total: Total | undefined;
  /** The next page, according to the response. */
  readonly next: NextPage | undefined;
}

/** The position of a page in the whole list. */
export interface Position {
  /** The parameter for the position; undefined: the document has none. */
  readonly parameter: Parameter | undefined;
  /** The number of records before the page; undefined: unknown. */
  readonly start: number | undefined;
}

export interface PageSize {
  readonly parameter: Parameter;
  /** Undefined: it was not sent, and the document has no default. */
  readonly limit: number | undefined;
  readonly sent: boolean;
}

export interface Total {
  /** The name of its member or header: `total`, `meta.total` or `x-total-count`. */
  readonly name: string;
  readonly value: number;
  readonly spot: Spot;
}

/** @param request the parsed list request: values decoded, defaults filled in */
export function readPage(
  resource: Resource,
  exchange: Exchange,
  request: ReadRequest,
  json: unknown,
): Page | undefined {
  const form = resource.list;
  if (!form) return undefined;
  const records = recordsOf(form, json);
  const { query } = request.parameters;
  const isValid = ({ name }: Parameter) =>
    !request.violations.some((violation) => violation.in === 'query' && violation.name === name);
  const sent = new Set(Object.keys(exchange.input.query ?? {}));
  const { pageSize } = form;
  const value = pageSize && isValid(pageSize) ? query[pageSize.name] : undefined;
  // The document does not define a page of zero records, or whether a fraction counts.
  const limit = isNumber(value) && value > 0 ? Math.ceil(Number(value)) : undefined;
  const filters = form.filters
    .filter(({ parameter }) => !mayPage(parameter) && sent.has(parameter.name) && isValid(parameter))
    .flatMap((filter) => {
      const values = [query[filter.parameter.name]].flat();
      // The document does not state whether several values mean any of them or all of them.
      return values.length === 1 ? [{ filter, value: values[0] }] : [];
    });
  const position = positionOf(resource, request, sent);
  const invalid = new Set(request.violations.map(({ name }) => name));
  const valid = Object.fromEntries(Object.entries(query).filter(([name]) => !invalid.has(name)));
  const asked = readListQuery(form, valid);
  const understood = new Set([
    pageSize?.name,
    ...(position.start === 0 ? [position.parameter?.name] : []),
    ...filters.map(({ filter }) => filter.parameter.name),
    ...parametersOf(asked).map(({ name }) => name),
  ]);
  // Only the service knows what the body of a GET means for its list.
  const isPlain = exchange.operation.method !== 'GET' || exchange.input.body === undefined;
  const isUnderstood = [...sent].every((name) => understood.has(name));
  const isWhole = isUnderstood && isPlain && request.violations.length === 0;
  const isUnfiltered = [...form.filters, ...form.bounds].every(
    ({ parameter: { name, shape } }) => sent.has(name) || !shape.find('default'),
  );
  const most = arrayOf(resource)?.lowest('maxItems') ?? Number.POSITIVE_INFINITY;
  const isWithin = pageSize ? limit !== undefined && records.length < limit : !mayHavePages(resource, form);
  const isShort = isWithin && records.length < most;
  const next = nextPageOf(resource, exchange, json, records);
  const isLast = next?.query === undefined && saysMore(form, json) !== true;
  return {
    resource,
    form,
    records,
    size: pageSize && { parameter: pageSize, limit, sent: sent.has(pageSize.name) },
    filters,
    query: asked,
    rests: [
      ...[...filters.map(({ filter }) => filter), ...factsIn(asked)].filter(({ parameter }) =>
        sent.has(parameter.name),
      ),
      ...pageFacts(form, (name) => sent.has(name) || name === pageSize?.name),
    ],
    complete: isWhole && isUnfiltered && isShort && isLast,
    position,
    total: totalOf(form, exchange.response, json),
    next,
  };
}

/** The facts that the meaning of the paging parameters rests on. */
function pageFacts(form: ListForm, isMeant: (name: string) => boolean): Basis[] {
  const roles = ['pageSize', 'offset', 'page', 'cursor'] as const;
  return roles.flatMap((role) => (isMeant(form[role]?.name ?? '') ? (form.bases[role] ?? []) : []));
}

function arrayOf({ actions, list }: Resource): Shape | undefined {
  const answer = answerShape(actions.list);
  return list ? arrayShape(list, answer) : answer;
}

/** Whether a list may have pages. Without a page size, any parameter that is no filter may select them, such as a cursor. */
function mayHavePages({ actions }: Resource, { filters, bounds, search, order }: ListForm): boolean {
  const meant = [...bounds, ...(search ? [search] : []), ...(order ? [order] : [])];
  const parameters = new Set([
    ...filters.filter(({ parameter }) => !mayPage(parameter)).map(({ parameter }) => parameter),
    ...meant.filter(({ certainty }) => certainty === 'promised').map(({ parameter }) => parameter),
    order?.direction,
  ]);
  return (
    actions.list?.parameters.some((parameter) => parameter.in === 'query' && !parameters.has(parameter)) ??
    false
  );
}

/** The query parameters with a known meaning. */
export function parametersIn(form: ListForm): ReadonlySet<Parameter | undefined> {
  const { pageSize, offset, page, cursor, filters, bounds, search, order } = form;
  const facts = [...filters, ...bounds, search, order].map((filter) => filter?.parameter);
  return new Set([pageSize, offset, page, cursor, order?.direction, ...facts]);
}

/** Whether a request sends a page size at most, and nothing else. */
export const asksForSizeAlone = ({
  page,
  exchange,
}: {
  readonly page: Page | undefined;
  readonly exchange: Exchange;
}) => Object.keys(exchange.input.query ?? {}).every((name) => name === page?.form.pageSize?.name);

/** The parameter for the position of a page, unless it is ambiguous, as a number beside a cursor is. */
export function positionParameter({ list }: Resource): Parameter | undefined {
  return list?.offset ?? (list?.cursor ? undefined : list?.page);
}

/** The value for the first page; undefined: the document does not state it. */
export function firstPosition(parameter: Parameter, form: ListForm): number | undefined {
  const { value, certainty } = firstOf(parameter, form);
  return certainty === 'promised' ? value : undefined;
}

/** @param sent the names of the query parameters that were sent */
export function positionOf(
  resource: Resource,
  { parameters: { query }, violations }: ReadRequest,
  sent: ReadonlySet<string>,
): Position {
  const { offset, page, cursor, pageSize } = resource.list ?? {};
  const parameter = positionParameter(resource);
  const others = [offset, page, cursor].some((one) => one && one !== parameter && sent.has(one.name));
  // A URL from the service may have parameters of unknown meaning.
  const documented = new Set(resource.actions.list?.parameters.map(({ name }) => name));
  const isUnknown = [...sent].some((name) => !documented.has(name));
  if (others || isUnknown || violations.length > 0) return { parameter, start: undefined };
  if (!parameter || !sent.has(parameter.name)) return { parameter, start: 0 };
  const first = resource.list && firstPosition(parameter, resource.list);
  if (first === undefined) return { parameter, start: undefined };
  const steps = Number(query[parameter.name]) - first;
  const size = pageSize && query[pageSize.name];
  const step = parameter === offset ? 1 : size === undefined ? undefined : Number(size);
  return { parameter, start: steps === 0 ? 0 : step === undefined ? undefined : steps * step };
}

/** The number of records on all pages, where the document promises the meaning of the member. */
function totalOf({ members, headers }: ListForm, response: Response, json: unknown): Total | undefined {
  const read = [
    ...members.map((member) => ({
      ...member,
      name: member.path.join('.'),
      value: valueAt(json, member.path),
    })),
    ...headers.map((header) => ({ ...header, value: countIn(headerOf(response, header.name)) })),
  ];
  const total = read.find(
    ({ says, certainty, value }) => says === 'total' && certainty === 'promised' && isInteger(value),
  );
  return total && { name: total.name, value: Number(total.value), spot: total.because };
}

function countIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The records of a list body: the array itself, or the member that holds it. */
export function recordsOf(form: ListForm, body: unknown): Record<string, unknown>[] {
  const list = listedIn(form, body);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The query of a list beside filters and pages. */
export interface ListQuery {
  readonly bounds: readonly { readonly bound: Bound; readonly value: unknown }[];
  readonly search: { readonly search: Search; readonly text: string } | undefined;
  readonly order: { readonly order: Order; readonly keys: readonly SortKey[] } | undefined;
}

/** @param query the valid values of the query parameters, with defaults */
function readListQuery(
  { bounds, search, order }: Pick<ListForm, 'bounds' | 'search' | 'order'>,
  query: Data,
): ListQuery {
  const text = search && search.members.length > 0 ? query[search.parameter.name] : undefined;
  const keys = order && readOrder(order, query);
  return {
    bounds: bounds.flatMap((bound) => {
      const value = boundValue(bound, query);
      return value === undefined ? [] : [{ bound, value }];
    }),
    search: search && typeof text === 'string' ? { search, text } : undefined,
    order: order && keys && { order, keys },
  };
}

/** The facts that the query rests on. */
function factsIn({ bounds, search, order }: ListQuery): (Bound | Search | Order)[] {
  return [
    ...bounds.map(({ bound }) => bound),
    ...(search ? [search.search] : []),
    ...(order ? [order.order] : []),
  ];
}

/** The parameters of a list query. */
export function parametersOf(query: ListQuery): Parameter[] {
  const direction = query.order?.order.direction;
  return [...factsIn(query).map(({ parameter }) => parameter), ...(direction ? [direction] : [])];
}

/** Whether a record with these sent members is certain to match. */
export function isAskedFor({ bounds, search }: ListQuery, sent: Data): boolean {
  return (
    bounds.every(({ bound, value }) => isWithin(bound, sent[bound.property], value) === true) &&
    (!search || search.search.members.some((name) => sent[name] === search.text))
  );
}

/** A key that is equal for equivalent queries: in a URL every value is a text. */
export function queryKey(query: Data): string {
  const texts = Object.entries(query).map(([name, value]) => stringifyJson([name, String(value)]));
  return texts.sort().join();
}
