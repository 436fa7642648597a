import { type Filter, isRecord, type ListForm, type Parameter, type ReadRequest, type Resource } from '#spec';
import type { RequestInput } from '../send/plan-request.ts';

type Data = Readonly<Record<string, unknown>>;

/** The response to a list request, and what was asked for. */
export interface Page {
  readonly resource: Resource;
  readonly form: ListForm;
  readonly records: readonly Data[];
  readonly size: PageSize | undefined;
  /** The filters that were sent, each with the one value that it names. */
  readonly filters: readonly { readonly filter: Filter; readonly value: unknown }[];
  /** Nothing that matches can be missing: the list is shorter than its page size, and starts at the beginning. */
  readonly complete: boolean;
}

export interface PageSize {
  readonly parameter: Parameter;
  /** Undefined: it was not sent, and the document has no default. */
  readonly limit: number | undefined;
  readonly sent: boolean;
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
    .filter(({ parameter }) => sent.has(parameter.name) && isValid(parameter))
    .flatMap((filter) => {
      const values = [query[filter.parameter.name]].flat();
      // Whether several values mean any of them or all of them is not documented.
      return values.length === 1 ? [{ filter, value: values[0] }] : [];
    });
  const understood = new Set([pageSize?.name, ...filters.map(({ filter }) => filter.parameter.name)]);
  const isWhole = [...sent].every((name) => understood.has(name)) && request.violations.length === 0;
  const isUnfiltered = form.filters.every(
    ({ parameter: { name, shape } }) => sent.has(name) || !shape.find('default'),
  );
  const isShort = pageSize ? limit !== undefined && records.length < limit : !mayHavePages(resource, form);
  return {
    resource,
    form,
    records,
    size: pageSize && { parameter: pageSize, limit, sent: sent.has(pageSize.name) },
    filters,
    complete: isWhole && isUnfiltered && isShort,
  };
}

/** Without a page size any parameter that is no filter may be the one for further pages: a cursor, for one. */
function mayHavePages({ actions }: Resource, { filters }: ListForm): boolean {
  const known = new Set(filters.map(({ parameter }) => parameter));
  return actions.list?.parameters.some((one) => one.in === 'query' && !known.has(one)) ?? false;
}

/** The records of a list body: the array itself, or the member that holds it. */
export function recordsOf(form: ListForm, body: unknown): Record<string, unknown>[] {
  const list = form.member === undefined ? body : isRecord(body) ? body[form.member] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
