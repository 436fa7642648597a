import {
  type Bound,
  boundValue,
  isWithin,
  type ListForm,
  type Order,
  type Parameter,
  readOrder,
  type Search,
  type SortKey,
} from '#spec';

type Data = Readonly<Record<string, unknown>>;

/** What a list was asked for beside equal values and pages. */
export interface ListQuery {
  readonly bounds: readonly { readonly bound: Bound; readonly value: unknown }[];
  readonly search: { readonly search: Search; readonly text: string } | undefined;
  readonly order: { readonly order: Order; readonly keys: readonly SortKey[] } | undefined;
}

/** @param query the values of the query parameters, with defaults, without those that the document forbids */
export function readListQuery(
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

/** The facts by which it is read. */
export function factsIn({ bounds, search, order }: ListQuery): (Bound | Search | Order)[] {
  return [
    ...bounds.map(({ bound }) => bound),
    ...(search ? [search.search] : []),
    ...(order ? [order.order] : []),
  ];
}

/** The parameters that a list was asked with. */
export function parametersOf(query: ListQuery): Parameter[] {
  const direction = query.order?.order.direction;
  return [...factsIn(query).map(({ parameter }) => parameter), ...(direction ? [direction] : [])];
}

/** Whether a record that was sent so is certain to be in the list. */
export function isAskedFor({ bounds, search }: ListQuery, sent: Data): boolean {
  return (
    bounds.every(({ bound, value }) => isWithin(bound, sent[bound.property], value) === true) &&
    (!search || search.search.members.some((name) => sent[name] === search.text))
  );
}

/** Whether records are left out. */
export function isNarrowed({ bounds, search }: ListQuery): boolean {
  return bounds.length > 0 || search !== undefined;
}
