import {
  answerShape,
  arrayShape,
  type Filter,
  isRecord,
  type ListForm,
  listedIn,
  type Parameter,
  type ReadRequest,
  type Resource,
  type Shape,
  type Spot,
} from '#spec';
import type { RequestInput } from '../send/plan-request.ts';
import { type ListQuery, parametersOf, readListQuery } from './list-query.ts';

type Data = Readonly<Record<string, unknown>>;

/** The response to a list request, and what was asked for. */
export interface Page {
  readonly resource: Resource;
  readonly form: ListForm;
  readonly records: readonly Data[];
  readonly size: PageSize | undefined;
  /** The promised filters that were sent, each with the one value that it names. */
  readonly filters: readonly { readonly filter: Filter; readonly value: unknown }[];
  /** What else was asked for. */
  readonly query: ListQuery;
  /** Nothing that matches can be missing: the list is shorter than its page size, and starts at the beginning. */
  readonly complete: boolean;
  readonly position: Position;
  /** What the response says of the number of records on all pages. */
  readonly total: Total | undefined;
}

/** Where a page is in the whole list. */
export interface Position {
  /** The parameter that says so; undefined: the document has none. */
  readonly parameter: Parameter | undefined;
  /** How many records are before the page; undefined: the document does not tell. */
  readonly start: number | undefined;
}

export interface PageSize {
  readonly parameter: Parameter;
  /** Undefined: it was not sent, and the document has no default. */
  readonly limit: number | undefined;
  readonly sent: boolean;
}

export interface Total {
  /** `total`, or `meta.total`. */
  readonly name: string;
  readonly value: number;
  readonly spot: Spot;
}

/** @param request the list request as the document reads it: values decoded, defaults filled in */
export function readPage(
  resource: Resource,
  input: RequestInput,
  request: ReadRequest,
  json: unknown,
): Page | undefined {
  const form = resource.list;
  if (!form) return undefined;
  const records = recordsOf(form, json);
  const { query } = request.parameters;
  const isValid = ({ name }: Parameter) =>
    !request.violations.some((one) => one.in === 'query' && one.name === name);
  const sent = new Set(Object.keys(input.query ?? {}));
  const { pageSize } = form;
  const value = pageSize && isValid(pageSize) ? query[pageSize.name] : undefined;
  const limit = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
  const filters = form.filters
    .filter(
      ({ parameter, ambiguous, promised }) =>
        promised && !ambiguous && sent.has(parameter.name) && isValid(parameter),
    )
    .flatMap((filter) => {
      const values = [query[filter.parameter.name]].flat();
      // Whether several values mean any of them or all of them is not documented.
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
  const isWhole = [...sent].every((name) => understood.has(name)) && request.violations.length === 0;
  const isUnfiltered = [...form.filters, ...form.bounds].every(
    ({ parameter: { name, shape } }) => sent.has(name) || !shape.find('default'),
  );
  const most = arrayOf(resource)?.lowest('maxItems') ?? Number.POSITIVE_INFINITY;
  const isWithin = pageSize ? limit !== undefined && records.length < limit : !mayHavePages(resource, form);
  const isShort = isWithin && records.length < most;
  return {
    resource,
    form,
    records,
    size: pageSize && { parameter: pageSize, limit, sent: sent.has(pageSize.name) },
    filters,
    query: asked,
    complete: isWhole && isUnfiltered && isShort,
    position,
    total: totalOf(answerShape(resource.actions.list), json),
  };
}

function arrayOf({ actions, list }: Resource): Shape | undefined {
  const answer = answerShape(actions.list);
  return list ? arrayShape(list, answer) : answer;
}

/** Without a page size any parameter that is no filter may be the one for further pages: a cursor, for one. */
function mayHavePages({ actions }: Resource, { filters, bounds, search, order }: ListForm): boolean {
  const meant = [...bounds, ...(search ? [search] : []), ...(order ? [order] : [])];
  const known = new Set([
    ...filters.filter(({ ambiguous }) => !ambiguous).map(({ parameter }) => parameter),
    ...meant.filter(({ certainty }) => certainty === 'promised').map(({ parameter }) => parameter),
    order?.direction,
  ]);
  return actions.list?.parameters.some((one) => one.in === 'query' && !known.has(one)) ?? false;
}

/** The parameter for the position of a page, unless it may mean something else. */
export function positionParameter({ list, actions }: Resource): Parameter | undefined {
  const parameter = list?.offset ?? list?.page;
  const others = actions.list?.parameters ?? [];
  const isRange =
    parameter?.name === 'start' && others.some(({ name }) => /^(?:end|stop|to|until)$/i.test(name));
  return isRange ? undefined : parameter;
}

/** The value for the first page; the least of an integer format is none. */
export function firstPosition({ shape, name }: Parameter): number | undefined {
  const first = shape.find('default')?.value ?? shape.find('minimum')?.value;
  if (typeof first === 'number') return first;
  return /^(?:offset|skip)$/i.test(name) ? 0 : undefined;
}

/** @param sent the names of the query parameters that were sent */
export function positionOf(
  resource: Resource,
  { parameters: { query }, violations }: ReadRequest,
  sent: ReadonlySet<string>,
): Position {
  const { offset, page, pageSize } = resource.list ?? {};
  const parameter = positionParameter(resource);
  const others = [offset, page].filter((one) => one && one !== parameter && sent.has(one.name));
  if (others.length > 0 || violations.length > 0) return { parameter, start: undefined };
  if (!parameter || !sent.has(parameter.name)) return { parameter, start: 0 };
  const first = firstPosition(parameter);
  if (first === undefined) return { parameter, start: undefined };
  const steps = Number(query[parameter.name]) - first;
  const size = pageSize && query[pageSize.name];
  const step = parameter === offset ? 1 : size === undefined ? undefined : Number(size);
  return { parameter, start: steps === 0 ? 0 : step === undefined ? undefined : steps * step };
}

const TOTAL = /^total(?:_?(?:count|items|results|records|elements|hits|size))?$/i;
const ENVELOPE = /^(?:meta|metadata|pagination|paging|page|page_?info)$/i;

/** The integer beside the list, or in an object beside it, that is named as a total. */
function totalOf(shape: Shape | undefined, json: unknown, prefix = ''): Total | undefined {
  if (!shape || !isRecord(json)) return undefined;
  for (const [name, member] of shape.properties) {
    const value = json[name];
    if (
      TOTAL.test(name) &&
      member.mainType === 'integer' &&
      (typeof value === 'number' || typeof value === 'bigint')
    )
      return { name: prefix + name, value: Number(value), spot: member.spot };
    const inner = prefix === '' && ENVELOPE.test(name) ? totalOf(member, value, `${name}.`) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

/** The records of a list body: the array itself, or the member that holds it. */
export function recordsOf(form: ListForm, body: unknown): Record<string, unknown>[] {
  const list = listedIn(form, body);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
